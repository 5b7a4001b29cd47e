// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/**
 * One log segment of a stream: a ledger and what is known of the records in it. Fields marked (c) are set when the segment is completed and
 * are -1 or 0 before.
 *
 * @param number the origin of the stream for its first segment, then +1 each (S2)
 * @param firstTransactionId transaction id of the first record (c), -1 when the segment is empty
 * @param lastTransactionId transaction id of the last record (c), -1 when the segment is empty
 * @param recordCount records of the application in the segment (c)
 * @param firstSequenceId sequence id (gapless count over the stream) of the first record that the segment has or would have
 * @param lastEntryId last entry (c), -1 when empty
 * @param lastSlot slot of the last record in the last entry (c), -1 when empty
 * @param epoch the stream's epoch under which the segment was begun
 * @param createdMillis wall-clock time, for display and retention
 * @param completedMillis wall-clock time (c)
 * @param payloadBytes bytes of the ledger (c)
 */
public record SegmentMetadata(
        long number,
        long ledgerId,
        State state,
        long firstTransactionId,
        long lastTransactionId,
        long recordCount,
        long firstSequenceId,
        long lastEntryId,
        int lastSlot,
        long epoch,
        long createdMillis,
        long completedMillis,
        long payloadBytes) {
    /** The same under another number. */
    public SegmentMetadata numbered(long other) {
        return new SegmentMetadata(
                other,
                ledgerId,
                state,
                firstTransactionId,
                lastTransactionId,
                recordCount,
                firstSequenceId,
                lastEntryId,
                lastSlot,
                epoch,
                createdMillis,
                completedMillis,
                payloadBytes);
    }

    /** Where a log segment is in its life (S7). A segment that is gone has no record at all. */
    public enum State {
        /** The newest segment; its ledger may still grow. */
        IN_PROGRESS,
        /** Its ledger is closed and its bounds never change. */
        COMPLETED,
        /** Wholly below the truncation point; readers are refused, its ledger is about to be deleted. */
        TRUNCATED
    }
}
