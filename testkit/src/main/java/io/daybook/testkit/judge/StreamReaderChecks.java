// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What each reader of one stream was given: gap, back, and of txid, truncate-safe, delete-safe and seal-safe what a reader notices. */
final class StreamReaderChecks {
    private final StreamHistory stream;
    private final List<Violation> violations = new ArrayList<>();

    /** How far a reader is. */
    private static final class Progress {
        private final long openedNanos;
        /** The greatest position that it need not return any more; null while that is not known. */
        private @Nullable DLSN passed;

        private boolean hasRead;
        /** What its first record must be; null when that follows from a position. */
        private @Nullable SeekChecks seek;

        private Progress(long openedNanos) {
            this.openedNanos = openedNanos;
        }
    }

    StreamReaderChecks(StreamHistory stream) {
        this.stream = stream;
    }

    List<Violation> run() {
        Map<String, Progress> readers = new TreeMap<>();
        for (Call call : stream.polls()) {
            Poll poll = (Poll) call.detail();
            if (poll.start() != null) {
                readers.put(call.process(), begin(call, poll.start()));
            }
            Progress progress = readers.computeIfAbsent(call.process(), unknown -> new Progress(call.invokedNanos()));
            for (Seen record : poll.records()) {
                advance(progress, call, record);
            }
            checkEnd(progress, call, poll.found());
            checkGiven(call, poll);
        }
        return violations;
    }

    /** Where no position was given none can be foreign. */
    private void checkGiven(Call call, Poll poll) {
        boolean isGiven = poll.start() instanceof StartPosition.At || poll.start() instanceof StartPosition.After;
        if (poll.found() == Found.FOREIGN && !isGiven) {
            report(
                    "delete-safe",
                    DLSN.BEFORE_ALL,
                    call.process() + " was told that a position is foreign, and gave none");
        }
    }

    private Progress begin(Call call, StartPosition start) {
        Progress progress = new Progress(call.invokedNanos());
        checkOwn(call, start);
        DLSN truncated = stream.truncatedAtLeast(call.invokedNanos());
        for (Seen record : ((Poll) call.detail()).records()) {
            if (at(record).compareTo(truncated) < 0) {
                report("truncate-safe", at(record), call.process() + " began after a truncation to " + truncated);
            }
        }
        if (start instanceof StartPosition.Earliest) {
            progress.passed = DLSN.BEFORE_ALL;
        } else if (start instanceof StartPosition.After after) {
            progress.passed = after.position();
        } else if (start instanceof StartPosition.At at) {
            progress.passed = lower(at.position());
        } else if (start instanceof StartPosition.AtTransactionId seek) {
            progress.passed = before(seek.transactionId());
            progress.seek = new SeekChecks(stream, violations, call);
        } else if (start instanceof StartPosition.Latest || start instanceof StartPosition.AtTime) {
            progress.seek = new SeekChecks(stream, violations, call);
        }
        return progress;
    }

    /** S14: a position is taken by the stream that it is of, and by no other of that name; a new reader sees nothing that was deleted. */
    private void checkOwn(Call call, StartPosition start) {
        DLSN deleted = stream.deletedAtLeast(call.invokedNanos());
        Poll poll = (Poll) call.detail();
        for (Seen record : poll.records()) {
            if (at(record).compareTo(deleted) <= 0) {
                report("delete-safe", at(record), call.process() + " began after a deletion of all up to " + deleted);
            }
        }
        DLSN from = DLSN.BEFORE_ALL;
        if (start instanceof StartPosition.After after) {
            from = after.position();
        } else if (start instanceof StartPosition.At at) {
            from = at.position();
        }
        if (from.equals(DLSN.BEFORE_ALL)) {
            return;
        }
        boolean isForeign = poll.found() == Found.FOREIGN;
        if (!isForeign && from.compareTo(deleted) <= 0) {
            report("delete-safe", from, call.process() + " began there although all up to " + deleted + " was deleted");
        }
        DLSN record = stream.known().floorKey(from);
        DLSN mayBeDeleted = stream.deletedAtMost(call.endedNanos());
        if (isForeign && record != null && record.compareTo(mayBeDeleted) > 0) {
            report("delete-safe", from, call.process() + " was told that its stream was deleted, and it was not");
        }
    }

    private DLSN lower(DLSN position) {
        DLSN lower = stream.known().lowerKey(position);
        return lower == null ? DLSN.BEFORE_ALL : lower;
    }

    /** The last position that is known to have a transaction id below {@code transactionId}. */
    private DLSN before(long transactionId) {
        DLSN before = DLSN.BEFORE_ALL;
        for (Map.Entry<DLSN, Seen> record : stream.known().entrySet()) {
            if (record.getValue().transactionId() >= transactionId) {
                return before;
            }
            before = record.getKey();
        }
        return before;
    }

    /** S2, S10, S13: the next record is the successor of the one before it among all that anybody knows. */
    private void advance(Progress progress, Call call, Seen record) {
        DLSN position = at(record);
        DLSN passed = progress.passed;
        if (progress.seek != null && !progress.hasRead) {
            progress.seek.checkFirst(record, call.endedNanos());
        }
        if (passed != null) {
            if (position.compareTo(passed) <= 0 && !passed.equals(DLSN.BEFORE_ALL)) {
                report("back", position, call.process() + " was beyond it, at " + passed);
                return;
            }
            if (progress.hasRead && stream.isPartedFrom(passed, position)) {
                report("delete-safe", position, call.process() + " read it after " + passed + ", which was deleted");
            }
            DLSN expected = stream.known().higherKey(passed);
            // Who has read a record of a stream goes on in that one.
            DLSN truncated =
                    progress.hasRead ? stream.truncatedAtMost(call.endedNanos()) : stream.goneAtMost(call.endedNanos());
            if (expected != null && expected.compareTo(position) < 0 && expected.compareTo(truncated) < 0) {
                expected = stream.known().ceilingKey(truncated);
            }
            if (expected != null && expected.compareTo(position) < 0) {
                report("gap", expected, call.process() + " went from " + passed + " to " + position);
            }
        }
        progress.passed = position;
        progress.hasRead = true;
    }

    private void checkEnd(Progress progress, Call call, Found found) {
        DLSN passed = progress.passed;
        if (found == Found.TRUNCATED
                && passed != null
                && stream.truncatedAtMost(call.endedNanos()).compareTo(passed) <= 0) {
            report("truncate-safe", passed, call.process() + " was told that what follows is truncated, and it is not");
        }
        if (found == Found.ENDED) {
            DLSN next = passed == null ? null : following(progress, passed, call);
            if (!stream.mayBeSealed(call.endedNanos())) {
                report("seal-safe", DLSN.BEFORE_ALL, call.process() + " was told of an end, and nobody sealed");
            } else if (next != null && next.compareTo(stream.truncatedAtMost(call.endedNanos())) >= 0) {
                report("seal-safe", next, call.process() + " was told of the end at " + passed);
            }
        }
    }

    /** What follows in the same stream, as far as can be told. */
    private @Nullable DLSN following(Progress progress, DLSN passed, Call call) {
        DLSN next = stream.known().higherKey(passed);
        if (progress.hasRead) {
            return next == null || stream.mayBePartedFrom(passed, next) ? null : next;
        }
        DLSN gone = stream.goneAtMost(call.endedNanos());
        next = next != null && next.compareTo(gone) < 0 ? stream.known().ceilingKey(gone) : next;
        return stream.mayBeAnotherBetween(progress.openedNanos, Long.MAX_VALUE) ? null : next;
    }

    private static DLSN at(Seen record) {
        return record.position() == null ? DLSN.BEFORE_ALL : record.position();
    }

    private void report(String check, DLSN position, String text) {
        violations.add(stream.violation(check, position, text));
    }
}
