// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Created;
import io.daybook.testkit.check.StreamDetail.Delete;
import io.daybook.testkit.check.StreamDetail.Rename;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which stream has had which name, and when: what the renames, deletions and creations of a history say of the names that renames are about. Each stream has a name of its own here: the first
 * that it has had, with a number where another one has had that before.
 */
final class StreamStays {
    private final Map<String, List<Stay>> staysByName = new TreeMap<>();
    /** By the names: when the last rename or creation was over, and when the last deletion was. */
    private final Map<String, Long> changedNanos = new HashMap<>();

    private final Map<String, Long> deletedNanos = new HashMap<>();
    private final Map<String, Integer> streamsByFirstName = new HashMap<>();
    private final List<Violation> repeated = new ArrayList<>();

    /** The time for which a stream had a name. */
    static final class Stay {
        private final String stream;
        private final long shift;
        private final long first;
        private final long begunNanos;
        private long leftNanos = Long.MAX_VALUE;
        private boolean isDeleted;

        private Stay(String stream, long shift, long first, long begunNanos) {
            this.stream = stream;
            this.shift = shift;
            this.first = first;
            this.begunNanos = begunNanos;
        }

        /** Which stream it was. */
        String stream() {
            return stream;
        }

        /** By how much numbers under this name are above those under the first one. */
        long shift() {
            return shift;
        }

        /** The number of the first segment that the stream has ever had, under this name. */
        long first() {
            return first;
        }

        /** The earliest moment at which it may have begun. */
        long begunNanos() {
            return begunNanos;
        }

        /** Whether it was over then. */
        boolean isLeftBefore(long nanos) {
            return leftNanos < nanos;
        }

        /** Whether it ended with the stream. */
        boolean isDeleted() {
            return isDeleted;
        }

        private boolean isThereBetween(long from, long to) {
            return begunNanos <= to && leftNanos >= from;
        }
    }

    /** Of a history; throws {@link IllegalArgumentException} when it does not tell which call was on which stream. */
    StreamStays(List<Call> calls) {
        Set<String> names = new TreeSet<>();
        for (Call call : calls) {
            if (call.result() == Result.OK && call.detail() instanceof Rename rename) {
                names.addAll(List.of(rename.stream(), rename.newName()));
            }
        }
        calls.stream()
                .filter(call -> call.detail() instanceof StreamDetail detail && names.contains(detail.stream()))
                .filter(StreamStays::isOfNames)
                .sorted(Comparator.comparingLong(Call::endedNanos))
                .forEach(this::add);
    }

    private static boolean isOfNames(Call call) {
        return call.detail() instanceof Delete
                ? call.result() != Result.FAILED
                : call.result() == Result.OK && (call.detail() instanceof Rename || call.detail() instanceof Created);
    }

    private void add(Call call) {
        if (call.detail() instanceof Rename rename) {
            renamed(call, rename);
        } else if (call.detail() instanceof Created created) {
            created(call, created);
        } else if (call.detail() instanceof Delete delete) {
            deleted(call, delete.stream());
        }
    }

    // ---- what happens to names ----

    private void renamed(Call call, Rename rename) {
        if (stays(rename.stream()).isEmpty()) {
            begin(
                    rename.stream(),
                    new Stay(fresh(rename.stream()), 0, rename.first() - rename.shift(), Long.MIN_VALUE));
        }
        Stay left = last(rename.stream());
        if (left.leftNanos != Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "stream " + rename.stream() + " is renamed although it had that name no more: " + call);
        }
        left.leftNanos = call.endedNanos();
        requireAfter(deletedNanos, rename.stream(), call);
        requireAfter(deletedNanos, rename.newName(), call);
        requireApart(rename.newName(), left.stream, rename.first(), call);
        begin(
                rename.newName(),
                new Stay(left.stream, left.shift + rename.shift(), rename.first(), call.invokedNanos()));
        changedNanos.put(rename.stream(), call.endedNanos());
        changedNanos.put(rename.newName(), call.endedNanos());
    }

    private void created(Call call, Created created) {
        String name = created.stream();
        boolean isThere = !stays(name).isEmpty() && last(name).leftNanos == Long.MAX_VALUE;
        // Who opened one that was there may tell so too.
        if (isThere ? created.first() == 0 || created.first() == last(name).first : mayBeTheFirst(created)) {
            return;
        }
        if (created.first() == 0) {
            throw new IllegalArgumentException("another stream had the name " + name
                    + " before: the number of the first segment is needed: " + call);
        }
        requireAfter(deletedNanos, name, call);
        requireApart(name, "", created.first(), call);
        begin(name, new Stay(fresh(name), 0, created.first(), call.invokedNanos()));
        changedNanos.put(name, call.endedNanos());
    }

    private boolean mayBeTheFirst(Created created) {
        return created.first() == 0 && stays(created.stream()).isEmpty();
    }

    private void deleted(Call call, String name) {
        if (call.result() != Result.OK) {
            throw new IllegalArgumentException("stream " + name
                    + " was renamed and deleted, and whether this deletion was made is not known: leave it out when it was not: "
                    + call);
        }
        requireAfter(changedNanos, name, call);
        if (stays(name).isEmpty()) {
            begin(name, new Stay(fresh(name), 0, 1, Long.MIN_VALUE));
        }
        Stay stay = last(name);
        if (stay.leftNanos == Long.MAX_VALUE) {
            stay.leftNanos = call.endedNanos();
            stay.isDeleted = true;
        }
        deletedNanos.put(name, call.endedNanos());
    }

    private void begin(String name, Stay stay) {
        staysByName.computeIfAbsent(name, unknown -> new ArrayList<>()).add(stay);
    }

    private Stay last(String name) {
        List<Stay> stays = stays(name);
        return stays.get(stays.size() - 1);
    }

    private String fresh(String name) {
        int number = streamsByFirstName.merge(name, 1, Integer::sum);
        return number == 1 ? name : name + '#' + number;
    }

    /** What happened to a name at the same time as a deletion of it may have come before or after. */
    private static void requireAfter(Map<String, Long> nanos, String name, Call call) {
        if (nanos.getOrDefault(name, Long.MIN_VALUE) > call.invokedNanos()) {
            throw new IllegalArgumentException("stream " + name
                    + " was deleted while it was made or renamed, so that nobody can tell which stream that was about: "
                    + call);
        }
    }

    /** Streams have a name one after the other, and are told apart by their numbers (S14). */
    private void requireApart(String name, String stream, long first, Call call) {
        if (stays(name).isEmpty() || last(name).stream.equals(stream)) {
            return;
        }
        Stay before = last(name);
        if (before.leftNanos == Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "two streams have the name " + name + ", and nothing tells them apart: " + call);
        }
        if (before.first >= first) {
            String text = "numbers begin at " + first + " for " + call + ", and began at " + before.first + " before";
            repeated.add(new Violation(
                    before.isDeleted ? "delete-safe" : "rename-safe", -1, -1, "stream=" + name + ' ' + text));
        }
    }

    // ---- what was where ----

    /** Where the numbers of a name did not rise from one stream to the next. */
    List<Violation> repeated() {
        return repeated;
    }

    /** Whether some stream got this name, or left it for another. */
    boolean isKnown(String name) {
        return staysByName.containsKey(name);
    }

    /** In which a stream had a name, one after the other. */
    List<Stay> stays(String name) {
        return staysByName.getOrDefault(name, List.of());
    }

    /** Numbers of a name rise from stay to stay. */
    Stay of(String name, DLSN position) {
        List<Stay> stays = stays(name);
        Stay found = stays.get(0);
        for (Stay stay : stays) {
            found = position.segment() >= stay.first ? stay : found;
        }
        return found;
    }

    /** The streams that may have had a name at some moment of that time; the one, whenever it was, where no other one ever had it. */
    Set<String> streams(String name, long fromNanos, long toNanos) {
        Set<String> all = new TreeSet<>();
        Set<String> there = new TreeSet<>();
        for (Stay stay : stays(name)) {
            all.add(stay.stream);
            if (stay.isThereBetween(fromNanos, toNanos)) {
                there.add(stay.stream);
            }
        }
        return all.size() == 1 ? all : there;
    }

    /** The stream that a deletion took away; empty when there was none. */
    Optional<String> deletedBy(Call deletion) {
        return stays(((StreamDetail) deletion.detail()).stream()).stream()
                .filter(stay -> stay.isDeleted && stay.leftNanos == deletion.endedNanos())
                .map(Stay::stream)
                .findFirst();
    }
}
