// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.WriteToken;

/** The next value of a stream's head, made from the one it replaces. */
public final class HeadEdit {
    private final StreamMetadata from;
    private StreamMetadata.State state;
    private long epoch;
    private long nextSegmentNumber;
    private long lastTransactionId;
    private String owner;

    /** As it is. */
    public HeadEdit(StreamMetadata from) {
        this.from = from;
        this.state = from.state();
        this.epoch = from.epoch();
        this.nextSegmentNumber = from.nextSegmentNumber();
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

    /** The value. */
    public StreamMetadata build(WriteToken token) {
        return new StreamMetadata(
                from.name(),
                from.incarnation(),
                state,
                from.settings(),
                epoch,
                from.firstSegmentNumber(),
                nextSegmentNumber,
                from.truncatedSegment(),
                from.truncatedEntry(),
                from.truncatedSlot(),
                lastTransactionId,
                owner,
                from.createdMillis(),
                token);
    }
}
