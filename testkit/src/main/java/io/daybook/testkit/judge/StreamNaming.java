// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Created;
import io.daybook.testkit.check.StreamDetail.Delete;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Last;
import io.daybook.testkit.check.StreamDetail.OpenWriter;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Rename;
import io.daybook.testkit.check.StreamDetail.Seal;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.StreamDetail.Translate;
import io.daybook.testkit.check.StreamDetail.Truncate;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.judge.StreamStays.Stay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The streams that were renamed, with the names that each has had one after the other, and those that have had the same names before and after. It tells every call as if its stream had kept
 * its first name, and no other one had ever had that, so that all other checks hold across names, and judges what concerns names themselves: rename-safe, what of delete-safe is told by a
 * name, and of inconsistent-position the positions of a name.
 */
final class StreamNaming {
    private final StreamStays stays;
    private final StreamHandles handles;
    private final Map<String, String> valueAt = new HashMap<>();
    private final Map<String, Long> appendedNanos = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();

    /** Of a history; throws {@link IllegalArgumentException} when it does not tell which call was on which stream. */
    StreamNaming(List<Call> calls) {
        this.stays = new StreamStays(calls);
        this.handles = new StreamHandles(stays, calls);
        violations.addAll(stays.repeated());
        for (Call call : calls) {
            if (call.detail() instanceof Appends appends && stays.isKnown(appends.stream())) {
                appends.records()
                        .forEach(record ->
                                appendedNanos.putIfAbsent(record.value().toString(), call.invokedNanos()));
            }
        }
    }

    /** What was wrong with names in the calls so far. */
    List<Violation> violations() {
        return Collections.unmodifiableList(violations);
    }

    /** The call as it is told of a stream that keeps its first name, and of each of those on which it may have been; none when it is about names alone. */
    List<Call> underFirstName(Call call) {
        StreamDetail detail = (StreamDetail) call.detail();
        if (detail instanceof Rename) {
            return List.of();
        }
        if (detail instanceof Translate translate) {
            checkTranslation(call, translate);
            return List.of();
        }
        if (!stays.isKnown(detail.stream())) {
            return List.of(call);
        }
        if (call.result() == Result.OK) {
            checkPositions(call, detail);
        }
        if (detail instanceof Poll poll && poll.found() == Found.FOREIGN) {
            checkForeign(call, poll);
            return List.of();
        }
        Set<String> streams = handles.streams(call);
        if (streams.size() > 1) {
            return onAny(call, streams);
        }
        return streams.stream()
                .map(stream -> on(stream, call, call.result()))
                .filter(told -> !(told.detail() instanceof Appends appends)
                        || !appends.records().isEmpty())
                .toList();
    }

    /** What was appended or sealed may be in any of them; nothing else that nobody can tell apart tells anything of one. */
    private List<Call> onAny(Call call, Set<String> streams) {
        if (call.detail() instanceof FinalStream) {
            throw new IllegalArgumentException(
                    "which of the streams " + streams + " was read whole is not told: " + call);
        }
        boolean mayHaveChanged = call.detail() instanceof Appends || call.detail() instanceof Seal;
        Result result = call.result() == Result.OK ? Result.UNKNOWN : call.result();
        return mayHaveChanged
                ? streams.stream().map(stream -> on(stream, call, result)).toList()
                : List.of();
    }

    private Call on(String stream, Call call, Result result) {
        return new Call(
                call.process(),
                call.invokedNanos(),
                call.endedNanos(),
                result,
                call.ledgerId(),
                on(stream, (StreamDetail) call.detail()));
    }

    // ---- translation ----

    private StreamDetail on(String stream, StreamDetail detail) {
        String name = detail.stream();
        if (detail instanceof OpenWriter open) {
            return new OpenWriter(stream, open.lastTransactionId());
        } else if (detail instanceof Appends appends) {
            return new Appends(stream, records(stream, name, appends.records()));
        } else if (detail instanceof Poll poll) {
            return new Poll(
                    stream, start(stream, name, poll.start()), records(stream, name, poll.records()), poll.found());
        } else if (detail instanceof Last last) {
            return new Last(stream, position(name, last.position()));
        } else if (detail instanceof Truncate truncate) {
            return new Truncate(stream, position(name, truncate.position()));
        } else if (detail instanceof FinalStream log) {
            return new FinalStream(stream, position(name, log.truncatedTo()), records(stream, name, log.records()));
        } else if (detail instanceof Seal) {
            return new Seal(stream);
        } else if (detail instanceof Delete) {
            return new Delete(stream);
        } else if (detail instanceof Created created) {
            return new Created(stream, created.strict(), created.first());
        }
        return detail;
    }

    /** Without those of another stream, which are wrong by themselves. */
    private List<Seen> records(String stream, String name, List<Seen> records) {
        return records.stream()
                .filter(record -> record.position() == null || isOf(stream, name, record.position()))
                .map(record -> new Seen(
                        record.value(),
                        record.transactionId(),
                        record.position() == null ? null : position(name, record.position())))
                .toList();
    }

    private boolean isOf(String stream, String name, DLSN position) {
        return stays.of(name, position).stream().equals(stream);
    }

    private @Nullable StartPosition start(String stream, String name, @Nullable StartPosition start) {
        DLSN position = StreamHandles.at(start);
        if (!position.equals(DLSN.BEFORE_ALL) && !isOf(stream, name, position)) {
            return null;
        }
        if (start instanceof StartPosition.At at) {
            return StartPosition.at(position(name, at.position()));
        }
        if (start instanceof StartPosition.After after) {
            return StartPosition.after(position(name, after.position()));
        }
        return start;
    }

    private DLSN position(String name, DLSN told) {
        return told.equals(DLSN.BEFORE_ALL)
                ? told
                : new DLSN(Math.max(1, told.segment() - stays.of(name, told).shift()), told.entry(), told.slot());
    }

    // ---- checks ----

    /** S14: what a call was told, or has been taken. */
    private void checkPositions(Call call, StreamDetail detail) {
        if (detail instanceof Appends appends) {
            appends.records().forEach(record -> checkSeen(call, record));
        } else if (detail instanceof FinalStream log) {
            for (Seen record : log.records()) {
                checkSeen(call, record);
                checkTaken(call, StreamHandles.orBeforeAll(record.position()), "is there in the end for ");
            }
        } else if (detail instanceof Poll poll) {
            poll.records().forEach(record -> checkSeen(call, record));
            if (poll.start() != null && poll.found() != Found.FOREIGN) {
                checkTaken(call, StreamHandles.at(poll.start()), "was a place to begin for ");
                poll.records()
                        .forEach(record -> checkTaken(
                                call, StreamHandles.orBeforeAll(record.position()), "was read by a new reader of "));
            }
        } else if (detail instanceof Truncate truncate) {
            checkTaken(call, truncate.position(), "was a place to truncate for ");
        } else if (detail instanceof Last last) {
            checkTaken(call, last.position(), "was told as the last record to ");
        }
    }

    private void checkSeen(Call call, Seen record) {
        String name = ((StreamDetail) call.detail()).stream();
        DLSN position = StreamHandles.orBeforeAll(record.position());
        String value = record.value().toString();
        String other = valueAt.putIfAbsent(name + ' ' + position, value);
        if (other != null && !other.equals(value)) {
            report("inconsistent-position", name, position, "is " + other + " and " + value);
        }
        Stay stay = stays.of(name, position);
        if (!handles.streams(call).contains(stay.stream())) {
            report(
                    kind(stays.stays(name).get(0)),
                    name,
                    position,
                    call.process() + " was told of " + value
                            + " there, and was of another stream that has had the name");
        }
        // Whom nobody could tell of a deletion may have appended until the bookies knew of it.
        if (!stay.isDeleted() && stay.isLeftBefore(appendedNanos.getOrDefault(value, Long.MIN_VALUE))) {
            report(
                    "rename-safe",
                    name,
                    position,
                    call.process() + " was told of " + value
                            + " there, which was appended after the stream had left the name");
        }
        if (stay.begunNanos() > call.endedNanos()) {
            report(
                    "rename-safe",
                    name,
                    position,
                    call.process()
                            + " was told of it, and it is among the numbers that the stream had when it came there again");
        }
    }

    private void checkTaken(Call call, DLSN position, String what) {
        String name = ((StreamDetail) call.detail()).stream();
        if (position.equals(DLSN.BEFORE_ALL)) {
            return;
        }
        Stay stay = stays.of(name, position);
        if (stay.isLeftBefore(call.invokedNanos())) {
            String why =
                    stay.isDeleted() ? " although the stream was deleted" : " although the stream had left the name";
            report(kind(stay), name, position, what + call.process() + why);
        }
    }

    /** A position is foreign where the stream had the name before, and has it again; none can be where none was given. */
    private void checkForeign(Call call, Poll poll) {
        DLSN position = StreamHandles.at(poll.start());
        if (position.equals(DLSN.BEFORE_ALL)) {
            report(
                    "rename-safe",
                    poll.stream(),
                    position,
                    call.process() + " was told that it is foreign, and gave none");
            return;
        }
        List<Stay> all = stays.stays(poll.stream());
        Stay last = all.get(0);
        for (Stay stay : all) {
            last = stay.begunNanos() <= call.endedNanos() ? stay : last;
        }
        if (stays.of(poll.stream(), position) == last && position.segment() >= last.first()) {
            report("rename-safe", poll.stream(), position, call.process() + " was told that it is not of the stream");
        }
    }

    /** A position is told anew as that of the same record under a later name, which the stream may have left again since: a handle tells what was so when it ended. */
    private void checkTranslation(Call call, Translate told) {
        if (call.result() != Result.OK || told.position().equals(DLSN.BEFORE_ALL)) {
            return;
        }
        if (!stays.isKnown(told.stream())
                || !stays.isKnown(told.newName())
                || !isOf(stays.of(told.stream(), told.position()).stream(), told.newName(), told.newPosition())
                || !position(told.stream(), told.position()).equals(position(told.newName(), told.newPosition()))
                || stays.of(told.newName(), told.newPosition()).begunNanos()
                        <= stays.of(told.stream(), told.position()).begunNanos()) {
            report(
                    "rename-safe",
                    told.stream(),
                    told.position(),
                    "was told to " + call.process() + " to be " + told.newPosition() + " of " + told.newName());
        }
    }

    private static String kind(Stay stay) {
        return stay.isDeleted() ? "delete-safe" : "rename-safe";
    }

    private void report(String check, String name, DLSN position, String text) {
        violations.add(new Violation(check, -1, -1, "stream=" + name + " position=" + position + ' ' + text));
    }
}
