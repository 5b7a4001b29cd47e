// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/**
 * The head of a stream: everything but its segments. Its version is the fence of the stream layer: whoever changes segments compares and sets the
 * head in the same atomic change.
 *
 * @param incarnation high and low: 128 random bits minted at creation, so that a re-created stream never aliases the positions of the old one (S14)
 * @param epoch raised by every take-over; a writer of an older epoch is fenced
 * @param firstSegmentNumber the lowest segment that may still exist
 * @param nextSegmentNumber the number of the next segment to be begun
 * @param truncatedSegment with {@code truncatedEntry} and {@code truncatedSlot}: the first position that is not truncated
 * @param lastTransactionId the highest transaction id in completed segments, -1 for none; never ahead of the data (S8)
 * @param owner a label of the present writer for people, empty for none
 */
public record StreamMetadata(
        String name,
        WriteToken incarnation,
        State state,
        StreamSettings settings,
        long epoch,
        long firstSegmentNumber,
        long nextSegmentNumber,
        long truncatedSegment,
        long truncatedEntry,
        int truncatedSlot,
        long lastTransactionId,
        String owner,
        long createdMillis,
        WriteToken token) {
    /** Where a stream is in its life. */
    public enum State {
        /** May be written and read. */
        ACTIVE,
        /** Ended for ever: no append succeeds, readers get the end after the last record. */
        SEALED,
        /** Deletion has begun; only going on with it is possible. */
        DELETING
    }
}
