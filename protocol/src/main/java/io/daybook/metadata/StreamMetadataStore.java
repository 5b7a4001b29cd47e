// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Streams and their segments. A stream's segments change only together with its head, by compare-and-set on the head's version. */
public interface StreamMetadataStore {
    /**
     * Stores the head of a new stream without segments; {@link MetadataException.Code#ALREADY_EXISTS} when the name is taken. Where its segment numbers begin is the
     * store's choice and in the answer, whatever {@code metadata} says: above every number that a stream of that name has had, or has called its next, so that no
     * position of one is ever a position of another (S14).
     */
    CompletableFuture<Versioned<StreamMetadata>> create(StreamMetadata metadata);

    /** Reads a head after everything that was acknowledged before this call (M3). */
    CompletableFuture<Versioned<StreamMetadata>> read(String name);

    /** One atomic change: replaces the head of {@code version}, stores {@code puts}, removes the segments numbered {@code removals}. */
    CompletableFuture<Versioned<StreamMetadata>> commit(StreamChange change);

    /**
     * One atomic change, as {@link #commit} makes it, that also gives the stream another name: its segments and subscriptions go along, the name before is free, and the origin of
     * streams to come in the bucket of that name rises as by a deletion. The numbers of the stream rise as {@link StreamMetadata#movedTo} says, above everything that a stream of
     * the other name has had or called its next (S14). {@link MetadataException.Code#ALREADY_EXISTS} when the other name is taken. The answer is the head under it.
     */
    CompletableFuture<Versioned<StreamMetadata>> rename(StreamChange change, NewName to);

    /**
     * The name that the stream of an identity has now, read after everything that was acknowledged before this call (M3); {@link MetadataException.Code#NOT_FOUND} when there is no
     * such stream any more, or it was made before streams could be renamed.
     */
    CompletableFuture<String> nameOf(WriteToken identity);

    /**
     * Removes a head that has no segments and no subscriptions left; {@link MetadataException.Code#VERSION_CONFLICT} as in {@link #commit}, and when it has. Success when it is
     * already gone.
     */
    CompletableFuture<Void> delete(String name, long version);

    /**
     * Up to {@code countMax} segments numbered above {@code afterNumber} (0 for the first page), rising, read after everything that was acknowledged before this call (M3);
     * {@link MetadataException.Code#NOT_FOUND} for an unknown stream.
     */
    CompletableFuture<Page<SegmentMetadata>> segments(String name, long afterNumber, int countMax);

    /** Up to {@code countMax} names that begin with {@code prefix} and follow {@code afterName} (empty for the first page) in the order of their UTF-8 bytes. */
    CompletableFuture<Page<String>> list(String prefix, String afterName, int countMax);

    /** Tells {@code listener}, on a thread of the store, when the head may have changed or been deleted. */
    Watch watch(String name, Runnable listener);

    /**
     * Another name of a stream.
     *
     * @param incarnation of the stream under it: fresh random bits
     */
    record NewName(String name, WriteToken incarnation) {}

    /**
     * A change of a stream.
     *
     * @param head the next head, with a fresh token
     * @param version the version of the head that it replaces
     * @param puts segments to create or replace
     * @param removals numbers of segments to remove; one that does not exist is passed over
     */
    record StreamChange(StreamMetadata head, long version, List<SegmentMetadata> puts, List<Long> removals) {
        /** Segments that one change may name: it is one transaction of the store, which has room for a megabyte. */
        public static final int SEGMENTS_MAX = 2_000;

        /** Copies the lists; throws {@link IllegalArgumentException} when too many segments are named, or one twice. */
        public StreamChange {
            puts = List.copyOf(puts);
            removals = List.copyOf(removals);
            if (puts.size() + removals.size() > SEGMENTS_MAX) {
                throw new IllegalArgumentException("a change of stream " + StreamNames.quoted(head.name())
                        + " names more than " + SEGMENTS_MAX + " segments: make several changes");
            }
            long named = Stream.concat(puts.stream().map(SegmentMetadata::number), removals.stream())
                    .distinct()
                    .count();
            if (named != puts.size() + removals.size()) {
                throw new IllegalArgumentException(
                        "a change of stream " + StreamNames.quoted(head.name()) + " names a segment more than once");
            }
        }
    }
}
