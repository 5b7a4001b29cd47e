// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.check;

import io.daybook.testkit.check.Call.Detail;
import io.daybook.testkit.check.Call.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Every call of a run, in the order of invocation. A call gets a number when it begins and is ended by it. */
public final class History {
    private final List<Call> calls = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();

    /** An empty one. */
    public History() {}

    /** The calls so far. */
    public List<Call> calls() {
        return Collections.unmodifiableList(calls);
    }

    /** What was wrong with the recording itself: calls that ended twice. */
    public List<Violation> violations() {
        return Collections.unmodifiableList(violations);
    }

    /** A call begins; returns its number. */
    public int begin(String process, long nanos, long ledgerId, Detail detail) {
        calls.add(new Call(process, nanos, nanos, Result.PENDING, ledgerId, detail));
        return calls.size() - 1;
    }

    /** A call ends. {@code detail} replaces the one it began with. */
    public void end(int number, long nanos, Result result, Detail detail) {
        Call begun = calls.get(number);
        if (begun.result() != Result.PENDING) {
            violations.add(new Violation(
                    "call-completion",
                    begun.ledgerId(),
                    -1,
                    "call " + number + " of " + begun.process() + " ended " + begun.result() + " and then " + result));
            return;
        }
        calls.set(number, new Call(begun.process(), begun.invokedNanos(), nanos, result, begun.ledgerId(), detail));
    }

    /** A call ends with the detail that it began with. */
    public void end(int number, long nanos, Result result) {
        end(number, nanos, result, calls.get(number).detail());
    }

    /** Whatever {@code process} had under way will never be heard of: its outcome is unknown. */
    public void crashed(String process, long nanos) {
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            if (call.result() == Result.PENDING && isOf(call, process)) {
                end(i, nanos, Result.UNKNOWN);
            }
        }
    }

    private static boolean isOf(Call call, String process) {
        return call.process().equals(process) || call.process().startsWith(process + '.');
    }

    /** Whether anybody has begun to recover a ledger. */
    public boolean hasRecovery(long ledgerId) {
        return calls.stream()
                .anyMatch(call -> call.ledgerId() == ledgerId
                        && call.detail() instanceof Call.Closing closing
                        && closing.isRecovery());
    }

    /** Whether anybody has begun to fence a ledger without recovering it. */
    public boolean hasFencing(long ledgerId) {
        return calls.stream().anyMatch(call -> call.ledgerId() == ledgerId && call.detail() instanceof Call.Fencing);
    }

    /** Adds a call that has ended. */
    public void add(Call call) {
        calls.add(call);
    }
}
