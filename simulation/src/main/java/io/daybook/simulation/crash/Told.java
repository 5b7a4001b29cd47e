// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a bookie has told its client: entries that it holds, ledgers that it fenced, confirmations that it took. All of that must be true after any crash.
 *
 * @param entries how many entries from 0 on, by ledger
 * @param fenced ledgers
 * @param confirmed the highest last add confirmed that was taken, by ledger
 */
record Told(Map<Long, Integer> entries, Set<Long> fenced, Map<Long, Long> confirmed) {
    Told() {
        this(new TreeMap<>(), new TreeSet<>(), new TreeMap<>());
    }

    Told copy() {
        return new Told(new TreeMap<>(entries), new TreeSet<>(fenced), new TreeMap<>(confirmed));
    }

    /** Without what was told of a ledger that is deleted. */
    void forget(long ledgerId) {
        entries.remove(ledgerId);
        fenced.remove(ledgerId);
        confirmed.remove(ledgerId);
    }
}
