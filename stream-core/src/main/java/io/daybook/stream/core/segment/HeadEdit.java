// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.WriteToken;
import io.daybook.stream.DLSN;

/** The next value of a stream's head, made from the one it replaces. */
public final class HeadEdit {
    private final StreamMetadata from;
    private StreamMetadata.State state;
    private long epoch;
    private long firstSegmentNumber;
    private long nextSegmentNumber;
    private DLSN truncation;
    private StreamSettings settings;
    private long lastTransactionId;
    private String owner;

    /** As it is. */
    public HeadEdit(StreamMetadata from) {
        this.from = from;
        this.state = from.state();
        this.epoch = from.epoch();
        this.firstSegmentNumber = from.firstSegmentNumber();
        this.nextSegmentNumber = from.nextSegmentNumber();
        this.truncation = new DLSN(from.truncatedSegment(), from.truncatedEntry(), from.truncatedSlot());
        this.settings = from.settings();
        this.lastTransactionId = from.lastTransactionId();
        this.owner = from.owner();
    }

    /** In another state. */
    public HeadEdit state(StreamMetadata.State next) {
        state = next;
        return this;
    }

    /** Taken over. */
    public HeadEdit takenOverBy(String nextOwner) {
        epoch = from.epoch() + 1;
        owner = nextOwner;
        return this;
    }

    /**
     * Without a writer, and about to have another name. The epoch rises by two: that of the writer before is over, and so is the next one, for which a ledger may have been made
     * that nothing names any more.
     */
    public HeadEdit leftByItsWriter() {
        epoch = from.epoch() + 2;
        owner = "";
        return this;
    }

    /** With one more segment begun. */
    public HeadEdit segmentBegun() {
        nextSegmentNumber = from.nextSegmentNumber() + 1;
        return this;
    }

    /** With a segment completed whose last transaction id is given, -1 for an empty one (S8: never ahead of the data). */
    public HeadEdit completed(long segmentLastTransactionId) {
        lastTransactionId = Math.max(lastTransactionId, segmentLastTransactionId);
        return this;
    }

    /** Truncated below a position; not moved back (S11). */
    public HeadEdit truncatedBelow(DLSN firstKept) {
        truncation = firstKept.compareTo(truncation) > 0 ? firstKept : truncation;
        return this;
    }

    /** Without the segments below a number. */
    public HeadEdit segmentsFrom(long number) {
        firstSegmentNumber = Math.max(firstSegmentNumber, number);
        return this;
    }

    /** Kept in another way. */
    public HeadEdit settings(StreamSettings next) {
        settings = next;
        return this;
    }

    /** The value. */
    public StreamMetadata build(WriteToken token) {
        return new StreamMetadata(
                from.name(),
                from.incarnation(),
                from.home(),
                state,
                settings,
                epoch,
                from.originSegmentNumber(),
                firstSegmentNumber,
                nextSegmentNumber,
                truncation.segment(),
                truncation.entry(),
                truncation.slot(),
                lastTransactionId,
                owner,
                from.createdMillis(),
                token);
    }
}
