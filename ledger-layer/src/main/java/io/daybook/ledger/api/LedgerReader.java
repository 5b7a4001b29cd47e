// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.runtime.EventLoop;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a ledger. The bytes of an entry are the same for ever, to everyone (L11); each is checked against its digest before it is returned.
 *
 * <p><i>Threading:</i> any thread; outcomes come on {@link #loop}.
 */
public interface LedgerReader extends AutoCloseable {
    /** The ledger. */
    long ledgerId();

    /** The loop on which this reader lives. */
    EventLoop loop();

    /** The newest metadata this reader has seen. */
    LedgerMetadata metadata();

    /** Whether the end is decided, as far as this reader has seen. Once true it stays true. */
    boolean isClosed();

    /** The last entry that may be read: the end of a closed ledger, else the highest last add confirmed seen. Never goes back (L10). -1 for none. */
    long lastAddConfirmed();

    /** Asks the bookies (or metadata, when the ledger was closed meanwhile) for the newest last add confirmed and completes with it. */
    CompletableFuture<Long> refresh();

    /**
     * Reads entries from {@code firstEntryId} on: at least one, at most {@code countMax}, about {@code bytesMax} bytes, never beyond
     * {@link #lastAddConfirmed}. Fails with {@link LedgerException.EntryAbsent} when {@code firstEntryId} lies beyond it, with
     * {@link LedgerException.EntryCorrupt} when every copy of the first entry is damaged and with {@link LedgerException.EntryUnreadable} when no copy
     * could be reached (retryable).
     */
    CompletableFuture<LedgerEntries> read(long firstEntryId, int countMax, int bytesMax);

    /** As {@link #read}, but may go beyond the last add confirmed: such entries may still vanish. */
    CompletableFuture<LedgerEntries> readUnconfirmed(long firstEntryId, int countMax, int bytesMax);

    /**
     * As {@link #read}, but waits until {@code firstEntryId} can be read. Completes with no entries when {@code waitNanos} have passed, or when the ledger was
     * closed before that entry: then {@link #isClosed} is true and {@link #lastAddConfirmed} is below it. Fails as {@link #read} does, and with
     * {@link LedgerException.LedgerGone} when the ledger is deleted.
     */
    CompletableFuture<LedgerEntries> readTail(long firstEntryId, int countMax, int bytesMax, long waitNanos);

    /** Ends reads under way with {@link LedgerException.HandleClosed}. Idempotent. */
    @Override
    void close();
}
