// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

/** Takes what a scan of an entry log finds, in the order of the file. */
public interface EntryLogVisitor {
    /** A whole, undamaged entry stands from {@code position} to {@code end}. */
    void entry(long ledgerId, long entryId, long position, long end);

    /** Facts about a ledger. */
    void facts(LedgerFacts facts);

    /** What stands from {@code position} on is no whole, undamaged record; told once until the next record that is. */
    default void damaged(long position) {}
}
