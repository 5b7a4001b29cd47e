// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.stream.DLSN;
import io.daybook.stream.core.segment.SegmentEnd;

/** What was acknowledged in the segment in progress. <i>Threading:</i> the loop of the writer. */
final class SegmentFill {
    private long firstTransactionId = -1;
    private long lastTransactionId = -1;
    private long recordCount;
    private long lastEntryId = -1;
    private int lastSlot = -1;

    /** An entry was acknowledged. */
    void stored(long entryId, int records, long entryFirstTransactionId, long entryLastTransactionId) {
        if (recordCount == 0) {
            firstTransactionId = entryFirstTransactionId;
        }
        lastTransactionId = entryLastTransactionId;
        recordCount += records;
        lastEntryId = entryId;
        lastSlot = records - 1;
    }

    boolean isEmpty() {
        return recordCount == 0;
    }

    long lastEntryId() {
        return lastEntryId;
    }

    /** Where the last record stands in a segment that is not empty. */
    DLSN lastPosition(long segment) {
        return new DLSN(segment, lastEntryId, lastSlot);
    }

    SegmentEnd end(long payloadBytes) {
        return new SegmentEnd(lastEntryId, lastSlot, firstTransactionId, lastTransactionId, recordCount, payloadBytes);
    }
}
