// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Outcomes;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/**
 * What an application holds of a {@link QuorumWriter}: hands each call to the writer's loop.
 *
 * <p><i>Threading:</i> any thread.
 */
public final class WriterHandle implements LedgerWriter {
    private final HandleContext context;
    private final QuorumWriter writer;

    /** Begins to write a new ledger, on the context's loop. */
    public WriterHandle(
            HandleContext context, Versioned<LedgerMetadata> created, EntryForm form, CreateOptions options) {
        this.context = context;
        this.writer = new QuorumWriter(context, created, form, options);
    }

    /** The same writer for a caller who gives the ids. Whoever takes it must not append here. */
    public AdvancedLedgerWriter advanced() {
        return new AdvancedHandle(context, writer);
    }

    @Override
    public long ledgerId() {
        return writer.ledgerId();
    }

    @Override
    public EventLoop loop() {
        return context.loop();
    }

    @Override
    public void append(ByteBuf payload, AppendListener listener) {
        requireUsable(payload);
        if (context.loop().isInLoop()) {
            writer.accept(payload, listener);
        } else if (!context.run(() -> writer.accept(payload, listener))) {
            payload.release();
            listener.failed(Termination.closed(ledgerId()).with(Outcome.FAILED));
        }
    }

    /** Throws {@link IllegalArgumentException} when the buffer was given back already: on the loop that would stop everybody. */
    static void requireUsable(ByteBuf payload) {
        if (payload.refCnt() == 0) {
            throw new IllegalArgumentException("the buffer of an append was released already");
        }
    }

    @Override
    public CompletableFuture<Long> append(ByteBuf payload) {
        CompletableFuture<Long> outcome = context.internal().future();
        append(payload, AppendListener.completing(outcome));
        return outcome;
    }

    @Override
    public CompletableFuture<Long> force() {
        CompletableFuture<Long> caller = context.internal().future();
        if (!context.runInTurn(() -> writer.force(writer.nextToBegin(), caller))) {
            caller.completeExceptionally(Termination.closed(ledgerId()).with(Outcome.UNKNOWN));
        }
        return caller;
    }

    @Override
    public CompletableFuture<Void> ready() {
        CompletableFuture<Void> caller = context.internal().future();
        if (!context.run(() -> writer.whenRoom(caller))) {
            caller.complete(null);
        }
        return caller;
    }

    @Override
    public long lastAddConfirmed() {
        return writer.progress().lastAddConfirmed();
    }

    @Override
    public long lengthBytes() {
        return writer.progress().lengthBytes();
    }

    @Override
    public long pendingBytes() {
        return writer.progress().pendingBytes();
    }

    @Override
    public CompletableFuture<Long> close() {
        context.run(writer::drain);
        return Outcomes.view(writer.progress().closed(), context.internal());
    }

    @Override
    public CompletableFuture<LedgerException> failure() {
        return Outcomes.view(writer.progress().failure(), context.internal());
    }

    /** Completes when the writer has ended in whatever way. */
    public CompletableFuture<Void> ended() {
        return writer.progress().ended();
    }

    /** Ends the writer without closing the ledger, on the loop. */
    public void abandon() {
        writer.abandon();
    }
}
