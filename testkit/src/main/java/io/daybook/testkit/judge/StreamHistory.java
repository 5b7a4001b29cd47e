// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Created;
import io.daybook.testkit.check.StreamDetail.Delete;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seal;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.StreamDetail.Truncate;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The calls on the streams of one name, by kind, each in the order of invocation, and every position that anybody was told of.
 *
 * <p>Which of them a call was on is not written down: a deletion of unknown outcome may take effect long after its end. What surely is of a stream that was deleted, and what may be, follows
 * from the times of the calls.
 */
final class StreamHistory {
    private final String name;
    private final List<Call> appends = new ArrayList<>();
    private final List<Call> polls = new ArrayList<>();
    private final List<Call> others = new ArrayList<>();
    private final List<FinalStream> finals = new ArrayList<>();
    private final TreeMap<DLSN, Seen> known = new TreeMap<>();
    private final Map<DLSN, Long> knownNanos = new TreeMap<>();
    private final Map<String, Long> appendedNanos = new HashMap<>();
    private List<Span> deletions = List.of();
    private int callsOfDeletions;
    private boolean strict;

    /**
     * A deletion that succeeded or may have.
     *
     * @param isSure whether it succeeded
     * @param untilNanos nothing that was appended from then on is of a stream that it took away
     * @param least the greatest position that it surely took away
     * @param most the greatest one that it may have taken away
     */
    private record Span(long fromNanos, long endedNanos, boolean isSure, long untilNanos, DLSN least, DLSN most) {
        boolean mayHappenBetween(long from, long to) {
            return fromNanos < to && untilNanos > from;
        }
    }

    StreamHistory(String name) {
        this.name = name;
    }

    void add(Call call) {
        StreamDetail detail = (StreamDetail) call.detail();
        if (detail instanceof Appends of) {
            appends.add(call);
            of.records()
                    .forEach(record -> appendedNanos.putIfAbsent(record.value().toString(), call.invokedNanos()));
            if (call.result() == Result.OK) {
                of.records().forEach(record -> know(record, call.endedNanos()));
            }
        } else if (detail instanceof Created created) {
            strict |= created.strict();
        } else if (detail instanceof Truncate || detail instanceof Seal || detail instanceof Delete) {
            others.add(call);
            callsOfDeletions += detail instanceof Delete ? 1 : 0;
        } else if (call.result() == Result.OK) {
            addAnswered(call, detail);
        }
    }

    private void addAnswered(Call call, StreamDetail detail) {
        if (detail instanceof Poll poll) {
            polls.add(call);
            poll.records().forEach(record -> know(record, call.endedNanos()));
        } else if (detail instanceof FinalStream log) {
            finals.add(log);
            log.records().forEach(record -> know(record, call.endedNanos()));
        } else {
            others.add(call);
        }
    }

    private void know(Seen seen, long nanos) {
        if (seen.position() != null) {
            known.putIfAbsent(seen.position(), seen);
            knownNanos.merge(seen.position(), nanos, Math::min);
        }
    }

    boolean isStrict() {
        return strict;
    }

    List<Call> appends() {
        return appends;
    }

    /** Those that were answered. */
    List<Call> polls() {
        return polls;
    }

    /** Those of a kind that were answered; of truncations, seals and deletions all. */
    <T extends StreamDetail> List<Call> ofKind(Class<T> kind) {
        return others.stream().filter(call -> kind.isInstance(call.detail())).toList();
    }

    List<FinalStream> finals() {
        return finals;
    }

    /** The whole stream, when it was read. */
    Optional<FinalStream> finalStream() {
        return finals.stream().findFirst();
    }

    /** Every position that was acknowledged or seen, with what was told first. */
    NavigableMap<DLSN, Seen> known() {
        return known;
    }

    /** The greatest position that a truncation invoked before {@code nanos} may have cut off to. */
    DLSN truncatedAtMost(long nanos) {
        DLSN most = DLSN.BEFORE_ALL;
        for (Call call : ofKind(Truncate.class)) {
            DLSN to = ((Truncate) call.detail()).position();
            if (call.invokedNanos() <= nanos && call.result() != Result.FAILED && to.compareTo(most) > 0) {
                most = to;
            }
        }
        return most;
    }

    /** The position that a truncation acknowledged before {@code nanos} has cut off to. */
    DLSN truncatedAtLeast(long nanos) {
        DLSN least = DLSN.BEFORE_ALL;
        for (Call call : ofKind(Truncate.class)) {
            DLSN to = ((Truncate) call.detail()).position();
            if (call.result() == Result.OK && call.endedNanos() < nanos && to.compareTo(least) > 0) {
                least = to;
            }
        }
        return least;
    }

    /** When somebody was first told of what is at a position. */
    long knownNanos(DLSN position) {
        return knownNanos.getOrDefault(position, Long.MAX_VALUE);
    }

    /** Whether somebody had asked before {@code nanos} that the stream end, and was not told that it does not. */
    boolean mayBeSealed(long nanos) {
        return ofKind(Seal.class).stream()
                .anyMatch(seal -> seal.result() != Result.FAILED && seal.invokedNanos() <= nanos);
    }

    // ---- deletions ----

    /** The deletions, once all calls are there. */
    private List<Span> deletions() {
        if (deletions.isEmpty() && callsOfDeletions > 0) {
            List<Call> calls = ofKind(Delete.class);
            deletions = calls.stream()
                    .filter(call -> call.result() != Result.FAILED)
                    .map(call -> span(call, calls))
                    .toList();
            callsOfDeletions = 0;
        }
        return deletions;
    }

    private Span span(Call call, List<Call> calls) {
        boolean isSure = call.result() == Result.OK;
        boolean mayEnd = call.result() != Result.PENDING;
        long until = isSure
                ? call.endedNanos()
                : calls.stream()
                        .filter(later ->
                                mayEnd && later.result() == Result.OK && later.invokedNanos() > call.endedNanos())
                        .mapToLong(Call::endedNanos)
                        .min()
                        .orElse(Long.MAX_VALUE);
        DLSN least = isSure ? lastWith(knownNanos::get, call.invokedNanos()) : DLSN.BEFORE_ALL;
        DLSN most = lastWith(this::appendedNanos, until);
        return new Span(call.invokedNanos(), call.endedNanos(), isSure, until, least, most);
    }

    private DLSN lastWith(ToLongFunction<DLSN> time, long below) {
        return known.descendingKeySet().stream()
                .filter(position -> time.applyAsLong(position) < below)
                .findFirst()
                .orElse(DLSN.BEFORE_ALL);
    }

    /** When the append of the record there was called. */
    long appendedNanos(DLSN position) {
        Seen record = known.get(position);
        Long called = record == null ? null : appendedNanos.get(record.value().toString());
        return called == null ? knownNanos.getOrDefault(position, Long.MIN_VALUE) : called;
    }

    /** The greatest position that is surely of a stream that was deleted before {@code nanos}. */
    DLSN deletedAtLeast(long nanos) {
        DLSN least = DLSN.BEFORE_ALL;
        for (Span deletion : deletions()) {
            boolean isOver = deletion.isSure() && deletion.endedNanos() < nanos;
            least = isOver && deletion.least().compareTo(least) > 0 ? deletion.least() : least;
        }
        return least;
    }

    /** The greatest position that may be of a stream that was deleted before {@code nanos}. */
    DLSN deletedAtMost(long nanos) {
        DLSN most = DLSN.BEFORE_ALL;
        for (Span deletion : deletions()) {
            boolean hasBegun = deletion.fromNanos() <= nanos;
            most = hasBegun && deletion.most().compareTo(most) > 0 ? deletion.most() : most;
        }
        return most;
    }

    /** The greatest position that may have been truncated or deleted before {@code nanos}, and is not there then; the first that surely is stands above. */
    DLSN goneAtMost(long nanos) {
        DLSN truncated = truncatedAtMost(nanos);
        DLSN deleted = deletedAtMost(nanos);
        DLSN next = deleted.equals(DLSN.BEFORE_ALL)
                ? deleted
                : new DLSN(deleted.segment(), deleted.entry(), deleted.slot() + 1);
        return next.compareTo(truncated) > 0 ? next : truncated;
    }

    /** Whether what was there at {@code from} may have been deleted, and another stream of the name made, before {@code to}. */
    boolean mayBeAnotherBetween(long from, long to) {
        return deletions().stream().anyMatch(deletion -> deletion.mayHappenBetween(from, to));
    }

    /** Whether {@code after} may be of a later stream than {@code before}, which is another position. */
    boolean mayBePartedFrom(DLSN before, DLSN after) {
        return before.segment() < after.segment()
                && mayBeAnotherBetween(appendedNanos(before), knownNanos.getOrDefault(after, Long.MAX_VALUE));
    }

    /** Whether {@code after} is surely of a later stream than {@code before}. */
    boolean isPartedFrom(DLSN before, DLSN after) {
        return deletions().stream()
                .anyMatch(deletion -> deletion.isSure()
                        && deletion.least().compareTo(before) >= 0
                        && appendedNanos(after) > deletion.endedNanos());
    }

    // ---- figures ----

    /** The longest time from the acknowledgement of a record to the first poll that returned it; 0 when no record was polled. */
    long worstStalenessNanos() {
        Map<DLSN, Long> firstSeen = new TreeMap<>();
        for (Call call : polls) {
            for (Seen seen : ((Poll) call.detail()).records()) {
                if (seen.position() != null) {
                    firstSeen.merge(seen.position(), call.endedNanos(), Math::min);
                }
            }
        }
        long worst = 0;
        for (Call call : appends) {
            for (Seen seen : ((Appends) call.detail()).records()) {
                Long at = seen.position() == null ? null : firstSeen.get(seen.position());
                if (at != null && call.result() == Result.OK) {
                    worst = Math.max(worst, at - call.endedNanos());
                }
            }
        }
        return worst;
    }

    Violation violation(String check, DLSN position, String text) {
        return new Violation(check, -1, -1, "stream=" + name + " position=" + position + ' ' + text);
    }
}
