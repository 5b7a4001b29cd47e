// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.simulation.plan.FaultItem.Anchor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Draws the faults of a plan: each kind is left out with probability 1/2, because kinds hide each other. Damage stays within the budget: it hits at most
 * Qa - 1 bookies of the run, so that no entry loses more than Qa - 1 of its copies; unless the plan is to go beyond it.
 */
final class FaultDraw {
    private static final long SECOND_MICROS = 1_000_000;
    /** Long enough for the supervisor to try to start a bookie. */
    private static final long MIX_UP_MICROS_MIN = 300_000;
    /** Long enough for a writer to give a bookie up. */
    private static final long NARROW_MICROS_MIN = 1_000_000;

    private final SimulatedRandom apart;
    private final int bookies;
    private final int recoverers;
    private final List<LanePlan> lanes;
    private final List<Integer> victims = new ArrayList<>();
    private SimulatedRandom random;
    private long faultsMicros;

    FaultDraw(SimulatedRandom random, long seed, int bookies, int recoverers, List<LanePlan> lanes) {
        this.random = random;
        this.apart = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("further faults"));
        this.bookies = bookies;
        this.recoverers = recoverers;
        this.lanes = lanes;
    }

    private int below(int bound) {
        return (int) random.nextBelow(bound);
    }

    List<FaultItem> draw(long micros, boolean isBeyondBudget) {
        faultsMicros = micros;
        drawVictims(isBeyondBudget);
        List<FaultItem> faults = new ArrayList<>();
        int blackoutOrNothing = below(2);
        for (FaultKind kind : FaultKind.values()) {
            // For lost directories see DirectoryDraw.
            if (kind != FaultKind.LOSE_DIRECTORY && !FaultKind.DRAWN_APART.contains(kind)) {
                draw(kind, blackoutOrNothing, isBeyondBudget, faults);
            }
        }
        faults.sort(Comparator.comparingLong(FaultItem::atMicros));
        return faults;
    }

    /** Adds those that are drawn apart, once all else is drawn. */
    void drawApart(List<FaultItem> faults, boolean isBeyondBudget) {
        random = apart;
        for (FaultKind kind : FaultKind.values()) {
            // Who is left behind is gone like who was destroyed: both may be too many.
            boolean mayBe = kind != FaultKind.LEAVE_BEHIND
                    || (!isBeyondBudget
                            && faults.stream().noneMatch(fault -> fault.kind() == FaultKind.DESTROY_BOOKIE));
            if (FaultKind.DRAWN_APART.contains(kind) && mayBe) {
                draw(kind, 0, isBeyondBudget, faults);
            }
        }
    }

    private void draw(FaultKind kind, int blackout, boolean isBeyondBudget, List<FaultItem> faults) {
        boolean isUsed = below(2) == 0 || (isBeyondBudget && kind.isDamage());
        int count = kind.isDamage() ? countOfDamage(kind, isBeyondBudget) : countOf(kind, blackout);
        for (int i = 0; isUsed && i < count; i++) {
            faults.add(drawFault(kind));
        }
    }

    private void drawVictims(boolean isBeyondBudget) {
        int budget = lanes.stream()
                        .mapToInt(lane -> lane.quorums().ackQuorum())
                        .min()
                        .orElse(1)
                - 1;
        int first = below(bookies);
        for (int i = 0; i < (isBeyondBudget ? bookies : Math.min(budget, bookies)); i++) {
            victims.add((first + i) % bookies);
        }
    }

    private int countOf(FaultKind kind, int blackout) {
        return switch (kind) {
            case BLACKOUT -> blackout;
            case RECOVER -> 1 + below(3);
            case METADATA_OUTAGE, METADATA_STALE, METADATA_UNKNOWN, METADATA_LISTINGS, MIX_UP_DISKS -> 1;
            default -> below(3);
        };
    }

    private int countOfDamage(FaultKind kind, boolean isBeyondBudget) {
        if (victims.isEmpty()) {
            return 0;
        }
        return switch (kind) {
            case ROT -> isBeyondBudget ? below(40) : below(5);
            case LEAVE_BEHIND -> Math.min(victims.size(), Math.max(0, spares()));
            case DESTROY_BOOKIE -> isBeyondBudget ? below(bookies) : below(2) * Math.min(1, spares());
            default -> isBeyondBudget ? below(bookies) : below(3);
        };
    }

    /** Bookies that no ensemble needs: every ensemble must still find its size. */
    private int spares() {
        return bookies
                - lanes.stream()
                        .mapToInt(lane -> lane.quorums().ensembleSize())
                        .max()
                        .orElse(bookies);
    }

    private FaultItem drawFault(FaultKind kind) {
        long at = random.nextBelow(faultsMicros);
        // Short, long, or somewhere between: time-outs lie in all three.
        long lasts = switch (below(3)) {
            case 0 -> random.nextBelow(20_000);
            case 1 -> random.nextBelow(500_000);
            default -> random.nextBelow(3 * SECOND_MICROS);
        };
        if (kind == FaultKind.MIX_UP_DISKS) {
            lasts += MIX_UP_MICROS_MIN;
        }
        if (kind == FaultKind.NARROW_LINKS) {
            lasts += NARROW_MICROS_MIN;
        }
        return new FaultItem(kind, Anchor.BEGINNING, at, targetOf(kind), lasts, parameterOf(kind));
    }

    private int targetOf(FaultKind kind) {
        if (kind.isDamage()) {
            return victims.get(below(victims.size()));
        }
        return switch (kind) {
            case CRASH_WRITER, PAUSE_WRITER, RECOVER -> below(lanes.size());
            case CRASH_RECOVERER, PAUSE_RECOVERER -> below(recoverers);
            case ISOLATE_CLIENT -> below(lanes.size() + recoverers);
            case CLOCK_RATE -> below(bookies + lanes.size() + recoverers);
            case EXPIRE_SESSION -> below(2) == 0 ? below(bookies) : bookies + below(64);
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
            case METADATA_STALE, METADATA_LISTINGS -> 20 + below(80);
            case ISOLATE_BOOKIE, ISOLATE_CLIENT -> below(2);
            case ROT, LOSE_LOG, LOSE_JOURNAL -> random.nextLong();
            case FILL_DISK -> random.nextBelow(20_000);
            case MIX_UP_DISKS, RESTART_BOOKIE, CRASH_CLIENT, METADATA_CUT_CLIENT -> below(64);
            case NARROW_LINKS -> 2_000L << below(6);
            default -> below(lanes.size() + recoverers);
        };
    }
}
