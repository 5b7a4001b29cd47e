// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.DLSN;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names that one stream may have, which of them it has had, one after the other, as the metadata store knows, and what its positions are under each. Where it is deleted too the next one
 * may have any of these names; for a moment there may be two.
 */
final class StreamNames {
    private final List<String> all;
    private final List<Stay> stays = new ArrayList<>();
    private final Map<String, Stay> present = new TreeMap<>();
    private int streams = 1;
    private int renames;
    private int changes;

    /** A position of a name. */
    record Place(String name, DLSN position) {}

    /** The time for which a stream has a name. */
    static final class Stay {
        private final String name;
        private final int stream;
        private final long first;
        private final long shift;
        private final long begunNanos;
        private final @Nullable Stay before;
        private long deletedNanos = Long.MAX_VALUE;
        private long removedNanos = Long.MAX_VALUE;
        private boolean isLeft;

        private Stay(Place begin, int stream, long shift, long begunNanos, @Nullable Stay before) {
            this.name = begin.name();
            this.stream = stream;
            this.first = begin.position().segment();
            this.shift = shift;
            this.begunNanos = begunNanos;
            this.before = before;
        }

        /** The first position that the stream may have under this name. */
        Place begin() {
            return StreamNames.first(name, first);
        }

        /** When its deletion began, for everybody else its end. */
        long deletedNanos() {
            return deletedNanos;
        }

        boolean isBeingDeleted() {
            return deletedNanos != Long.MAX_VALUE;
        }

        /** Whether it ended with a rename. */
        boolean isLeft() {
            return isLeft;
        }

        /** Whether it is of the same stream. */
        boolean isOfThatOf(Stay other) {
            return stream == other.stream;
        }

        private Place at(long segment, DLSN position) {
            return new Place(name, new DLSN(segment, position.entry(), position.slot()));
        }
    }

    /**
     * What somebody has asked for.
     *
     * @param name the name under which the stream was looked for
     * @param stay that of the stream that had the name then, unless it was being deleted; null for none
     */
    record Asked(String name, @Nullable Stay stay) {}

    /** A stream that is made under the first of {@code all}. */
    StreamNames(List<String> all) {
        this.all = List.copyOf(all);
        begin(new Stay(first(all.get(0), StreamMetadata.FIRST_ORIGIN), 0, 0, Long.MIN_VALUE, null));
    }

    private static Place first(String name, long segment) {
        return new Place(name, new DLSN(segment, 0, 0));
    }

    private void begin(Stay stay) {
        stays.add(stay);
        present.put(stay.name, stay);
    }

    /** Every name that it may have. */
    List<String> all() {
        return all;
    }

    /** Whoever does not find it under {@code name} looks under this one next. */
    String after(String name) {
        return all.get((all.indexOf(name) + 1) % all.size());
    }

    // ---- what the metadata store tells ----

    /** It got another name. */
    void moved(StreamMetadata before, StreamMetadata after, long nanos) {
        Stay left = present.remove(before.name());
        if (left == null) {
            throw new IllegalStateException("stream " + before.name() + " was renamed and was not there");
        }
        left.isLeft = true;
        long rise = after.home().numberShift() - before.home().numberShift();
        begin(new Stay(first(after.name(), after.originSegmentNumber()), left.stream, left.shift + rise, nanos, left));
        renames++;
        changes++;
    }

    /** One was made anew. */
    void made(StreamMetadata head, long nanos) {
        begin(new Stay(first(head.name(), head.originSegmentNumber()), streams, 0, nanos, null));
        streams++;
        changes++;
    }

    /** The deletion of the one that has the name has begun. */
    void marked(String name, long nanos) {
        Stay doomed = present.get(name);
        if (doomed == null) {
            throw new IllegalStateException("stream " + name + " is being deleted and was not there");
        }
        doomed.deletedNanos = nanos;
        changes++;
    }

    /** The one that was being deleted under the name is gone; returns its last stay. */
    Stay removed(String name, long nanos) {
        Stay gone = present.remove(name);
        if (gone == null) {
            throw new IllegalStateException("stream " + name + " was deleted and was not there");
        }
        gone.removedNanos = nanos;
        changes++;
        return gone;
    }

    // ---- where it is ----

    /** The names under which there is one now, also one that is being deleted. */
    List<String> present() {
        return List.copyOf(present.keySet());
    }

    /** Whether there is one under no name, but for such that are being deleted. */
    boolean isGone() {
        return present.values().stream().allMatch(Stay::isBeingDeleted);
    }

    /** Whether one was ever deleted. */
    boolean isAnyDeleted() {
        return stays.stream().anyMatch(Stay::isBeingDeleted);
    }

    /** How many times it got another name. */
    int renames() {
        return renames;
    }

    /** How many times it got another name, was made, or was deleted. */
    int changes() {
        return changes;
    }

    boolean has(String name) {
        return present.containsKey(name);
    }

    /** The last time for which some stream has had a name; empty for none. */
    Optional<Stay> last(String name) {
        return stays.stream().filter(stay -> stay.name.equals(name)).reduce((before, after) -> after);
    }

    /** Somebody looks for it under a name now. */
    Asked asked(String name) {
        Stay stay = present.get(name);
        return new Asked(name, stay == null || stay.isBeingDeleted() ? null : stay);
    }

    /** Whether it has had the name that was asked for ever since. */
    boolean stayed(Asked asked) {
        return asked.stay() != null
                && asked.stay() == present.get(asked.name())
                && !asked.stay().isBeingDeleted();
    }

    /** Whether it has kept the name that was asked for, if only until it was deleted, and no other one has had it since. */
    boolean isNeverLeft(Asked asked) {
        Stay stay = asked.stay();
        return stay != null
                && !stay.isLeft
                && last(asked.name()).filter(stay::equals).isPresent();
    }

    /** Whether a position of a name is of a time before the last for which a stream had the name. */
    boolean isOfEarlierTime(Place place) {
        long first = last(place.name()).map(stay -> stay.first).orElse(0L);
        return !place.position().equals(DLSN.BEFORE_ALL) && place.position().segment() < first;
    }

    /** Whether the stream that has a name now has had it before. */
    boolean isBack(String name) {
        Stay now = present.get(name);
        return now != null
                && stays.stream().anyMatch(stay -> stay != now && stay.stream == now.stream && stay.name.equals(name));
    }

    /** The rename from one name to another that was made at {@code fromNanos} or later: the stay that it ended, and the one that it began. */
    Optional<List<Stay>> rename(String from, String to, long fromNanos) {
        for (Stay after : stays) {
            Stay before = after.before;
            if (before != null && after.begunNanos >= fromNanos && before.name.equals(from) && after.name.equals(to)) {
                return Optional.of(List.of(before, after));
            }
        }
        return Optional.empty();
    }

    /** Whether one that had the name was gone at {@code fromNanos} or later, and not before. */
    boolean isRemovedSince(String name, long fromNanos) {
        return stays.stream()
                .anyMatch(stay -> stay.name.equals(name)
                        && stay.isBeingDeleted()
                        && stay.removedNanos >= fromNanos
                        && stay.removedNanos != Long.MAX_VALUE);
    }

    /** The time of a name of which a position is. */
    Stay of(Place place) {
        return stays.stream()
                .filter(stay ->
                        stay.name.equals(place.name()) && place.position().segment() >= stay.first)
                .reduce((before, after) -> after)
                .orElse(stays.get(0));
    }

    /** Where the record at a place is found under {@code name}; empty when the stream has not had that, or another one has had it since. */
    Optional<Place> under(String name, Place place) {
        Stay from = of(place);
        return last(name)
                .filter(there -> there.stream == from.stream)
                .map(there -> there.at(place.position().segment() + there.shift - from.shift, place.position()));
    }
}
