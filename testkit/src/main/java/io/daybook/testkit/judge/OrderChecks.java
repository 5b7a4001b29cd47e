// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Append;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.FinalLog;
import io.daybook.testkit.check.Call.Read;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** In which order things happened on one ledger: prefix, reorder-session, gap, back, end-moved, ack-after-fence, deleted-lives. */
final class OrderChecks {
    private final LedgerHistory ledger;
    private final List<Violation> violations = new ArrayList<>();

    OrderChecks(LedgerHistory ledger) {
        this.ledger = ledger;
    }

    List<Violation> run() {
        checkSessions();
        ledger.finalLog().ifPresent(this::checkFinalOrder);
        checkReaders();
        checkEnds();
        checkFences();
        checkDeletions();
        return violations;
    }

    /** Per session: ids rise with the calls, and nothing is acknowledged after the first append that was not. */
    private void checkSessions() {
        Map<String, Call> lastBySession = new TreeMap<>();
        for (Call append : ledger.appends()) {
            Append detail = (Append) append.detail();
            Call last = lastBySession.put(detail.value().session(), append);
            if (last == null || append.result() != Result.OK) {
                continue;
            }
            if (last.result() != Result.OK) {
                report(
                        "prefix",
                        detail.entryId(),
                        detail.value() + " is OK after an append that ended " + last.result());
            } else if (((Append) last.detail()).entryId() >= detail.entryId()) {
                report("reorder-session", detail.entryId(), detail.value() + " stands before the append before it");
            }
        }
    }

    private void checkFinalOrder(FinalLog log) {
        Map<String, Long> lastCounter = new TreeMap<>();
        for (int i = 0; i < log.values().size(); i++) {
            Value value = log.values().get(i);
            Long last = lastCounter.put(value.session(), value.counter());
            if (last != null && last >= value.counter()) {
                report("reorder-session", i, value + " follows number " + last + " of its session");
            } else if (value.counter() != (last == null ? 0 : last + 1)) {
                report("gap", i, value + " follows number " + last + " of its session");
            }
        }
    }

    private void checkReaders() {
        Map<String, Long> confirmedByReader = new TreeMap<>();
        for (Call read : ledger.reads()) {
            Read detail = (Read) read.detail();
            if (!detail.values().isEmpty() && detail.firstEntryId() != detail.wantedEntryId()) {
                String check = detail.firstEntryId() > detail.wantedEntryId() ? "gap" : "back";
                report(check, detail.wantedEntryId(), read.process() + " got " + detail.firstEntryId() + " instead");
            }
            Long before = confirmedByReader.put(read.process(), detail.lastAddConfirmed());
            if (before != null && before > detail.lastAddConfirmed()) {
                report("back", detail.lastAddConfirmed(), read.process() + " knew " + before + " as confirmed before");
            }
            long last = detail.firstEntryId() + detail.values().size() - 1;
            if (!detail.values().isEmpty() && last > detail.lastAddConfirmed()) {
                report("dirty-read", last, read.process() + " saw it and knew " + detail.lastAddConfirmed());
            }
        }
    }

    private void checkEnds() {
        long end = Long.MIN_VALUE;
        String by = "";
        for (Call call : ledger.ends()) {
            long found = ((Closing) call.detail()).lastEntryId();
            if (end != Long.MIN_VALUE && found != end) {
                report("end-moved", found, call.process() + " found this end and " + by + " found " + end);
            }
            end = found;
            by = call.process();
        }
        for (FinalLog log : ledger.finals()) {
            long last = log.values().size() - 1L;
            if (end != Long.MIN_VALUE && last != end) {
                report("end-moved", last, "the final log ends here and " + by + " found " + end);
            }
        }
    }

    /** What was deleted is never found again (L13). */
    private void checkDeletions() {
        for (Call deletion : ledger.deletions()) {
            for (Call end : ledger.ends()) {
                if (end.invokedNanos() > deletion.endedNanos()) {
                    report(
                            "deleted-lives",
                            -1,
                            end.process() + " found it after " + deletion.process() + " had deleted it");
                }
            }
        }
    }

    private void checkFences() {
        ledger.ends().forEach(end -> checkFence(end, "closed"));
        ledger.fences().forEach(fence -> checkFence(fence, "fenced"));
    }

    private void checkFence(Call fence, String done) {
        for (Call append : ledger.appends()) {
            if (append.result() == Result.OK
                    && !append.process().equals(fence.process())
                    && append.invokedNanos() > fence.endedNanos()) {
                Append detail = (Append) append.detail();
                report(
                        "ack-after-fence",
                        detail.entryId(),
                        detail.value() + " was appended after " + fence.process() + " had " + done + " the ledger");
            }
        }
    }

    private void report(String check, long entryId, String text) {
        violations.add(ledger.violation(check, entryId, text));
    }
}
