// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/**
 * The one writer of a ledger. Appends are acknowledged strictly in the order of the calls (L1). A refusal (of too large a payload,
 * or for want of room) leaves the writer well: that append was never begun. After the first other failure of an append none is acknowledged (L15): the
 * writer has failed, {@link #failure} says why, and the ledger must be recovered to learn its end.
 *
 * <p><i>Threading:</i> any thread. Outcomes are told on {@link #loop}.
 */
public interface LedgerWriter {
    /** {@return the ledger} */
    long ledgerId();

    /** {@return the loop on which this writer lives} */
    EventLoop loop();

    /**
     * Appends one entry. Consumes the buffer, whatever happens; its bytes must not change afterwards.
     *
     * <p>An append for which there is no room ({@code ledger.writer-bytes-max}, {@code ledger.bookie-bytes-max}, {@code ledger.client-bytes-max}) waits in the
     * handle, in its turn; its time-out begins when it begins. So {@link #ready} is to be awaited now and then, at least once for every few megabytes. When
     * more than {@code ledger.writer-bytes-max} waits, this append and all after it fail with {@link LedgerException.NoRoom}, until a {@link #ready} that was
     * asked for has completed; the writer is not harmed.
     *
     * @param payload at most {@link io.daybook.protocol.Limits#ENTRY_PAYLOAD_BYTES_MAX} bytes; a larger one fails with
     *     {@link LedgerException.TooLarge} and does not harm the writer
     * @param listener told exactly once how it ended
     * @throws IllegalArgumentException when the buffer was released already
     */
    void append(ByteBuf payload, AppendListener listener);

    /**
     * As {@link #append(ByteBuf, AppendListener)}.
     *
     * @param payload at most {@link io.daybook.protocol.Limits#ENTRY_PAYLOAD_BYTES_MAX} bytes
     * @return completes with the entry id, when the entry is durable or, with deferred sync, accepted; fails with the {@link LedgerException} that the listener
     *     would be told
     */
    default CompletableFuture<Long> append(ByteBuf payload) {
        CompletableFuture<Long> outcome = new CompletableFuture<>();
        append(payload, AppendListener.completing(outcome));
        return outcome;
    }

    /**
     * Makes durable everything that was appended before this call. It is for writers whose ledger was made with {@link CreateOptions#deferringSync}: their
     * appends are <i>accepted</i> when enough bookies hold the entry in memory, in the order of the calls, and acknowledged when it is durable. Only what is
     * acknowledged is confirmed to readers, survives crashes of bookies and is kept by recovery for certain; of what is only accepted a recovery may find
     * some or nothing. Bookies sync also for other reasons, and the writer has them sync by itself when what is not durable fills half of
     * {@code ledger.writer-bytes-max} or {@code ledger.client-bytes-max}, so an entry may be acknowledged without a call. Of other writers it waits for the
     * appends under way.
     *
     * @return completes with the last entry that is acknowledged, -1 for none; fails, when the writer fails before, with why
     */
    CompletableFuture<Long> force();

    /**
     * The last entry that was acknowledged. On the loop it is exact; elsewhere it may lag.
     *
     * @return its id, -1 for none
     */
    long lastAddConfirmed();

    /** {@return payload bytes of all acknowledged entries} */
    long lengthBytes();

    /**
     * Completes when there is room: an append made then begins at once, and all before it have begun. Completes also when the writer has ended, as the next
     * append tells why. A caller that waits for it before each append, on whatever thread, holds no more than the bounds and one entry. On the
     * loop it is often complete already: there, append in a loop while it is, not by recursion from what is attached to it.
     *
     * @return completes when there is room; never fails
     */
    CompletableFuture<Void> ready();

    /** {@return about how many bytes of entries are not acknowledged yet, those that wait for room included} */
    long pendingBytes();

    /**
     * Waits for the appends under way, with deferred sync until they are durable, then closes the ledger at the last one acknowledged. Every call gets the same outcome.
     *
     * @return completes with the closed end, -1 for an empty ledger; fails with {@link LedgerException.Fenced} when somebody else is recovering the ledger or
     *     has recovered it to another end, with {@link LedgerException.MetadataFailed} when the outcome cannot be learned, and with what made the writer fail
     */
    CompletableFuture<Long> close();

    /**
     * Why this writer failed.
     *
     * @return completes, with the reason, when this writer fails; never completes while it works or when it is closed in order
     */
    CompletableFuture<LedgerException> failure();

    /** Told how an append ended, on the writer's loop. */
    interface AppendListener {
        /**
         * With deferred sync: the entry is held by its ack quorum, in memory at least, and so are all before it; {@link #appended} follows when it is durable,
         * or {@link #failed}. Does nothing by default.
         *
         * @param entryId its id
         */
        default void accepted(long entryId) {}

        /**
         * The entry is durable on its ack quorum, and so are all before it.
         *
         * @param entryId its id
         */
        void appended(long entryId);

        /**
         * The entry was not acknowledged; {@link LedgerException#outcome} tells whether it may be in the ledger all the same.
         *
         * @param failure why
         */
        void failed(LedgerException failure);

        /**
         * Completes a future with the entry id or the failure, whichever of all this comes first.
         *
         * @param outcome the future
         * @return the listener
         */
        static AppendListener completing(CompletableFuture<Long> outcome) {
            return new AppendListener() {
                @Override
                public void accepted(long entryId) {
                    outcome.complete(entryId);
                }

                @Override
                public void appended(long entryId) {
                    outcome.complete(entryId);
                }

                @Override
                public void failed(LedgerException failure) {
                    outcome.completeExceptionally(failure);
                }
            };
        }
    }
}
