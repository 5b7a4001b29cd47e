// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.scrub;

import io.daybook.bookie.index.IndexTarget.Extent;
import io.daybook.bookie.ledgers.LedgerTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What the check of one log came to.
 *
 * @param damagedAt position of the first damaged record; -1 when there is none
 * @param lost entries that the index file tells and the log does not hold whole
 * @param indexProblem what is wrong with the index file; empty when nothing is
 * @param logProblem why the log cannot be read; empty when it can
 */
record Findings(int logId, long damagedAt, List<Extent> lost, String indexProblem, String logProblem) {
    /** Whether everything is as it was written. */
    boolean isSound() {
        return damagedAt < 0 && indexProblem.isEmpty() && logProblem.isEmpty();
    }

    /** The damage, as far as it matters to what counts now; told at once or later. On the loop of the table. */
    void damages(LedgerTable table, Consumer<List<Damage>> then) {
        table.alive(lost, alive -> then.accept(damages(alive)));
    }

    private List<Damage> damages(List<Extent> alive) {
        List<Damage> damages = new ArrayList<>();
        TreeMap<Long, Set<Extent>> byLedger = new TreeMap<>();
        alive.forEach(part -> byLedger.computeIfAbsent(part.ledgerId(), none -> new LinkedHashSet<>())
                .add(part));
        for (Extent run : lost) {
            Set<Extent> ofLedger = byLedger.getOrDefault(run.ledgerId(), new LinkedHashSet<>());
            for (Extent part : Runs.within(run, ofLedger)) {
                damages.add(new Damage(
                        Damage.Kind.ENTRIES, logId, damagedAt, part.ledgerId(), part.firstEntryId(), part.count()));
            }
        }
        if (!logProblem.isEmpty()) {
            damages.add(Damage.of(Damage.Kind.LOG, logId, -1));
        } else if (damagedAt >= 0 && damages.isEmpty()) {
            damages.add(Damage.of(Damage.Kind.RECORDS, logId, damagedAt));
        }
        if (!indexProblem.isEmpty()) {
            damages.add(Damage.of(Damage.Kind.INDEX, logId, -1));
        }
        return damages;
    }

    /** What is wrong, in words. */
    String reason() {
        List<String> reasons = new ArrayList<>();
        if (damagedAt >= 0) {
            reasons.add("the record at " + damagedAt + " is damaged");
        }
        reasons.add(logProblem);
        reasons.add(indexProblem);
        reasons.removeIf(String::isEmpty);
        return String.join(", ", reasons);
    }
}
