// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.DLSN;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The names that one stream may have, which of them it has had, one after the other, as the metadata store knows, and what its positions are under each. */
final class StreamNames {
    private final List<String> all;
    private final List<Stay> stays = new ArrayList<>();

    /** A position of a name. */
    record Place(String name, DLSN position) {}

    /**
     * The time for which the stream has a name.
     *
     * @param first the number of its first segment ever
     * @param shift by how much its numbers are above those under the name before
     * @param begunNanos when it got the name
     */
    record Stay(String name, long first, long shift, long begunNanos) {}

    /**
     * What somebody has asked for.
     *
     * @param name the name under which the stream was looked for
     * @param count how many names the stream had had then
     */
    record Asked(String name, int count) {}

    /** A stream that is made under the first of {@code all}. */
    StreamNames(List<String> all) {
        this.all = List.copyOf(all);
        stays.add(new Stay(all.get(0), StreamMetadata.FIRST_ORIGIN, 0, Long.MIN_VALUE));
    }

    /** Every name that it may have. */
    List<String> all() {
        return all;
    }

    /** Whoever does not find it under {@code name} looks under this one next. */
    String after(String name) {
        return all.get((all.indexOf(name) + 1) % all.size());
    }

    /** It got another name. */
    void moved(StreamMetadata before, StreamMetadata after, long nanos) {
        long shift = after.home().numberShift() - before.home().numberShift();
        stays.add(new Stay(after.name(), after.originSegmentNumber(), shift, nanos));
    }

    /** The name that it has. */
    String present() {
        return stays.get(stays.size() - 1).name();
    }

    /** How many names it has had, each time counted. */
    int count() {
        return stays.size();
    }

    boolean has(String name) {
        return present().equals(name);
    }

    /** Somebody looks for it under a name now. */
    Asked asked(String name) {
        return new Asked(name, count());
    }

    /** Whether it has had the name that was asked for ever since. */
    boolean stayed(Asked asked) {
        return has(asked.name()) && asked.count() == count();
    }

    /** The first position that it may have under the name that was asked for; empty when it has not had that ever since. */
    Optional<Place> first(Asked asked) {
        return stayed(asked)
                ? Optional.of(new Place(
                        asked.name(), new DLSN(stays.get(stays.size() - 1).first(), 0, 0)))
                : Optional.empty();
    }

    /** Whether a position of a name is of a time before the last for which the stream had the name. */
    boolean isOfEarlierTime(Place place) {
        long first = 0;
        for (Stay stay : stays) {
            first = stay.name().equals(place.name()) ? stay.first() : first;
        }
        return !place.position().equals(DLSN.BEFORE_ALL) && place.position().segment() < first;
    }

    /** Whether it has had a name before the present time. */
    boolean hasHad(String name) {
        return stays.subList(0, stays.size() - 1).stream()
                .anyMatch(stay -> stay.name().equals(name));
    }

    /** The rename from one name to another that was made at {@code fromNanos} or later: the stay that it ended, and the one that it began. */
    Optional<List<Stay>> rename(String from, String to, long fromNanos) {
        for (int i = 1; i < stays.size(); i++) {
            Stay before = stays.get(i - 1);
            Stay after = stays.get(i);
            if (after.begunNanos() >= fromNanos
                    && before.name().equals(from)
                    && after.name().equals(to)) {
                return Optional.of(List.of(before, after));
            }
        }
        return Optional.empty();
    }

    /** Where the record at a place is found under {@code name}, as the stream had that last; empty when it never has. */
    Optional<Place> under(String name, Place place) {
        int there = -1;
        int here = 0;
        for (int i = 0; i < stays.size(); i++) {
            Stay stay = stays.get(i);
            there = stay.name().equals(name) ? i : there;
            boolean isAbove = place.position().segment() >= stay.first();
            here = stay.name().equals(place.name()) && isAbove ? i : here;
        }
        if (there < 0) {
            return Optional.empty();
        }
        DLSN position = place.position();
        long segment = position.segment() + shift(there) - shift(here);
        return Optional.of(new Place(name, new DLSN(segment, position.entry(), position.slot())));
    }

    private long shift(int number) {
        return stays.subList(0, number + 1).stream().mapToLong(Stay::shift).sum();
    }
}
