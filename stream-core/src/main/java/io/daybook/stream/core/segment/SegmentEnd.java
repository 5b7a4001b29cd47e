// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.metadata.model.SegmentMetadata;

/**
 * What is known of a segment once its ledger is closed.
 *
 * @param lastEntryId the end of the ledger, -1 when it has no entry
 * @param lastSlot slot of the last record in the last entry, -1 without records
 * @param firstTransactionId of the first record, -1 without records
 * @param lastTransactionId of the last record, -1 without records
 * @param recordCount records of the application
 * @param payloadBytes bytes of the ledger
 */
public record SegmentEnd(
        long lastEntryId,
        int lastSlot,
        long firstTransactionId,
        long lastTransactionId,
        long recordCount,
        long payloadBytes) {
    /** The end of a segment without records. */
    public static SegmentEnd withoutRecords(long payloadBytes) {
        return new SegmentEnd(-1, -1, -1, -1, 0, payloadBytes);
    }

    /** The segment, completed at this end (S7). */
    public SegmentMetadata complete(SegmentMetadata segment, long wallMillis) {
        return new SegmentMetadata(
                segment.number(),
                segment.ledgerId(),
                SegmentMetadata.State.COMPLETED,
                firstTransactionId,
                lastTransactionId,
                recordCount,
                segment.firstSequenceId(),
                lastEntryId,
                lastSlot,
                segment.epoch(),
                segment.createdMillis(),
                wallMillis,
                payloadBytes);
    }

    /** A new segment in progress. */
    public static SegmentMetadata begin(long number, long ledgerId, long firstSequenceId, long epoch, long wallMillis) {
        return new SegmentMetadata(
                number,
                ledgerId,
                SegmentMetadata.State.IN_PROGRESS,
                -1,
                -1,
                0,
                firstSequenceId,
                -1,
                -1,
                epoch,
                wallMillis,
                0,
                0);
    }
}
