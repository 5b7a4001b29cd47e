// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.position;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** Finds where a reader begins; refuses what lies below the truncation point (S11), and positions of a stream that had the name before (S14). <i>Threading:</i> the loop of the environment. */
public final class StartResolver {
    private final StreamEnvironment environment;
    private final String stream;

    /** Of a stream. */
    public StartResolver(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.stream = stream;
    }

    /** The cursor; {@code head} was read after the caller asked. */
    public CompletableFuture<ReadCursor> resolve(StreamMetadata head, StartPosition start) {
        if (start instanceof StartPosition.At at) {
            return done(from(head, at.position(), at.startsEarliestIfTruncated()));
        }
        if (start instanceof StartPosition.After after) {
            return after(head, after);
        }
        if (start instanceof StartPosition.Latest) {
            return new StreamEnd(environment, stream).find(head);
        }
        if (start instanceof StartPosition.AtTransactionId id) {
            return new TransactionIdSearch(environment, stream)
                    .cursor(head, id.transactionId())
                    .thenApply(found -> notBelow(firstKept(head), found));
        }
        if (start instanceof StartPosition.AtTime time) {
            return new TransactionIdSearch(environment, stream)
                    .cursorAtTime(head, time.time().toEpochMilli())
                    .thenApply(found -> notBelow(firstKept(head), found));
        }
        return done(cursor(firstKept(head)));
    }

    private static CompletableFuture<ReadCursor> done(ReadCursor cursor) {
        return CompletableFuture.completedFuture(cursor);
    }

    private static ReadCursor cursor(DLSN position) {
        return ReadCursor.at(position.segment(), position.entry(), position.slot());
    }

    private static ReadCursor notBelow(DLSN first, ReadCursor found) {
        DLSN position = new DLSN(found.segment(), found.entry(), found.slot());
        return position.compareTo(first) >= 0
                ? found
                : new ReadCursor(first.segment(), first.entry(), first.slot(), found.transactionIdMin());
    }

    private ReadCursor from(StreamMetadata head, DLSN position, boolean isLenient) {
        requireOwn(head, position);
        DLSN first = firstKept(head);
        if (position.compareTo(first) < 0 && isTruncated(head)) {
            if (isLenient) {
                return cursor(first);
            }
            throw truncated(stream, position, first);
        }
        return position.segment() == 0 ? cursor(first) : cursor(position);
    }

    private CompletableFuture<ReadCursor> after(StreamMetadata head, StartPosition.After after) {
        DLSN position = after.position();
        DLSN first = firstKept(head);
        requireOwn(head, position);
        if (position.equals(DLSN.BEFORE_ALL) || after.startsEarliestIfTruncated() || position.compareTo(first) >= 0) {
            return done(from(head, successor(position), after.startsEarliestIfTruncated()));
        }
        return new Succession(environment, stream)
                .isUnbroken(head, position, first)
                .thenApply(isUnbroken -> isUnbroken ? cursor(first) : from(head, successor(position), false));
    }

    /** The record that follows may stand in the next slot, entry or segment: reading goes on to whichever exists. */
    private static DLSN successor(DLSN position) {
        if (position.equals(DLSN.BEFORE_ALL)) {
            return position;
        }
        return position.slot() < Integer.MAX_VALUE
                ? new DLSN(position.segment(), position.entry(), position.slot() + 1)
                : new DLSN(position.segment(), position.entry() + 1, 0);
    }

    private static boolean isTruncated(StreamMetadata head) {
        return head.firstSegmentNumber() > head.originSegmentNumber() || head.truncatedSegment() > 0;
    }

    /** The first position that is not truncated. */
    public static DLSN firstKept(StreamMetadata head) {
        DLSN firstSegment = new DLSN(head.firstSegmentNumber(), 0, 0);
        DLSN truncation = new DLSN(head.truncatedSegment(), head.truncatedEntry(), head.truncatedSlot());
        return truncation.compareTo(firstSegment) > 0 ? truncation : firstSegment;
    }

    /** Passes a position that is of this stream or before all; throws {@link StreamException.ForeignPosition} for one of a stream that had the name before (S14). */
    public static DLSN requireOwn(StreamMetadata head, DLSN position) {
        if (position.segment() > 0 && position.segment() < head.originSegmentNumber()) {
            throw new StreamException.ForeignPosition("stream '" + head.name() + "': " + position
                    + " is a position of a stream of that name that was deleted or renamed; this one was made "
                    + Instant.ofEpochMilli(head.createdMillis()) + " and begins at "
                    + new DLSN(head.originSegmentNumber(), 0, 0) + ": begin there, or at the earliest record");
        }
        return position;
    }

    /** The refusal of a position below the truncation point. */
    public static StreamException truncated(String stream, DLSN position, DLSN first) {
        return new StreamException.Truncated("stream '" + stream + "': " + position
                + " lies below the truncation point; the first position left is " + first);
    }
}
