// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Violation;
import java.util.List;
import java.util.Objects;

/** S10: the first record of a reader that begins at the end of a stream, at a transaction id or at a time, which is told as nanoseconds by the clock of the history. */
final class SeekChecks {
    /** Wall clocks tell milliseconds. */
    private static final long TICK_NANOS = 1_000_000L;

    private final StreamHistory stream;
    private final List<Violation> violations;
    private final Call opening;
    private final StartPosition start;

    /** Of the reader whose first poll {@code opening} is; it was open when that ended. */
    SeekChecks(StreamHistory stream, List<Violation> violations, Call opening) {
        this.stream = stream;
        this.violations = violations;
        this.opening = opening;
        this.start = Objects.requireNonNull(((Poll) opening.detail()).start());
    }

    /** {@code record} is the first that it has read, in a poll that ended at {@code nanos}. */
    void checkFirst(Seen record, long nanos) {
        DLSN position = Objects.requireNonNull(record.position());
        if (start instanceof StartPosition.AtTransactionId seek && record.transactionId() < seek.transactionId()) {
            report("txid", position, "asked for transaction id " + seek.transactionId());
        } else if (start instanceof StartPosition.Latest) {
            checkLatest(position, nanos);
        } else if (start instanceof StartPosition.AtTime seek) {
            checkTime(position, Math.multiplyExact(seek.time().toEpochMilli(), TICK_NANOS), nanos);
        }
    }

    /**
     * Behind everything that was acknowledged before it was opened, and at nothing that was appended after. The bookies need not know yet that the last records are acknowledged: a writer
     * that is cut off cannot tell them. They do know of what was acknowledged before another append began that was acknowledged too, as its entry has told them.
     */
    private void checkLatest(DLSN first, long nanos) {
        long lastToldNanos = Long.MIN_VALUE;
        for (Call call : stream.appends()) {
            if (isAcknowledged(call, opening.invokedNanos())) {
                lastToldNanos = Math.max(lastToldNanos, call.invokedNanos());
            }
        }
        DLSN known = lastAcknowledged(lastToldNanos);
        if (first.compareTo(known) <= 0) {
            report("latest", first, "began there, and " + known + " was acknowledged before");
            return;
        }
        DLSN acknowledged = lastAcknowledged(opening.invokedNanos());
        if (first.compareTo(acknowledged) <= 0) {
            return;
        }
        DLSN gone = stream.goneAtMost(nanos);
        for (DLSN between :
                stream.known().subMap(acknowledged, false, first, false).keySet()) {
            if (between.compareTo(gone) >= 0 && stream.appendedNanos(between) > opening.endedNanos()) {
                report("gap", between, "began at the end, and went on at " + first);
                return;
            }
        }
    }

    private static boolean isAcknowledged(Call call, long beforeNanos) {
        return call.result() == Result.OK && call.endedNanos() < beforeNanos;
    }

    /** The last position that was told before then. */
    private DLSN lastAcknowledged(long beforeNanos) {
        DLSN last = DLSN.BEFORE_ALL;
        for (Call call : stream.appends()) {
            if (isAcknowledged(call, beforeNanos)) {
                for (Seen record : ((Appends) call.detail()).records()) {
                    DLSN position = Objects.requireNonNull(record.position());
                    last = position.compareTo(last) > 0 ? position : last;
                }
            }
        }
        return last;
    }

    /** Not later than the first record of that time, and in the segment of that time. */
    private void checkTime(DLSN first, long timeNanos, long nanos) {
        DLSN gone = stream.goneAtMost(nanos);
        for (DLSN before : stream.known().headMap(first, false).keySet()) {
            if (before.compareTo(gone) >= 0 && stream.appendedNanos(before) >= timeNanos) {
                report("gap", before, "asked for what was appended from " + timeNanos + " on, and began at " + first);
                return;
            }
        }
        DLSN next = stream.known().ceilingKey(new DLSN(first.segment() + 1, 0, 0));
        if (next != null && stream.knownNanos(next) < timeNanos - TICK_NANOS) {
            report("time", first, "asked for what was appended from " + timeNanos + " on, when " + next + " was there");
        }
    }

    private void report(String check, DLSN position, String text) {
        violations.add(stream.violation(check, position, opening.process() + ' ' + text));
    }
}
