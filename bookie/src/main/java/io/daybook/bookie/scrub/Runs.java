// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.scrub;

import io.daybook.bookie.index.IndexTarget.Extent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** Sets of entries of one log, as runs. */
final class Runs {
    private Runs() {}

    /** The parts of {@code all} whose entries are in none of {@code without}. */
    static List<Extent> without(List<Extent> all, List<Extent> without) {
        TreeMap<Long, List<Extent>> byLedger = new TreeMap<>();
        without.forEach(run -> byLedger.computeIfAbsent(run.ledgerId(), none -> new ArrayList<>())
                .add(run));
        byLedger.values().forEach(runs -> runs.sort(Comparator.comparingLong(Extent::firstEntryId)));
        List<Extent> left = new ArrayList<>();
        for (Extent run : all) {
            long next = run.firstEntryId();
            for (Extent other : byLedger.getOrDefault(run.ledgerId(), List.of())) {
                if (other.firstEntryId() > next) {
                    add(left, run, next, Math.min(other.firstEntryId(), run.end()));
                }
                next = Math.max(next, other.end());
            }
            add(left, run, next, run.end());
        }
        return left;
    }

    /** The parts of {@code run} whose entries are in one of {@code others}, which do not overlap. */
    static List<Extent> within(Extent run, Set<Extent> others) {
        List<Extent> common = new ArrayList<>();
        for (Extent other : others) {
            add(common, run, Math.max(run.firstEntryId(), other.firstEntryId()), Math.min(run.end(), other.end()));
        }
        return common;
    }

    private static void add(List<Extent> to, Extent run, long from, long end) {
        if (from < end) {
            int skipped = (int) (from - run.firstEntryId());
            to.add(new Extent(run.ledgerId(), from, (int) (end - from), run.logId(), run.tableRow() + skipped, 0));
        }
    }
}
