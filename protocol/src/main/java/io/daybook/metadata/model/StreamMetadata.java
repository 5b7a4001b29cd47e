// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/**
 * The head of a stream: everything but its segments. Its version is the fence of the stream layer: whoever changes segments compares and sets the
 * head in the same atomic change.
 *
 * @param incarnation high and low: 128 random bits minted at creation, so that nothing of a stream is taken for that of one made anew under its name (S14)
 * @param originSegmentNumber the number of its first segment ever, above every number that a stream of the name had before: a position below it is of a stream that was
 *     deleted (S14)
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
        long originSegmentNumber,
        long firstSegmentNumber,
        long nextSegmentNumber,
        long truncatedSegment,
        long truncatedEntry,
        int truncatedSlot,
        long lastTransactionId,
        String owner,
        long createdMillis,
        WriteToken token) {
    /** The origin where no stream was deleted yet. */
    public static final long FIRST_ORIGIN = 1;

    /** The origin of the next stream of this name when this one is gone: above its next segment too, at whose beginning a position may stand already. */
    public long nextOrigin() {
        return nextSegmentNumber + 1;
    }

    /** A stream whose segments are yet to come, and will be numbered from {@code number} on. */
    public StreamMetadata numberedFrom(long number) {
        return new StreamMetadata(
                name,
                incarnation,
                state,
                settings,
                epoch,
                number,
                number,
                number,
                truncatedSegment,
                truncatedEntry,
                truncatedSlot,
                lastTransactionId,
                owner,
                createdMillis,
                token);
    }

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
