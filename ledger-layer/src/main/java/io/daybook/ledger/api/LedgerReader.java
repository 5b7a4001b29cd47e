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
    /** {@return the ledger} */
    long ledgerId();

    /** {@return the loop on which this reader lives} */
    EventLoop loop();

    /** {@return the newest metadata this reader has seen} */
    LedgerMetadata metadata();

    /**
     * Whether the end is decided, as far as this reader has seen. Once true it stays true.
     *
     * @return true when the ledger is closed
     */
    boolean isClosed();

    /**
     * The last entry that may be read: the end of a closed ledger, else the highest last add confirmed seen. Never goes back (L10).
     *
     * @return its id, -1 for none
     */
    long lastAddConfirmed();

    /**
     * Asks the bookies (or metadata, when the ledger was closed meanwhile) for the newest last add confirmed: Qw - Qa + 1 of each write set must answer, or Qa if
     * those are fewer. When Qa is more than half of Qw, one of them then knows whatever the writer has told its bookies before this call; otherwise
     * the ledger is confirmed at least so far. The writer tells them that an entry is confirmed with the next one that it appends, or soon after the last one
     * ({@code ledger.publish-delay}): what was acknowledged a moment ago may still be missing.
     *
     * @return completes with it, -1 for none; fails with {@link LedgerException.NotEnoughBookies} when too few answer (retryable; {@link #lastAddConfirmed} then
     *     tells what those know: at least so far it is confirmed), and with {@link LedgerException.LedgerGone}, {@link LedgerException.MetadataFailed} and
     *     {@link LedgerException.HandleClosed}
     */
    CompletableFuture<Long> refresh();

    /**
     * Reads entries from {@code firstEntryId} on: at least one, at most {@code countMax}, about {@code bytesMax} bytes, never beyond
     * {@link #lastAddConfirmed}.
     *
     * @param firstEntryId the first entry wanted, 0 or more and at most half of {@link Long#MAX_VALUE}
     * @param countMax how many at most, 1 or more; bookies give {@link io.daybook.protocol.Limits#READ_COUNT_MAX} at most
     * @param bytesMax how many bytes of entries at most, 0 or more; the first entry is returned whatever its size
     * @return completes with the entries, which the caller closes; fails with {@link LedgerException.EntryAbsent} when {@code firstEntryId} lies beyond the
     *     last add confirmed, with {@link LedgerException.EntryCorrupt} when every copy of the first entry is damaged, with
     *     {@link LedgerException.EntryUnreadable} when no copy could be reached (retryable), with {@link LedgerException.LedgerGone} when that is because the
     *     ledger was deleted, and with {@link LedgerException.HandleClosed}
     * @throws IllegalArgumentException when a number is out of its range
     */
    CompletableFuture<LedgerEntries> read(long firstEntryId, int countMax, int bytesMax);

    /**
     * As {@link #read}, but may go beyond the last add confirmed: such entries may still vanish.
     *
     * @param firstEntryId the first entry wanted, 0 or more
     * @param countMax how many at most, 1 or more
     * @param bytesMax how many bytes of entries at most, 0 or more
     * @return completes with the entries, which the caller closes; fails as {@link #read} does
     * @throws IllegalArgumentException when a number is out of its range
     */
    CompletableFuture<LedgerEntries> readUnconfirmed(long firstEntryId, int countMax, int bytesMax);

    /**
     * As {@link #read}, but waits until {@code firstEntryId} can be read. Completes with no entries when {@code waitNanos} have passed, or when the ledger was
     * closed before that entry: then {@link #isClosed} is true and {@link #lastAddConfirmed} is below it.
     *
     * @param firstEntryId the first entry wanted, 0 or more
     * @param countMax how many at most, 1 or more
     * @param bytesMax how many bytes of entries at most, 0 or more
     * @param waitNanos how long to wait, in nanoseconds; 0 or less does not wait
     * @return completes with the entries, possibly none, which the caller closes; fails as {@link #read} does, and with {@link LedgerException.LedgerGone}
     *     when the ledger is deleted
     * @throws IllegalArgumentException when a number is out of its range
     */
    CompletableFuture<LedgerEntries> readTail(long firstEntryId, int countMax, int bytesMax, long waitNanos);

    /** Ends reads under way with {@link LedgerException.HandleClosed}. Idempotent. */
    @Override
    void close();
}
