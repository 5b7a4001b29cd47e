// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/**
 * The head of a stream: everything but its segments. Its version is the fence of the stream layer: whoever changes segments compares and sets the
 * head in the same atomic change.
 *
 * @param incarnation high and low: 128 random bits minted at creation, so that nothing of a stream is taken for that of one made anew under its name (S14);
 *     minted anew at a rename, so that nothing of the stream under one name is taken for it under another
 * @param home where its segments and subscriptions are kept, whatever its name
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
        Home home,
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

    /** The 128 bits by which ledgers and subscriptions name their stream, whatever its name: the incarnation with which it was made. */
    public WriteToken identity() {
        return home.isBelowName() ? incarnation : home.id();
    }

    /** The number of a segment where it is kept; 0, which is before all, is 0 there too. */
    public long numberAtHome(long number) {
        return number == 0 ? 0 : number - home.numberShift();
    }

    /** The number in this stream of a segment that is kept under {@code numberAtHome}. */
    public long numberHere(long numberAtHome) {
        return numberAtHome == 0 ? 0 : numberAtHome + home.numberShift();
    }

    /**
     * The stream under another name. Its numbers rise by one and the same, when they must, so that its origin is not below {@code lowestOrigin}: no position that the other name
     * has had is a position of this stream (S14). Throws {@link IllegalArgumentException} when it is kept below its name.
     */
    public StreamMetadata movedTo(String otherName, WriteToken freshIncarnation, long lowestOrigin) {
        if (home.isBelowName()) {
            throw new IllegalArgumentException("a stream that is kept below its name has no other one");
        }
        long rise = Math.max(0, lowestOrigin - originSegmentNumber);
        return new StreamMetadata(
                otherName,
                freshIncarnation,
                new Home(home.id(), home.numberShift() + rise),
                state,
                settings,
                epoch,
                originSegmentNumber + rise,
                firstSegmentNumber + rise,
                nextSegmentNumber + rise,
                truncatedSegment == 0 ? 0 : truncatedSegment + rise,
                truncatedEntry,
                truncatedSlot,
                lastTransactionId,
                owner,
                createdMillis,
                token);
    }

    /** A stream whose segments are yet to come, and will be numbered from {@code number} on. */
    public StreamMetadata numberedFrom(long number) {
        return new StreamMetadata(
                name,
                incarnation,
                home,
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

    /**
     * Where the segments and subscriptions of a stream are kept. A rename moves the name only.
     *
     * @param id the incarnation with which the stream was made; {@link WriteToken#NONE} when they are kept below the stream's name, as they were before streams could be
     *     renamed
     * @param numberShift what is added to the segment numbers that stand there, in segments and subscriptions
     */
    public record Home(WriteToken id, long numberShift) {
        /** Below the stream's name: such a stream keeps its name. */
        public static final Home BELOW_NAME = new Home(WriteToken.NONE, 0);

        /** That of a new stream. */
        public static Home of(WriteToken incarnation) {
            return new Home(incarnation, 0);
        }

        /** Whether the stream was made before streams could be renamed. */
        public boolean isBelowName() {
            return id.equals(WriteToken.NONE);
        }
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
