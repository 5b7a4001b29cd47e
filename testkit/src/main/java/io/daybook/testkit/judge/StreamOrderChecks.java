// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Last;
import io.daybook.testkit.check.StreamDetail.OpenWriter;
import io.daybook.testkit.check.StreamDetail.Seal;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.StreamDetail.Truncate;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * In which order things happened on one stream: prefix, reorder-session, reorder-realtime, gap, ack-after-fence, seal-safe, of phantom and txid what concerns the last record, and of
 * delete-safe what concerns that and truncations.
 */
final class StreamOrderChecks {
    private final StreamHistory stream;
    private final List<Violation> violations = new ArrayList<>();

    StreamOrderChecks(StreamHistory stream) {
        this.stream = stream;
    }

    List<Violation> run() {
        checkSessions();
        checkRealTime();
        stream.finals().forEach(this::checkNumbers);
        checkFences();
        checkSeal();
        checkLast();
        checkDeleted();
        checkLastIds();
        return violations;
    }

    /** S4: per session positions rise with the calls, and nothing is acknowledged after the first append that was not. */
    private void checkSessions() {
        Map<String, Call> lastBySession = new TreeMap<>();
        for (Call append : stream.appends()) {
            Call last = lastBySession.put(append.process(), append);
            if (last == null || append.result() != Result.OK) {
                continue;
            }
            if (last.result() != Result.OK) {
                report("prefix", first(append), append.process() + " was told OK after a " + last.result());
                lastBySession.put(append.process(), last);
            } else if (last(last).compareTo(first(append)) >= 0) {
                report("reorder-session", first(append), "stands not after the append before it, " + last(last));
            }
        }
    }

    /** S5: what was acknowledged before a call was made stands before what that call appended, whoever made it. */
    private void checkRealTime() {
        PriorityQueue<Call> running = new PriorityQueue<>(Comparator.comparingLong(Call::endedNanos));
        DLSN acknowledged = DLSN.BEFORE_ALL;
        for (Call append : appendsAnswered()) {
            while (!running.isEmpty() && running.element().endedNanos() < append.invokedNanos()) {
                DLSN ended = last(running.remove());
                acknowledged = ended.compareTo(acknowledged) > 0 ? ended : acknowledged;
            }
            if (first(append).compareTo(acknowledged) < 0) {
                report("reorder-realtime", first(append), "was appended after " + acknowledged + " was acknowledged");
            }
            running.add(append);
        }
    }

    private List<Call> appendsAnswered() {
        return stream.appends().stream()
                .filter(append -> append.result() == Result.OK)
                .sorted(Comparator.comparingLong(Call::invokedNanos))
                .toList();
    }

    /** What is there of a session is a beginning of what it appended: nothing between two of its records is missing. */
    private void checkNumbers(FinalStream log) {
        Set<String> failed = new TreeSet<>();
        for (Call append : stream.appends()) {
            if (append.result() == Result.FAILED) {
                ((Appends) append.detail())
                        .records()
                        .forEach(record -> failed.add(
                                key(record.value().session(), record.value().counter())));
            }
        }
        Map<String, Long> lastBySession = new TreeMap<>();
        for (Seen record : log.records()) {
            Value value = record.value();
            Long last = lastBySession.put(value.session(), value.counter());
            boolean begins = last == null && !log.truncatedTo().equals(DLSN.BEFORE_ALL);
            if (last != null && last >= value.counter()) {
                report("reorder-session", at(record), value + " follows number " + last + " of its session");
                continue;
            }
            for (long missing = last == null ? 0 : last + 1; missing < value.counter() && !begins; missing++) {
                if (!failed.contains(key(value.session(), missing))) {
                    report("gap", at(record), value + " is there and number " + missing + " of its session is not");
                    break;
                }
            }
        }
    }

    private static String key(String session, long counter) {
        return session + '/' + counter;
    }

    /** S6: nobody who was opened before another writer is told OK for what he appended after that one was open. */
    private void checkFences() {
        List<Call> opens = new ArrayList<>(stream.ofKind(OpenWriter.class));
        opens.sort(Comparator.comparingLong(Call::invokedNanos));
        TreeMap<Long, Long> earliestEndOfThoseFrom = new TreeMap<>();
        long earliest = Long.MAX_VALUE;
        for (int i = opens.size() - 1; i >= 0; i--) {
            earliest = Math.min(earliest, opens.get(i).endedNanos());
            earliestEndOfThoseFrom.put(opens.get(i).invokedNanos(), earliest);
        }
        Map<String, Long> openedAt = new TreeMap<>();
        opens.forEach(open -> openedAt.put(open.process(), open.endedNanos()));
        for (Call append : stream.appends()) {
            Long opened = openedAt.get(append.process());
            if (append.result() != Result.OK || opened == null) {
                continue;
            }
            Map.Entry<Long, Long> later = earliestEndOfThoseFrom.higherEntry(opened);
            if (later != null && later.getValue() < append.invokedNanos()) {
                report("ack-after-fence", first(append), append.process() + " appended it after it was taken over");
            }
        }
    }

    /** S12. */
    private void checkSeal() {
        for (Call seal : stream.ofKind(Seal.class)) {
            for (Call append : stream.appends()) {
                if (seal.result() == Result.OK
                        && append.result() == Result.OK
                        && append.invokedNanos() > seal.endedNanos()
                        && !stream.mayBeAnotherBetween(seal.invokedNanos(), append.endedNanos())) {
                    report("seal-safe", first(append), "was appended after " + seal.process() + " had sealed");
                }
            }
        }
    }

    /** The last record that is told is one that is there. */
    private void checkLast() {
        DLSN mayBeGone = stream.goneAtMost(Long.MAX_VALUE);
        for (Call question : stream.ofKind(Last.class)) {
            DLSN told = ((Last) question.detail()).position();
            boolean isNone = !told.equals(DLSN.BEFORE_ALL) && !stream.known().containsKey(told);
            boolean isGone = told.compareTo(mayBeGone) < 0
                    || stream.mayBeAnotherBetween(question.invokedNanos(), Long.MAX_VALUE);
            if (isNone && !(isGone && mayBeOfUnknownOutcome(question))) {
                report("phantom", told, "was told as the last record to " + question.process() + ", and is none");
            }
        }
    }

    /** A record whose writer never learned of it may have been truncated, or deleted with its stream, before anybody read it. */
    private boolean mayBeOfUnknownOutcome(Call question) {
        return stream.appends().stream()
                .anyMatch(append -> append.result() != Result.OK
                        && append.result() != Result.FAILED
                        && append.invokedNanos() <= question.endedNanos());
    }

    /** S14: what is of a stream that was deleted is no place in one that was made again. */
    private void checkDeleted() {
        for (Call question : stream.ofKind(Last.class)) {
            checkDeleted(question, ((Last) question.detail()).position(), "was told as the last record to ");
        }
        for (Call truncation : stream.ofKind(Truncate.class)) {
            if (truncation.result() == Result.OK) {
                checkDeleted(truncation, ((Truncate) truncation.detail()).position(), "was a place to truncate for ");
            }
        }
    }

    private void checkDeleted(Call call, DLSN position, String text) {
        DLSN deleted = stream.deletedAtLeast(call.invokedNanos());
        if (!position.equals(DLSN.BEFORE_ALL) && position.compareTo(deleted) <= 0) {
            report("delete-safe", position, text + call.process() + " although all up to " + deleted + " was deleted");
        }
    }

    /** S8: the last transaction id that a writer is told is one that somebody appended. */
    private void checkLastIds() {
        Map<Long, Long> appendedNanos = new HashMap<>();
        for (Call append : stream.appends()) {
            if (append.result() != Result.FAILED) {
                ((Appends) append.detail())
                        .records()
                        .forEach(record ->
                                appendedNanos.merge(record.transactionId(), append.invokedNanos(), Math::min));
            }
        }
        for (Call open : stream.ofKind(OpenWriter.class)) {
            long told = ((OpenWriter) open.detail()).lastTransactionId();
            if (told >= 0 && appendedNanos.getOrDefault(told, Long.MAX_VALUE) > open.endedNanos()) {
                report(
                        "txid",
                        DLSN.BEFORE_ALL,
                        open.process() + " was told of " + told + " as the last transaction id");
            }
        }
    }

    private static DLSN first(Call append) {
        return at(((Appends) append.detail()).records().get(0));
    }

    private static DLSN last(Call append) {
        List<Seen> records = ((Appends) append.detail()).records();
        return at(records.get(records.size() - 1));
    }

    private static DLSN at(Seen record) {
        return record.position() == null ? DLSN.BEFORE_ALL : record.position();
    }

    private void report(String check, DLSN position, String text) {
        violations.add(stream.violation(check, position, text));
    }
}
