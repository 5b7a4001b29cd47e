// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Append;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.Deletion;
import io.daybook.testkit.check.Call.Fencing;
import io.daybook.testkit.check.Call.FinalLog;
import io.daybook.testkit.check.Call.Peek;
import io.daybook.testkit.check.Call.Read;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The calls on one ledger, by kind, each in the order of invocation. */
final class LedgerHistory {
    private final long ledgerId;
    private final List<Call> appends = new ArrayList<>();
    private final List<Call> reads = new ArrayList<>();
    private final List<Call> peeks = new ArrayList<>();
    private final List<Call> deletions = new ArrayList<>();
    private final List<Call> ends = new ArrayList<>();
    private final List<Call> fences = new ArrayList<>();
    private final List<FinalLog> finals = new ArrayList<>();

    LedgerHistory(long ledgerId) {
        this.ledgerId = ledgerId;
    }

    void add(Call call) {
        if (call.detail() instanceof Append) {
            appends.add(call);
        } else if (call.detail() instanceof Read && call.result() == Result.OK) {
            reads.add(call);
        } else if (call.detail() instanceof Peek && call.result() == Result.OK) {
            peeks.add(call);
        } else if (call.detail() instanceof Deletion && call.result() == Result.OK) {
            deletions.add(call);
        } else if (call.detail() instanceof Closing && call.result() == Result.OK) {
            ends.add(call);
        } else if (call.detail() instanceof Fencing && call.result() == Result.OK) {
            fences.add(call);
        } else if (call.detail() instanceof FinalLog log && call.result() == Result.OK) {
            finals.add(log);
        }
    }

    long ledgerId() {
        return ledgerId;
    }

    List<Call> appends() {
        return appends;
    }

    /** Those that returned something, or found out that nothing is there. */
    List<Call> reads() {
        return reads;
    }

    /** Looks beyond what was confirmed. */
    List<Call> peeks() {
        return peeks;
    }

    /** Deletions that succeeded. */
    List<Call> deletions() {
        return deletions;
    }

    /** Recoveries and closes that succeeded. */
    List<Call> ends() {
        return ends;
    }

    /** Fences that succeeded without deciding an end. */
    List<Call> fences() {
        return fences;
    }

    /** All whole reads of the closed ledger. */
    List<FinalLog> finals() {
        return finals;
    }

    /** The whole ledger, when it was read. */
    Optional<FinalLog> finalLog() {
        return finals.stream().findFirst();
    }

    Violation violation(String check, long entryId, String text) {
        return new Violation(check, ledgerId, entryId, text);
    }
}
