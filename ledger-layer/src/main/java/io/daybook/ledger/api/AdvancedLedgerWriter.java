// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/**
 * The one writer of a ledger whose caller gives the entry ids: 0, 1, 2, … without a gap in the end, but in any order. An entry beyond a gap waits in the
 * handle, unsent, until the gap is closed; so acknowledgements come in the order of the ids, and whatever is promised of a {@link LedgerWriter} holds.
 *
 * <p><i>Threading:</i> any thread. Outcomes are told on {@link #loop}.
 */
public interface AdvancedLedgerWriter {
    /** {@return the ledger} */
    long ledgerId();

    /** {@return the loop on which this writer lives} */
    EventLoop loop();

    /**
     * Appends the entry of that id. Consumes the buffer, whatever happens; its bytes must not change afterwards. Fails with
     * {@link LedgerException.DuplicateEntry} when an entry of that id was appended before, acknowledged or not, and with {@link LedgerException.NoRoom} when
     * {@code ledger.writer-bytes-max} bytes wait beyond a gap; the entry that closes the gap is always taken. Neither harms the writer.
     *
     * @param entryId 0 or more
     * @param payload at most {@link io.daybook.protocol.Limits#ENTRY_PAYLOAD_BYTES_MAX} bytes; a larger one fails with
     *     {@link LedgerException.TooLarge} and leaves its id free
     * @param listener told exactly once
     * @throws IllegalArgumentException when the id is negative
     */
    void append(long entryId, ByteBuf payload, AppendListener listener);

    /**
     * As {@link #append(long, ByteBuf, AppendListener)}.
     *
     * @param entryId 0 or more
     * @param payload at most {@link io.daybook.protocol.Limits#ENTRY_PAYLOAD_BYTES_MAX} bytes
     * @return completes with the entry id, when the entry is durable or, with deferred sync, accepted; fails with the {@link LedgerException} that the listener would be told
     * @throws IllegalArgumentException when the id is negative
     */
    default CompletableFuture<Long> append(long entryId, ByteBuf payload) {
        CompletableFuture<Long> outcome = new CompletableFuture<>();
        append(entryId, payload, AppendListener.completing(outcome));
        return outcome;
    }

    /**
     * As {@link LedgerWriter#ready}: there is room for the entry that is next.
     *
     * @return completes when there is room; never fails
     */
    CompletableFuture<Void> ready();

    /**
     * As {@link LedgerWriter#force}, for the entries up to the first gap.
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
     * Waits for the appends under way up to the first gap and closes the ledger there; those beyond it fail with {@link LedgerException.HandleClosed}.
     *
     * @return as of {@link LedgerWriter#close}
     */
    CompletableFuture<Long> close();

    /**
     * As {@link LedgerWriter#failure}.
     *
     * @return completes, with the reason, when this writer fails
     */
    CompletableFuture<LedgerException> failure();
}
