// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.simulation.plan.LanePlan.Trait;
import io.daybook.simulation.plan.Plan.Habits;
import io.daybook.simulation.plan.Plan.Knobs;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws plans from seeds. Most are stormy: seconds of dense work and dense faults. Some are calm: minutes of slow writers and waiting readers with a
 * fault now and then, as most of a cluster's life is; what goes wrong there are timers, sessions and age.
 */
public final class PlanDraw {
    private static final long SECOND_MICROS = 1_000_000;
    private static final int CALM_ONE_IN = 4;
    private static final int PUBLISH_MICROS_DEFAULT = 2_000;
    private static final int[] KIBIBYTES = {0, 0, 64, 128};
    /** The last of them leaves it to closing. */
    private static final int[] FORCES = {1, 3, 10, 30, 1_000_000};
    /** Far above the ids that the cluster gives, and far enough from the last one. */
    private static final long IDS_FIRST = 1L << 41;

    private static final long IDS_SPAN = 1L << 61;
    /** From chance apart, so that plans are otherwise the same with them and without. */
    private static final List<Operation> DRAWN_APART = List.of(Operation.FENCES, Operation.VERIFICATIONS);

    private final long seed;
    private final boolean isBeyondBudget;
    private final SimulatedRandom random;
    /** Apart, so that the rest of a plan does not depend on what is drawn of it. */
    private final SimulatedRandom kinds;

    private final SimulatedRandom traits;
    private final List<Trait> traitsOfPlan = new ArrayList<>();

    private final boolean isCalm;
    private final int bookies;
    private final List<LanePlan> lanes = new ArrayList<>();
    private final int recoverers;
    private long faultsMicros;

    private PlanDraw(long seed, boolean isBeyondBudget) {
        this.seed = seed;
        this.isBeyondBudget = isBeyondBudget;
        this.random = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("plan"));
        this.kinds = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("kinds of ledgers"));
        this.traits = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("traits of ledgers"));
        for (Trait trait : Trait.values()) {
            if (traits.nextBelow(2) == 0) {
                traitsOfPlan.add(trait);
            }
        }
        this.isCalm = below(CALM_ONE_IN) == 0;
        this.bookies = 3 + below(2) * below(4);
        this.recoverers = 1 + below(2);
    }

    /** The plan of a seed. */
    public static Plan draw(long seed) {
        return new PlanDraw(seed, false).draw();
    }

    /** The plan of a seed in which more may be damaged than Daybook promises to survive. */
    public static Plan drawBeyondBudget(long seed) {
        return new PlanDraw(seed, true).draw();
    }

    private Plan draw() {
        Knobs knobs = drawKnobs();
        faultsMicros = isCalm ? oneOf(60, 120, 300, 600) * SECOND_MICROS : (1 + below(5)) * SECOND_MICROS;
        int count = 1 + below(3);
        for (int i = 0; i < count; i++) {
            lanes.add(drawKind(isCalm ? drawCalmLane(knobs) : drawLane(knobs)));
        }
        FaultDraw draw = new FaultDraw(random, seed, bookies, recoverers, lanes);
        List<FaultItem> faults = draw.draw(faultsMicros, isBeyondBudget);
        if (!isCalm || below(2) == 0) {
            faults.addAll(drawStorms());
        }
        draw.drawApart(faults, isBeyondBudget);
        List<StreamPlan> streams = drawStreams(knobs, faults);
        DirectoryDraw directories = new DirectoryDraw(seed, faultsMicros);
        directories.addLosses(faults);
        return new Plan(
                seed,
                bookies,
                recoverers,
                knobs.withDirectories(directories.count(), directories.journalCount()),
                drawHabits(),
                lanes,
                streams,
                drawSpread(streams, faults),
                faultsMicros,
                faults);
    }

    private List<FaultItem> drawStorms() {
        List<FaultItem> faults = new ArrayList<>();
        StormDraw storms = new StormDraw(random, bookies, recoverers, lanes);
        int count = below(4) == 0 ? 0 : 1 + below(10);
        for (int i = 0; i < count; i++) {
            storms.draw(faults);
        }
        return faults;
    }

    private Spread drawSpread(List<StreamPlan> streams, List<FaultItem> faults) {
        List<Quorums> ensembles = new ArrayList<>(List.of(Quorums.DEFAULT));
        lanes.forEach(lane -> ensembles.add(lane.quorums()));
        streams.forEach(stream -> ensembles.add(stream.quorums()));
        boolean isDamaged = faults.stream().anyMatch(fault -> fault.kind().isDamage());
        return Spread.draw(seed, bookies, ensembles, !isDamaged && !isBeyondBudget);
    }

    private Habits drawHabits() {
        List<Operation> operations = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            if ((DRAWN_APART.contains(operation) ? traits.nextBelow(2) : below(2)) == 0) {
                operations.add(operation);
            }
        }
        Priorities priorities =
                below(4) == 0 ? new Priorities(2 + below(4), oneOf(20, 200, 2_000), below(4)) : Priorities.FAIR;
        return new Habits(priorities, operations, isBeyondBudget);
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
                oneOf(200, 1000, 10_000),
                oneOf(0, 0, 100, PUBLISH_MICROS_DEFAULT),
                isCalm ? oneOf(0, 2000, 10_000, 30_000) : oneOf(0, 300, 1000, 5000),
                1,
                drawScrubMillis(),
                KIBIBYTES[(int) kinds.nextBelow(KIBIBYTES.length)],
                KIBIBYTES[(int) kinds.nextBelow(KIBIBYTES.length)],
                1);
    }

    /** From chance of its own. */
    private int drawScrubMillis() {
        SimulatedRandom chance = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("scrub"));
        int[] choices = isCalm ? new int[] {0, 0, 10_000, 60_000} : new int[] {0, 0, 500, 3000};
        return choices[(int) chance.nextBelow(choices.length)];
    }

    /** A quarter of the lanes defer the sync, a quarter give the ids of their ledgers. Each trait is left out of a plan with probability 1/2. */
    private LanePlan drawKind(LanePlan lane) {
        boolean isDeferred = kinds.nextBelow(4) == 0;
        boolean givesIds = kinds.nextBelow(4) == 0;
        int forceEvery = FORCES[(int) kinds.nextBelow(FORCES.length)];
        long idBase = IDS_FIRST + kinds.nextBelow(IDS_SPAN);
        List<Trait> drawn = new ArrayList<>();
        for (Trait trait : traitsOfPlan) {
            if (traits.nextBelow(2) == 0) {
                drawn.add(trait);
            }
        }
        return lane.with(isDeferred ? forceEvery : 0, givesIds ? idBase : LanePlan.ANY_ID, drawn);
    }

    /** From chance of their own, so that the rest of a plan does not depend on them. */
    private List<StreamPlan> drawStreams(Knobs knobs, List<FaultItem> faults) {
        long damaged = faults.stream()
                .filter(fault -> fault.kind().isDamage())
                .map(FaultItem::target)
                .distinct()
                .count();
        return isBeyondBudget ? List.of() : new StreamDraw(seed, bookies, (int) damaged, faultsMicros).draw(knobs);
    }

    private Quorums drawQuorums() {
        int ensemble = 1 + below(Math.min(bookies, 5));
        if (below(2) == 0) {
            ensemble = Math.min(3, bookies);
        }
        int write = ensemble - (below(2) == 0 ? 0 : below(ensemble));
        int ack = below(3) == 0 ? write : 1 + below(write);
        return new Quorums(ensemble, write, ack);
    }

    private int drawPayload(Knobs knobs) {
        return Math.min(oneOf(1, 100, 1000, 4000), knobs.slabBytes() / 4);
    }

    /** A third of the lanes share the client of the first one. */
    private int drawProcess() {
        return below(3) == 0 ? 0 : LanePlan.ALONE;
    }

    private LanePlan drawLane(Knobs knobs) {
        Quorums quorums = drawQuorums();
        int payloadBytesMax = drawPayload(knobs);
        int appends = oneOf(1, 10, 50, 100);
        int inFlight = oneOf(1, 4, 16, 100);
        int sessions = 2 + below(8);
        if (below(4) == 0) {
            // More under way than recovery asks for at once.
            return new LanePlan(
                    quorums, sessions, 120, 100, 0, payloadBytesMax, drawProcess(), 0, LanePlan.ANY_ID, List.of());
        }
        // All ledgers together last about as long as faults may happen.
        long bursts = Math.max(1, appends / inFlight);
        long pauseMicros = below(2) == 0 ? 0 : faultsMicros / sessions / bursts + 1;
        return new LanePlan(
                quorums,
                sessions,
                appends,
                inFlight,
                pauseMicros,
                payloadBytesMax,
                drawProcess(),
                0,
                LanePlan.ANY_ID,
                List.of());
    }

    /** Bursts of a few entries, a fraction of a second to some seconds apart, for as long as faults may happen. */
    private LanePlan drawCalmLane(Knobs knobs) {
        Quorums quorums = drawQuorums();
        int inFlight = oneOf(1, 1, 2, 5);
        int sessions = 1 + below(5);
        long pauseMicros = oneOf(300, 1000, 3000) * 1_000L;
        long bursts = Math.max(1, faultsMicros / sessions / pauseMicros);
        int appends = (int) Math.min(500, bursts * inFlight);
        return new LanePlan(
                quorums,
                sessions,
                appends,
                inFlight,
                pauseMicros,
                drawPayload(knobs),
                drawProcess(),
                0,
                LanePlan.ANY_ID,
                List.of());
    }
}
