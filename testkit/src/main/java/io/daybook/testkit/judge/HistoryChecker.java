// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Copies;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Judges a whole history by every check of docs/INVARIANTS.md. Linear in the number of calls and entries, but for sorting. */
public final class HistoryChecker {
    private final History history;
    private final List<Violation> violations;

    private HistoryChecker(History history) {
        this.history = history;
        this.violations = new ArrayList<>(history.violations());
    }

    /** Everything that is wrong, in no particular order; nothing when the history is good. */
    public static List<Violation> check(History history) {
        HistoryChecker checker = new HistoryChecker(history);
        checker.checkCompletion();
        checker.checkCopies();
        Map<Long, LedgerHistory> ledgers = new TreeMap<>();
        Map<String, List<Call>> streams = new TreeMap<>();
        StreamNaming naming = new StreamNaming(history.calls());
        for (Call call : history.calls()) {
            if (call.detail() instanceof StreamDetail) {
                for (Call told : naming.underFirstName(call)) {
                    streams.computeIfAbsent(((StreamDetail) told.detail()).stream(), name -> new ArrayList<>())
                            .add(told);
                }
            } else if (call.ledgerId() >= 0) {
                ledgers.computeIfAbsent(call.ledgerId(), LedgerHistory::new).add(call);
            }
        }
        for (LedgerHistory ledger : ledgers.values()) {
            checker.violations.addAll(new ContentChecks(ledger).run());
            checker.violations.addAll(new OrderChecks(ledger).run());
        }
        checker.violations.addAll(naming.violations());
        streams.forEach(checker::checkStream);
        return checker.violations;
    }

    /** What is known of a stream while it is judged takes many times the memory of its calls: it is let go before the next. */
    private void checkStream(String name, List<Call> calls) {
        StreamHistory stream = new StreamHistory(name);
        calls.forEach(stream::add);
        violations.addAll(new StreamContentChecks(stream).run());
        violations.addAll(new StreamOrderChecks(stream).run());
        violations.addAll(new StreamReaderChecks(stream).run());
    }

    /** A figure, not a check: the longest time in nanoseconds from the acknowledgement of a stream's record to the first poll that returned it. */
    public static long worstStalenessNanos(History history, String streamName) {
        StreamHistory stream = new StreamHistory(streamName);
        for (Call call : history.calls()) {
            if (call.detail() instanceof StreamDetail detail && detail.stream().equals(streamName)) {
                stream.add(call);
            }
        }
        return stream.worstStalenessNanos();
    }

    private void checkCompletion() {
        List<Call> calls = history.calls();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            if (call.result() == Result.PENDING) {
                violations.add(new Violation(
                        "call-completion",
                        call.ledgerId(),
                        -1,
                        "call " + i + " of " + call.process() + " never ended: " + call.detail()));
            }
        }
    }

    private void checkCopies() {
        for (Call call : history.calls()) {
            if (call.detail() instanceof Copies copies && copies.found() < copies.needed()) {
                violations.add(new Violation(
                        "under-replicated",
                        call.ledgerId(),
                        copies.entryId(),
                        "has " + copies.found() + " sound copies of " + copies.needed() + " needed, as "
                                + call.process() + " found"));
            }
        }
    }
}
