// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.simulation.plan.FaultItem.Anchor;
import io.daybook.testkit.simulated.BookieDisks;
import java.util.List;

/**
 * Draws how many data directories and journals the bookies have, and the loss of single directories, from chance of its own, so that the rest of a plan does
 * not depend on it.
 */
final class DirectoryDraw {
    private static final int LOSSES_MAX = 2;
    private static final long LASTS_MICROS_MAX = 1_000_000;

    private final SimulatedRandom random;
    private final SimulatedRandom journals;
    private final int count;
    private final int journalCount;
    private final long faultsMicros;

    DirectoryDraw(long seed, long faultsMicros) {
        this.random = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("directories"));
        this.count = below(2) == 0 ? 1 : 2 + below(BookieDisks.DATA_MAX - 1);
        this.journals = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("journals"));
        this.journalCount = journals.nextBelow(2) == 0 ? 1 : 2 + (int) journals.nextBelow(BookieDisks.JOURNAL_MAX - 1);
        this.faultsMicros = faultsMicros;
    }

    private int below(int bound) {
        return (int) random.nextBelow(bound);
    }

    /** Data directories of each bookie. */
    int count() {
        return count;
    }

    /** Journals of each bookie. */
    int journalCount() {
        return journalCount;
    }

    /** Adds losses, in half of the plans and only of bookies that are damaged anyway, so that they stay within the budget. */
    void addLosses(List<FaultItem> faults) {
        List<Integer> damaged = faults.stream()
                .filter(fault -> fault.kind().isDamage())
                .map(FaultItem::target)
                .toList();
        int losses = damaged.isEmpty() ? 0 : below(2) * (1 + below(LOSSES_MAX));
        for (int i = 0; i < losses; i++) {
            faults.add(new FaultItem(
                    FaultKind.LOSE_DIRECTORY,
                    Anchor.BEGINNING,
                    random.nextBelow(faultsMicros),
                    damaged.get(below(damaged.size())),
                    random.nextBelow(LASTS_MICROS_MAX),
                    lost(below(BookieDisks.DATA_MAX))));
        }
    }

    /** That data directory, or one of several journals instead of it. */
    private int lost(int data) {
        boolean isJournal = journalCount > 1 && journals.nextBelow(2) == 0;
        return isJournal ? BookieDisks.DATA_MAX + (int) journals.nextBelow(BookieDisks.JOURNAL_MAX) : data;
    }
}
