// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.simulation.plan.FaultItem.Anchor;
import io.daybook.simulation.plan.Plan.Knobs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Draws plans from seeds: each kind of fault is left out of a plan with probability 1/2, because kinds hide each other. */
public final class PlanDraw {
    private static final long SECOND_MICROS = 1_000_000;

    private final long seed;
    private final SimulatedRandom random;
    private final int bookies;
    private final List<LanePlan> lanes = new ArrayList<>();
    private final int recoverers;
    private long faultsMicros;

    private PlanDraw(long seed) {
        this.seed = seed;
        this.random = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("plan"));
        this.bookies = 3 + below(2) * below(4);
        this.recoverers = 1 + below(2);
    }

    /** The plan of a seed. */
    public static Plan draw(long seed) {
        return new PlanDraw(seed).draw();
    }

    private Plan draw() {
        Knobs knobs = drawKnobs();
        faultsMicros = (1 + below(5)) * SECOND_MICROS;
        int count = 1 + below(3);
        for (int i = 0; i < count; i++) {
            lanes.add(drawLane(knobs));
        }
        return new Plan(seed, bookies, recoverers, knobs, lanes, faultsMicros, drawFaults());
    }

    private int below(int bound) {
        return (int) random.nextBelow(bound);
    }

    private int oneOf(int... choices) {
        return choices[below(choices.length)];
    }

    private Knobs drawKnobs() {
        return new Knobs(
                oneOf(16, 32, 64) * 1024,
                oneOf(2, 3, 4),
                oneOf(200, 1000, 5000),
                oneOf(4, 16, 256) * 1024,
                oneOf(1000, 2000, 5000),
                oneOf(200, 500, 1000),
                oneOf(60, 200, 500),
                oneOf(50, 200, 1000),
                oneOf(100, 400, 2000),
                oneOf(200, 1000, 10_000));
    }

    private LanePlan drawLane(Knobs knobs) {
        int ensemble = 1 + below(Math.min(bookies, 5));
        if (below(2) == 0) {
            ensemble = Math.min(3, bookies);
        }
        int write = ensemble - (below(2) == 0 ? 0 : below(ensemble));
        int ack = below(3) == 0 ? write : 1 + below(write);
        int payloadBytesMax = Math.min(oneOf(1, 100, 1000, 4000), knobs.slabBytes() / 4);
        int appends = oneOf(1, 10, 50, 100);
        int inFlight = oneOf(1, 4, 16, 100);
        int sessions = 2 + below(8);
        if (below(4) == 0) {
            // More under way than recovery asks for at once.
            return new LanePlan(new Quorums(ensemble, write, ack), sessions, 120, 100, 0, payloadBytesMax);
        }
        // All ledgers together last about as long as faults may happen.
        long bursts = Math.max(1, appends / inFlight);
        long pauseMicros = below(2) == 0 ? 0 : faultsMicros / sessions / bursts + 1;
        return new LanePlan(
                new Quorums(ensemble, write, ack), sessions, appends, inFlight, pauseMicros, payloadBytesMax);
    }

    private List<FaultItem> drawFaults() {
        List<FaultItem> faults = new ArrayList<>();
        int blackoutOrNothing = below(2);
        for (FaultKind kind : FaultKind.values()) {
            boolean used = below(2) == 0;
            int count = countOf(kind, blackoutOrNothing);
            for (int i = 0; used && i < count; i++) {
                faults.add(drawFault(kind));
            }
        }
        faults.sort(Comparator.comparingLong(FaultItem::atMicros));
        StormDraw storms = new StormDraw(random, bookies, recoverers, lanes);
        int count = below(4) == 0 ? 0 : 1 + below(10);
        for (int i = 0; i < count; i++) {
            storms.draw(faults);
        }
        return faults;
    }

    private int countOf(FaultKind kind, int blackout) {
        return switch (kind) {
            case DESTROY_BOOKIE -> below(2) * destroyable();
            case BLACKOUT -> blackout;
            case RECOVER -> 1 + below(3);
            case METADATA_OUTAGE, METADATA_STALE, METADATA_UNKNOWN -> 1;
            default -> below(3);
        };
    }

    /** The budget: no entry may lose more than Qa - 1 copies, and every ensemble must still find its size. */
    private int destroyable() {
        int budget = lanes.stream()
                        .mapToInt(lane -> lane.quorums().ackQuorum())
                        .min()
                        .orElse(1)
                - 1;
        int spares = bookies
                - lanes.stream()
                        .mapToInt(lane -> lane.quorums().ensembleSize())
                        .max()
                        .orElse(bookies);
        return Math.min(1, Math.min(budget, spares));
    }

    private FaultItem drawFault(FaultKind kind) {
        long at = random.nextBelow(faultsMicros);
        // Short, long, or somewhere between: time-outs lie in all three.
        long lasts = switch (below(3)) {
            case 0 -> random.nextBelow(20_000);
            case 1 -> random.nextBelow(500_000);
            default -> random.nextBelow(3 * SECOND_MICROS);
        };
        return new FaultItem(kind, Anchor.BEGINNING, at, targetOf(kind), lasts, parameterOf(kind));
    }

    private int targetOf(FaultKind kind) {
        return switch (kind) {
            case CRASH_WRITER, PAUSE_WRITER, RECOVER -> below(lanes.size());
            case CRASH_RECOVERER, PAUSE_RECOVERER -> below(recoverers);
            case ISOLATE_CLIENT -> below(lanes.size() + recoverers);
            case CLOCK_RATE -> below(bookies + lanes.size() + recoverers);
            default -> below(bookies);
        };
    }

    private long parameterOf(FaultKind kind) {
        return switch (kind) {
            case CRASH_IN_OPERATION -> 1 + random.nextBelow(60);
            case RECOVER -> below(recoverers);
            case SLOW_PAIR -> below(lanes.size() + recoverers) + 256 * random.nextBelow(200_000);
            case SLOW_LINKS -> 1 + below(100);
            case SLOW_DISK -> 2 + below(50);
            case CLOCK_RATE -> 50 + below(150);
            case METADATA_UNKNOWN -> 10 + below(60);
            case METADATA_STALE -> 20 + below(80);
            case ISOLATE_BOOKIE, ISOLATE_CLIENT -> below(2);
            default -> below(lanes.size() + recoverers);
        };
    }
}
