// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.plan.FaultItem.Anchor;
import java.util.List;

/** Draws many faults of a short time around one lane whose ledger is being taken over: races that faults spread over a whole run seldom make. */
final class StormDraw {
    /** Storms last from about a round trip up to several time-outs. */
    private static final long[] MICROS_MAX = {1_000, 5_000, 30_000, 150_000};

    private final SimulatedRandom random;
    private final int bookies;
    private final int recoverers;
    private final List<LanePlan> lanes;

    private Anchor anchor = Anchor.BEGINNING;
    private long lastsMicros;

    StormDraw(SimulatedRandom random, int bookies, int recoverers, List<LanePlan> lanes) {
        this.random = random;
        this.bookies = bookies;
        this.recoverers = recoverers;
        this.lanes = lanes;
    }

    /** Adds the faults of one storm. */
    void draw(List<FaultItem> faults) {
        int lane = below(lanes.size());
        LanePlan plan = lanes.get(lane);
        anchor = below(4) == 0
                ? new Anchor(Anchor.ENSEMBLE_CHANGES, 1 + below(5))
                : new Anchor(lane, 1 + below(plan.sessions() * plan.appends()));
        lastsMicros = 1 + random.nextBelow(MICROS_MAX[below(MICROS_MAX.length)]);
        for (int bookie = 0; bookie < bookies; bookie++) {
            disturb(bookie, lane, faults);
            for (int recoverer = 0; recoverer < recoverers; recoverer++) {
                disturb(bookie, lanes.size() + recoverer, faults);
            }
        }
        if (below(2) == 0) {
            // One bookie misses the beginning of the recovery.
            FaultKind kind = below(3) == 0 ? FaultKind.PAUSE_BOOKIE : FaultKind.KILL_BOOKIE;
            faults.add(item(kind, below(bookies), 0));
        }
        for (int recoverer = 0; recoverer < recoverers; recoverer++) {
            if (below(4) > 0) {
                faults.add(item(FaultKind.RECOVER, lane, recoverer));
            }
            if (below(4) == 0) {
                FaultKind kind = below(2) == 0 ? FaultKind.PAUSE_RECOVERER : FaultKind.CRASH_RECOVERER;
                faults.add(item(kind, recoverer, 0));
            }
        }
        switch (below(6)) {
            case 0 -> faults.add(item(FaultKind.CRASH_WRITER, lane, 0));
            case 1 -> faults.add(item(FaultKind.PAUSE_WRITER, lane, 0));
            case 2 -> faults.add(item(FaultKind.METADATA_CUT, 0, below(lanes.size() + recoverers)));
            default -> {}
        }
    }

    private void disturb(int bookie, int client, List<FaultItem> faults) {
        switch (below(9)) {
            case 0 -> faults.add(item(FaultKind.CLOG_TO_BOOKIE, bookie, client));
            case 1 -> faults.add(item(FaultKind.CLOG_FROM_BOOKIE, bookie, client));
            case 2 -> faults.add(item(FaultKind.RESET, bookie, client));
            case 3, 4, 5 -> {
                long latencyMicros = random.nextBelow(MICROS_MAX[below(MICROS_MAX.length)]);
                faults.add(item(FaultKind.SLOW_PAIR, bookie, client + 256 * latencyMicros));
            }
            case 6 -> {
                if (client < lanes.size() && below(2) == 0) {
                    faults.add(item(below(3) > 0 ? FaultKind.KILL_BOOKIE : FaultKind.PAUSE_BOOKIE, bookie, 0));
                }
            }
            default -> {}
        }
    }

    private FaultItem item(FaultKind kind, int target, long parameter) {
        long at = random.nextBelow(lastsMicros);
        return new FaultItem(kind, anchor, at, target, random.nextBelow(3 * lastsMicros), parameter);
    }

    private int below(int bound) {
        return (int) random.nextBelow(bound);
    }
}
