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
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The streams that were renamed, with the names that each has had one after the other. It tells every call as if its stream had kept its first name, so that all other checks
 * hold across names, and judges what concerns names themselves: rename-safe, and of inconsistent-position the positions of a name.
 */
final class StreamNaming {
    private final Map<String, List<Stay>> staysByName = new TreeMap<>();
    private final Map<String, String> valueAt = new HashMap<>();
    private final Map<String, Long> appendedNanos = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();

    /** The time for which a stream had a name. */
    private static final class Stay {
        private final String firstName;
        /** By how much numbers under this name are above those under the first one. */
        private final long shift;

        private final long first;
        private final long begunNanos;
        private long leftNanos = Long.MAX_VALUE;

        private Stay(String firstName, long shift, long first, long begunNanos) {
            this.firstName = firstName;
            this.shift = shift;
            this.first = first;
            this.begunNanos = begunNanos;
        }

        private boolean isLeftBefore(long nanos) {
            return leftNanos < nanos;
        }
    }

    /** Of a history; throws {@link IllegalArgumentException} when a name was of two streams, or a stream that was renamed was deleted too: which call was on which cannot be told. */
    StreamNaming(List<Call> calls) {
        calls.stream()
                .filter(call -> call.result() == Result.OK && call.detail() instanceof Rename)
                .sorted(Comparator.comparingLong(Call::endedNanos))
                .forEach(this::renamed);
        for (Call call : calls) {
            if (call.detail() instanceof Appends appends && staysByName.containsKey(appends.stream())) {
                appends.records()
                        .forEach(record ->
                                appendedNanos.putIfAbsent(record.value().toString(), call.invokedNanos()));
            }
        }
    }

    private void renamed(Call call) {
        Rename rename = (Rename) call.detail();
        List<Stay> before = staysByName.computeIfAbsent(rename.stream(), name -> {
            List<Stay> stays = new ArrayList<>();
            stays.add(new Stay(name, 0, rename.first() - rename.shift(), Long.MIN_VALUE));
            return stays;
        });
        Stay left = before.get(before.size() - 1);
        if (left.leftNanos != Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "stream " + rename.stream() + " is renamed although it had that name no more: " + call);
        }
        left.leftNanos = call.endedNanos();
        List<Stay> there = staysByName.computeIfAbsent(rename.newName(), name -> new ArrayList<>());
        if (!there.isEmpty() && !there.get(0).firstName.equals(left.firstName)) {
            throw new IllegalArgumentException("two streams have had the name " + rename.newName() + ": " + call);
        }
        there.add(new Stay(left.firstName, left.shift + rename.shift(), rename.first(), call.invokedNanos()));
    }

    /** What was wrong with names in the calls so far. */
    List<Violation> violations() {
        return Collections.unmodifiableList(violations);
    }

    /** The call as it is told of a stream that keeps its first name; empty when it is about names alone. */
    Optional<Call> underFirstName(Call call) {
        StreamDetail detail = (StreamDetail) call.detail();
        if (detail instanceof Rename) {
            return Optional.empty();
        }
        if (detail instanceof Translate translate) {
            checkTranslation(call, translate);
            return Optional.empty();
        }
        if (!staysByName.containsKey(detail.stream())) {
            return Optional.of(call);
        }
        if (detail instanceof Delete) {
            throw new IllegalArgumentException("stream " + detail.stream() + " was renamed and deleted: " + call);
        }
        if (call.result() == Result.OK) {
            checkPositions(call, detail);
        }
        if (detail instanceof Poll poll && poll.found() == Found.FOREIGN) {
            checkForeign(call, poll);
            return Optional.empty();
        }
        return Optional.of(new Call(
                call.process(),
                call.invokedNanos(),
                call.endedNanos(),
                call.result(),
                call.ledgerId(),
                underFirstName(detail)));
    }

    // ---- translation ----

    private StreamDetail underFirstName(StreamDetail detail) {
        String name = detail.stream();
        String first = stays(name).get(0).firstName;
        if (detail instanceof OpenWriter open) {
            return new OpenWriter(first, open.lastTransactionId());
        } else if (detail instanceof Appends appends) {
            return new Appends(first, records(name, appends.records()));
        } else if (detail instanceof Poll poll) {
            return new Poll(first, start(name, poll.start()), records(name, poll.records()), poll.found());
        } else if (detail instanceof Last last) {
            return new Last(first, position(name, last.position()));
        } else if (detail instanceof Truncate truncate) {
            return new Truncate(first, position(name, truncate.position()));
        } else if (detail instanceof FinalStream log) {
            return new FinalStream(first, position(name, log.truncatedTo()), records(name, log.records()));
        } else if (detail instanceof Seal) {
            return new Seal(first);
        } else if (detail instanceof Created created) {
            return new Created(first, created.strict());
        }
        return detail;
    }

    private List<Seen> records(String name, List<Seen> records) {
        return records.stream()
                .map(record -> new Seen(
                        record.value(),
                        record.transactionId(),
                        record.position() == null ? null : position(name, record.position())))
                .toList();
    }

    private @Nullable StartPosition start(String name, @Nullable StartPosition start) {
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
                : new DLSN(Math.max(1, told.segment() - stayOf(name, told).shift), told.entry(), told.slot());
    }

    /** In which it had a name, one after the other. */
    private List<Stay> stays(String name) {
        return staysByName.getOrDefault(name, List.of());
    }

    /** Numbers of a name rise from stay to stay. */
    private Stay stayOf(String name, DLSN position) {
        List<Stay> stays = stays(name);
        Stay found = stays.get(0);
        for (Stay stay : stays) {
            found = position.segment() >= stay.first ? stay : found;
        }
        return found;
    }

    // ---- checks ----

    /** S14: what a call was told, or has been taken. */
    private void checkPositions(Call call, StreamDetail detail) {
        if (detail instanceof Appends appends) {
            appends.records().forEach(record -> checkSeen(call, record));
        } else if (detail instanceof FinalStream log) {
            log.records().forEach(record -> checkSeen(call, record));
        } else if (detail instanceof Poll poll) {
            poll.records().forEach(record -> checkSeen(call, record));
            if (poll.start() != null && poll.found() != Found.FOREIGN) {
                checkTaken(call, at(poll.start()), "was a place to begin for ");
                poll.records()
                        .forEach(record ->
                                checkTaken(call, orBeforeAll(record.position()), "was read by a new reader of "));
            }
        } else if (detail instanceof Truncate truncate) {
            checkTaken(call, truncate.position(), "was a place to truncate for ");
        } else if (detail instanceof Last last) {
            checkTaken(call, last.position(), "was told as the last record to ");
        }
    }

    private void checkSeen(Call call, Seen record) {
        String name = ((StreamDetail) call.detail()).stream();
        DLSN position = orBeforeAll(record.position());
        String value = record.value().toString();
        String other = valueAt.putIfAbsent(name + ' ' + position, value);
        if (other != null && !other.equals(value)) {
            report("inconsistent-position", name, position, "is " + other + " and " + value);
        }
        Stay stay = stayOf(name, position);
        if (stay.isLeftBefore(appendedNanos.getOrDefault(value, Long.MIN_VALUE))) {
            report(
                    "rename-safe",
                    name,
                    position,
                    call.process() + " was told of " + value
                            + " there, which was appended after the stream had left the name");
        }
        if (stay.begunNanos > call.endedNanos()) {
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
        if (!position.equals(DLSN.BEFORE_ALL) && stayOf(name, position).isLeftBefore(call.invokedNanos())) {
            report("rename-safe", name, position, what + call.process() + " although the stream had left the name");
        }
    }

    /** A position is foreign where the stream had the name before, and has it again; none can be where none was given. */
    private void checkForeign(Call call, Poll poll) {
        DLSN position = at(poll.start());
        if (position.equals(DLSN.BEFORE_ALL)) {
            report(
                    "rename-safe",
                    poll.stream(),
                    position,
                    call.process() + " was told that it is foreign, and gave none");
            return;
        }
        List<Stay> stays = stays(poll.stream());
        Stay last = stays.get(0);
        for (Stay stay : stays) {
            last = stay.begunNanos <= call.endedNanos() ? stay : last;
        }
        if (stayOf(poll.stream(), position) == last && position.segment() >= last.first) {
            report("rename-safe", poll.stream(), position, call.process() + " was told that it is not of the stream");
        }
    }

    /** A position is told anew as that of the same record under a later name, which the stream may have left again since: a handle tells what was so when it ended. */
    private void checkTranslation(Call call, Translate told) {
        if (call.result() != Result.OK || told.position().equals(DLSN.BEFORE_ALL)) {
            return;
        }
        boolean isMade = staysByName.containsKey(told.stream()) && staysByName.containsKey(told.newName());
        if (!isMade
                || !position(told.stream(), told.position()).equals(position(told.newName(), told.newPosition()))
                || stayOf(told.newName(), told.newPosition()).begunNanos
                        <= stayOf(told.stream(), told.position()).begunNanos) {
            report(
                    "rename-safe",
                    told.stream(),
                    told.position(),
                    "was told to " + call.process() + " to be " + told.newPosition() + " of " + told.newName());
        }
    }

    private static DLSN at(@Nullable StartPosition start) {
        if (start instanceof StartPosition.At at) {
            return at.position();
        }
        return start instanceof StartPosition.After after ? after.position() : DLSN.BEFORE_ALL;
    }

    private static DLSN orBeforeAll(@Nullable DLSN position) {
        return position == null ? DLSN.BEFORE_ALL : position;
    }

    private void report(String check, String name, DLSN position, String text) {
        violations.add(new Violation(check, -1, -1, "stream=" + name + " position=" + position + ' ' + text));
    }
}
