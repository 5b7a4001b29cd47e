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
 * loop of the client: what is attached to them must not block. Waiting there, by {@code get} or {@code join}, for a future of the same client, or
 * for one derived from it, that is not done could never end: it is refused with {@link IllegalStateException} (S-29). Other ways to wait there, such as a latch
 * or {@link CompletableFuture#allOf}, cannot be seen, and hold up all ledgers of that loop.
 */
public interface LedgerClient extends AutoCloseable {
    /**
     * Makes a ledger and its one writer.
     *
     * @param options how it is made
     * @return completes with the writer; fails with {@link LedgerException.NotEnoughBookies} when fewer than E bookies take entries, with
     *     {@link LedgerException.LedgerExists} when the id that was wanted is or was in use, with {@link LedgerException.MetadataFailed} and with
     *     {@link LedgerException.HandleClosed} when the client is shut down
     * @throws IllegalArgumentException when the digest needs a key and there is none, or the loop is not one of this client
     */
    CompletableFuture<LedgerWriter> create(CreateOptions options);

    /**
     * Opens a ledger for reading without disturbing its writer: entries up to the last add confirmed can be read, and followed as it moves.
     *
     * @param ledgerId the ledger
     * @param options how it is opened
     * @return completes with the reader; fails with {@link LedgerException.LedgerGone} when there is no such ledger, with
     *     {@link LedgerException.WrongKey} when the ledger was made with a key and this is another or none, with {@link LedgerException.MetadataFailed} and with
     *     {@link LedgerException.HandleClosed}
     * @throws IllegalArgumentException when the id is negative or the loop is not one of this client
     */
    CompletableFuture<LedgerReader> open(long ledgerId, OpenOptions options);

    /**
     * Opens a ledger for reading after deciding its end: fences it, so that its writer cannot add any more, finds the last entry that may have been
     * acknowledged, and closes the metadata there. Of a closed ledger it is a plain open (L7). When it cannot be decided now
     * nothing of the end is changed.
     *
     * @param ledgerId the ledger
     * @param options how it is opened
     * @return completes with the reader of the closed ledger; fails as {@link #open} does, and with {@link LedgerException.NotEnoughBookies} when too few
     *     bookies answer (retryable)
     * @throws IllegalArgumentException as {@link #open} does
     */
    CompletableFuture<LedgerReader> recover(long ledgerId, OpenOptions options);

    /**
     * As {@link #create}, for a caller who gives the ids of the entries.
     *
     * @param options how it is made
     * @return completes with the writer; fails as {@link #create} does
     * @throws IllegalArgumentException as {@link #create} does
     */
    CompletableFuture<AdvancedLedgerWriter> createAdvanced(CreateOptions options);

    /**
     * Stops the writer of a ledger, whoever it is, without deciding the end: no append that begins once this has completed is ever acknowledged, and
     * acknowledgements of earlier ones may still arrive. {@link #recover} decides the end, now or later. Of a closed ledger nothing changes. No key is needed.
     *
     * @param ledgerId the ledger
     * @return completes when the writer is stopped; fails with {@link LedgerException.NotEnoughBookies} (retryable) when too few bookies answer (the writer
     *     may have been stopped all the same), with {@link LedgerException.LedgerGone}, {@link LedgerException.MetadataFailed} and
     *     {@link LedgerException.HandleClosed}
     * @throws IllegalArgumentException when the id is negative
     */
    CompletableFuture<Void> fence(long ledgerId);

    /**
     * Reads every copy of every entry, up to the last add confirmed, from each bookie that is to keep it and checks it. It takes as long as the ledger is
     * large. A bookie that is too busy is asked again, for up to thirty read time-outs on end; one that does not answer three times running is asked no more.
     *
     * @param ledgerId the ledger
     * @param options how it is opened
     * @return completes with what was found, also when copies are damaged; fails as {@link #open} does, and with
     *     {@link LedgerException.NotEnoughBookies} (retryable) when too few bookies tell how far an open ledger is confirmed
     * @throws IllegalArgumentException as {@link #open} does
     */
    CompletableFuture<LedgerReport> verify(long ledgerId, OpenOptions options);

    /**
     * Deletes a ledger; deleting one that does not exist is success. Bookies give the space back later.
     *
     * @param ledgerId the ledger
     * @return completes when it is gone; fails with {@link LedgerException.MetadataFailed} and {@link LedgerException.HandleClosed}
     * @throws IllegalArgumentException when the id is negative
     */
    CompletableFuture<Void> delete(long ledgerId);

    /**
     * The present metadata of a ledger, after everything acknowledged before.
     *
     * @param ledgerId the ledger
     * @return completes with it; fails with {@link LedgerException.LedgerGone}, {@link LedgerException.MetadataFailed} and
     *     {@link LedgerException.HandleClosed}
     * @throws IllegalArgumentException when the id is negative
     */
    CompletableFuture<Versioned<LedgerMetadata>> metadata(long ledgerId);

    /**
     * A page of ledger ids, rising.
     *
     * @param afterLedgerId all are greater than this one; -1 for the first page
     * @param countMax how many at most, 1 or more
     * @return completes with the page; fails with {@link LedgerException.MetadataFailed} and {@link LedgerException.HandleClosed}
     * @throws IllegalArgumentException when a number is out of its range
     */
    CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax);

    /**
     * Tells of every damaged copy that a handle of this client meets from now on (S-12).
     *
     * @param listener told on a loop of the client
     */
    void onDamage(DamageListener listener);

    /**
     * Bytes of appends that this client holds now: those that are not acknowledged and those that wait for bookies to take them; what waits for several
     * counts for each. For monitoring; it may
     * lag by a moment.
     *
     * @return bytes
     */
    long heldBytes();

    /**
     * A loop of this client. A caller that keeps its own machine on it may pass it in the options, so that both share one thread.
     *
     * @return the loop, each one in its turn
     */
    EventLoop assignLoop();

    /**
     * Closes every handle (writers without closing their ledgers: somebody will recover them) and every link. Copies of entries that are on their way
     * to bookies get up to a second to arrive. Idempotent.
     *
     * @return completes when all is given back; never fails
     */
    CompletableFuture<Void> shutdown();

    /** {@link #shutdown} without waiting. */
    @Override
    default void close() {
        shutdown();
    }
}
