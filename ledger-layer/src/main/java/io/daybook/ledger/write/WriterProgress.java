// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerException;
import io.daybook.protocol.Limits;
import java.util.concurrent.CompletableFuture;

/**
 * How far a writer has come, as others see it.
 *
 * <p><i>Threading:</i> changed on the writer's loop only; may be read from any thread.
 */
final class WriterProgress {
    private final CompletableFuture<Long> closed = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<LedgerException> failure = new CompletableFuture<>();
    private volatile long lastAddConfirmed = Limits.NO_ENTRY_ID;
    private volatile long lengthBytes;
    private volatile long pendingBytes;

    /** The last entry that was acknowledged. */
    long lastAddConfirmed() {
        return lastAddConfirmed;
    }

    /** Payload bytes of all acknowledged entries. */
    long lengthBytes() {
        return lengthBytes;
    }

    /** Bytes that are not acknowledged yet. */
    long pendingBytes() {
        return pendingBytes;
    }

    /** The end of the ledger, once it is closed. */
    CompletableFuture<Long> closed() {
        return closed;
    }

    /** Why the writer failed, once it has. */
    CompletableFuture<LedgerException> failure() {
        return failure;
    }

    /** Completes when the writer has ended in whatever way. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** An entry is acknowledged. */
    void acknowledged(long entryId, long newLengthBytes) {
        lengthBytes = newLengthBytes;
        lastAddConfirmed = entryId;
    }

    void pending(long bytes) {
        pendingBytes = bytes;
    }

    /** The writer has failed, unless it had ended before. */
    void failed(LedgerException why) {
        closed.completeExceptionally(why);
        failure.complete(why);
    }
}
