// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Append;
import io.daybook.testkit.check.Call.FinalLog;
import io.daybook.testkit.check.Call.Peek;
import io.daybook.testkit.check.Call.Read;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What stands where in one ledger: lost-write, lost-indefinite, aborted-read, phantom, duplicate, inconsistent-position, dirty-read. */
final class ContentChecks {
    private final LedgerHistory ledger;
    private final Map<String, Call> appendsByValue = new TreeMap<>();
    private final Map<Long, String> valueByEntry = new TreeMap<>();
    private final Map<String, Long> entryByValue = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();

    ContentChecks(LedgerHistory ledger) {
        this.ledger = ledger;
    }

    List<Violation> run() {
        for (Call append : ledger.appends()) {
            Append detail = (Append) append.detail();
            appendsByValue.put(detail.value().toString(), append);
            if (append.result() == Result.OK) {
                stands(detail.entryId(), detail.value());
            }
        }
        for (Call read : ledger.reads()) {
            Read detail = (Read) read.detail();
            for (int i = 0; i < detail.values().size(); i++) {
                seen(detail.firstEntryId() + i, detail.values().get(i), read.process());
            }
        }
        for (Call peek : ledger.peeks()) {
            Peek detail = (Peek) peek.detail();
            for (int i = 0; i < detail.values().size(); i++) {
                peeked(detail.firstEntryId() + i, detail.values().get(i), peek.process());
            }
        }
        for (FinalLog log : ledger.finals()) {
            for (int i = 0; i < log.values().size(); i++) {
                seen(i, log.values().get(i), "the final read");
            }
        }
        ledger.finalLog().ifPresent(this::compare);
        return violations;
    }

    private void seen(long entryId, Value value, String by) {
        Optional<Call> append = Optional.ofNullable(appendsByValue.get(value.toString()));
        if (append.isEmpty()) {
            report("phantom", entryId, by + " saw " + value + ", which was never appended");
        } else if (append.get().result() == Result.FAILED) {
            report("aborted-read", entryId, by + " saw " + value + ", whose append failed");
        }
        stands(entryId, value);
    }

    /** What is not confirmed may be of an append that failed, but it is what was appended there. */
    private void peeked(long entryId, Value value, String by) {
        if (!appendsByValue.containsKey(value.toString())) {
            report("phantom", entryId, by + " saw " + value + ", which was never appended");
        }
        stands(entryId, value);
    }

    private void stands(long entryId, Value value) {
        String text = value.toString();
        String other = valueByEntry.putIfAbsent(entryId, text);
        if (other != null && !other.equals(text)) {
            report("inconsistent-position", entryId, "is " + other + " and " + text);
        }
        Long otherEntry = entryByValue.putIfAbsent(text, entryId);
        if (otherEntry != null && otherEntry != entryId) {
            report("duplicate", entryId, text + " stands also at " + otherEntry);
        }
    }

    /** What somebody was told or saw must be in the final log. */
    private void compare(FinalLog log) {
        for (Call append : ledger.appends()) {
            Append detail = (Append) append.detail();
            if (append.result() == Result.OK && !holds(log, detail.entryId(), detail.value())) {
                report("lost-write", detail.entryId(), detail.value() + " was acknowledged, " + ends(log));
            }
        }
        for (Call read : ledger.reads()) {
            Read detail = (Read) read.detail();
            for (int i = 0; i < detail.values().size(); i++) {
                compareSeen(log, detail.firstEntryId() + i, detail.values().get(i), read.process());
            }
        }
    }

    private void compareSeen(FinalLog log, long entryId, Value value, String by) {
        if (holds(log, entryId, value)) {
            return;
        }
        report("dirty-read", entryId, by + " saw " + value + ", " + ends(log));
        Optional<Call> append = Optional.ofNullable(appendsByValue.get(value.toString()));
        if (append.isPresent() && append.get().result() == Result.UNKNOWN) {
            report("lost-indefinite", entryId, value + " had an unknown outcome, was seen by " + by + " and is gone");
        }
    }

    private static boolean holds(FinalLog log, long entryId, Value value) {
        return entryId >= 0
                && entryId < log.values().size()
                && log.values().get((int) entryId).equals(value);
    }

    private static String ends(FinalLog log) {
        return "and the final log of " + log.values().size() + " entries does not hold it there";
    }

    private void report(String check, long entryId, String text) {
        violations.add(ledger.violation(check, entryId, text));
    }
}
