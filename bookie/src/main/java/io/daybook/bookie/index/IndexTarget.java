// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.entrylog.LedgerFacts;

/** Takes the content of an index file. */
public interface IndexTarget {
    /**
     * A log, before its runs and facts are told.
     *
     * @param previousLogId the newest log of a flush when this one was begun
     */
    void log(int logId, int previousLogId);

    /** A run of consecutive entries. */
    void extent(Extent extent);

    /** Facts about a ledger. */
    void facts(LedgerFacts facts);

    /** Some entries of the log may be missing. */
    void incomplete(int logId);

    /**
     * A run of consecutive entries in one log.
     *
     * @param tableRow the row of the index file's table with the position of the first one
     * @param bytes of their records in the log
     */
    record Extent(long ledgerId, long firstEntryId, int count, int logId, int tableRow, int bytes) {
        /** The entry id after the last. */
        public long end() {
            return firstEntryId + count;
        }
    }
}
