// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.reader;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.position.StartResolver;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.segment.Whereabouts;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Finds in metadata what a walk reads next: reads the segments from its position on, and after that the head.
 *
 * <p><i>Invariants:</i> S14: a head that is read last and of the walk's incarnation proves that the segments were that stream's. S2: a segment that had begun before
 * its listing and is not in it is missing, unless the head says that it is truncated (S11); one that may have begun later is looked for again. <i>Threading:</i> the
 * loop of the environment; one look-up at a time.
 */
final class SegmentLookUp {
    /** What was found. */
    sealed interface Found {
        /** The segment of the position, first, and some that follow it. */
        record Segments(List<SegmentMetadata> list) implements Found {}

        /** The segment was not begun. */
        record NotBegun() implements Found {}

        /** The stream is sealed and has no such segment. */
        record Sealed() implements Found {}
    }

    private static final int SEGMENTS_AHEAD_MAX = 64;

    private final String stream;
    private final Whereabouts whereabouts;
    private final SegmentList segments;
    private long begunBelow;
    private long lastVersion = -1;

    /** {@code head} is what the reader was opened on. */
    SegmentLookUp(StreamEnvironment environment, StreamMetadata head) {
        this.stream = head.name();
        this.whereabouts = new Whereabouts(environment, head);
        this.segments = new SegmentList(environment, stream);
        this.begunBelow = head.nextSegmentNumber();
    }

    /** Looks for the segment of {@code next}, the position that is read next; fails with what the reader is to be told. */
    CompletableFuture<Found> find(DLSN next) {
        return segments.page(next.segment() - 1, SEGMENTS_AHEAD_MAX)
                .exceptionallyCompose(whereabouts::orTold)
                .thenCompose(page -> whereabouts.present().thenCompose(head -> {
                    lastVersion = head.version();
                    return judge(next, page, head.value());
                }));
    }

    /** Whether the head is the one that the last look-up saw: nothing can have changed then. */
    CompletableFuture<Boolean> isUnchanged() {
        return whereabouts.present().thenApply(head -> head.version() == lastVersion);
    }

    private CompletableFuture<Found> judge(DLSN next, List<SegmentMetadata> page, StreamMetadata head) {
        long begunBefore = begunBelow;
        begunBelow = head.nextSegmentNumber();
        if (!page.isEmpty() && isBehind(page.get(0), next)) {
            return found(new Found.Segments(page));
        }
        DLSN first = StartResolver.firstKept(head);
        if (next.compareTo(first) < 0) {
            throw StartResolver.truncated(stream, next, first);
        }
        if (!page.isEmpty()) {
            requireNumber(next, page.get(0).number());
            return found(new Found.Segments(page));
        }
        if (next.segment() < begunBefore) {
            throw missing(next, "");
        }
        if (next.segment() < head.nextSegmentNumber()) {
            return find(next);
        }
        return found(head.state() == StreamMetadata.State.SEALED ? new Found.Sealed() : new Found.NotBegun());
    }

    private static CompletableFuture<Found> found(Found what) {
        return CompletableFuture.completedFuture(what);
    }

    /** Whether every entry of the segment was read: what is truncated of it was not missed. */
    private static boolean isBehind(SegmentMetadata segment, DLSN next) {
        return segment.number() == next.segment()
                && segment.state() != SegmentMetadata.State.IN_PROGRESS
                && next.entry() > segment.lastEntryId();
    }

    private void requireNumber(DLSN next, long number) {
        if (number != next.segment()) {
            throw missing(next, " before segment " + number);
        }
    }

    private StreamException missing(DLSN next, String where) {
        return damage(stream, next, "segment " + next.segment() + " is missing" + where);
    }

    /** A stream that is not what its metadata promises (S2). */
    static StreamException damage(String stream, DLSN position, String what) {
        return StreamFailures.corrupt(stream, position, what, new IllegalStateException("S2: " + what));
    }
}
