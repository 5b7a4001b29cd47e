// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.metadata.Page;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.EventLoop;
import java.util.concurrent.CompletableFuture;

/**
 * The ledgers of one cluster: quorum-replicated, fenced, recoverable append-only sequences of entries.
 *
 * <p><i>Threading:</i> all methods may be called from any thread and never block. Futures fail with {@link LedgerException} only and complete on a
 * loop of the client: what is attached to them must not block.
 */
public interface LedgerClient extends AutoCloseable {
    /** Makes a ledger and its one writer. Fails with {@link LedgerException.NotEnoughBookies} when fewer than E bookies take entries. */
    CompletableFuture<LedgerWriter> create(CreateOptions options);

    /**
     * Opens a ledger for reading without disturbing its writer: entries up to the last add confirmed can be read, and followed as it moves.
     * Fails with {@link LedgerException.LedgerGone} when there is no such ledger.
     */
    CompletableFuture<LedgerReader> open(long ledgerId, OpenOptions options);

    /**
     * Opens a ledger for reading after deciding its end: fences it, so that its writer cannot add any more, finds the last entry that may have been
     * acknowledged, and closes the metadata there. Of a closed ledger it is a plain open (L7). When it cannot be decided now (too few bookies answer)
     * it fails with a retryable error and changes nothing of the end.
     */
    CompletableFuture<LedgerReader> recover(long ledgerId, OpenOptions options);

    /** As {@link #create}, for a caller who gives the ids of the entries. */
    CompletableFuture<AdvancedLedgerWriter> createAdvanced(CreateOptions options);

    /**
     * Stops the writer of a ledger, whoever it is, without deciding the end: once this has completed, no append is acknowledged any more. {@link #recover}
     * decides the end, now or later. Of a closed ledger nothing changes. Fails with {@link LedgerException.NotEnoughBookies} (retryable) when too few bookies
     * answer; the writer may have been stopped all the same.
     */
    CompletableFuture<Void> fence(long ledgerId);

    /**
     * Reads every copy of every entry, up to the last add confirmed, from each bookie that is to keep it and checks it. It takes as long as the ledger is
     * large.
     */
    CompletableFuture<LedgerReport> verify(long ledgerId, OpenOptions options);

    /** Deletes a ledger; deleting one that does not exist is success. Bookies give the space back later. */
    CompletableFuture<Void> delete(long ledgerId);

    /** The present metadata of a ledger, after everything acknowledged before. */
    CompletableFuture<Versioned<LedgerMetadata>> metadata(long ledgerId);

    /** Up to {@code countMax} ledger ids greater than {@code afterLedgerId} (-1 for the first page), rising. */
    CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax);

    /** Tells {@code listener} from now on of every damaged copy that a handle of this client meets (S-12). */
    void onDamage(DamageListener listener);

    /**
     * Bytes of appends that this client holds now: those that are not acknowledged and those that wait for bookies to take them; what waits for several
     * counts for each. For monitoring; it may
     * lag by a moment.
     */
    long heldBytes();

    /** A loop of this client. A caller that keeps its own machine on it may pass it in the options, so that both share one thread. */
    EventLoop assignLoop();

    /** Closes every handle (writers without closing their ledgers: somebody will recover them) and every link. Idempotent; completes when all is given back. */
    CompletableFuture<Void> shutdown();

    /** {@link #shutdown} without waiting. */
    @Override
    default void close() {
        shutdown();
    }
}
