// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Outcomes;
import io.daybook.protocol.Limits;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Puts appends with ids given by the caller in order, and hands them to a {@link QuorumWriter} as soon as they follow without a gap: that gives them the
 * very ids they have.
 *
 * <p><i>Threading:</i> the public methods may be called from any thread, everything else happens on the writer's loop.
 */
final class AdvancedHandle implements AdvancedLedgerWriter {
    private final HandleContext context;
    private final QuorumWriter writer;
    private final TreeMap<Long, Held> held = new TreeMap<>();
    private final long heldBytesMax;
    private long heldBytes;
    private long next;
    private boolean isWaiting;
    private boolean isClosing;

    AdvancedHandle(HandleContext context, QuorumWriter writer) {
        this.context = context;
        this.writer = writer;
        this.heldBytesMax = context.links().held().bounds().writerBytes();
        writer.progress().ended().thenRun(this::end);
    }

    private record Held(ByteBuf payload, AppendListener listener) {}

    @Override
    public long ledgerId() {
        return writer.ledgerId();
    }

    @Override
    public EventLoop loop() {
        return context.loop();
    }

    @Override
    public void append(long entryId, ByteBuf payload, AppendListener listener) {
        WriterHandle.requireUsable(payload);
        if (entryId < 0) {
            payload.release();
            throw new IllegalArgumentException("an entry id is 0 or more, not " + entryId);
        }
        if (!context.run(() -> accept(entryId, payload, listener))) {
            payload.release();
            listener.failed(Termination.closed(ledgerId()).with(Outcome.FAILED));
        }
    }

    @Override
    public CompletableFuture<Long> append(long entryId, ByteBuf payload) {
        CompletableFuture<Long> outcome = context.internal().future();
        append(entryId, payload, AppendListener.completing(outcome));
        return outcome;
    }

    @Override
    public CompletableFuture<Long> force() {
        CompletableFuture<Long> caller = context.internal().future();
        if (!context.runInTurn(() -> writer.force(firstGap(), caller))) {
            caller.completeExceptionally(Termination.closed(ledgerId()).with(Outcome.UNKNOWN));
        }
        return caller;
    }

    private long firstGap() {
        long gap = next;
        while (held.containsKey(gap)) {
            gap++;
        }
        return gap;
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
    public CompletableFuture<Long> close() {
        context.run(() -> {
            isClosing = true;
            handOn();
        });
        return Outcomes.view(writer.progress().closed(), context.internal());
    }

    @Override
    public CompletableFuture<LedgerException> failure() {
        return Outcomes.view(writer.progress().failure(), context.internal());
    }

    private void accept(long entryId, ByteBuf payload, AppendListener listener) {
        int bytes = payload.readableBytes();
        boolean isNew = entryId >= next && !held.containsKey(entryId);
        boolean fits = entryId == next || heldBytes + bytes <= heldBytesMax;
        // What the writer itself refuses must not close a gap.
        if (isClosing
                || bytes > Limits.ENTRY_PAYLOAD_BYTES_MAX
                || writer.progress().ended().isDone()) {
            writer.refuse(payload, listener);
        } else if (!isNew) {
            refuse(
                    payload,
                    listener,
                    new LedgerException.DuplicateEntry("entry " + entryId + " of ledger " + ledgerId()
                            + " was appended before; give each id once"));
        } else if (!fits) {
            refuse(
                    payload,
                    listener,
                    new LedgerException.NoRoom("the writer of ledger " + ledgerId() + " holds " + heldBytes
                            + " bytes beyond entry " + next + ", which is missing; append that one first"));
        } else {
            held.put(entryId, new Held(payload, listener));
            heldBytes += bytes;
            handOn();
        }
    }

    private void refuse(ByteBuf payload, AppendListener listener, LedgerException refusal) {
        payload.release();
        context.loop().execute(() -> listener.failed(refusal));
    }

    /** Hands on what follows without a gap, as long as the writer begins it at once. */
    private void handOn() {
        while (!isWaiting && held.containsKey(next)) {
            if (!writer.takesAtOnce()) {
                waitForRoom();
                return;
            }
            Held first = take();
            next++;
            writer.accept(first.payload, first.listener);
        }
        if (isClosing && !isWaiting) {
            dropHeld();
            writer.drain();
        }
    }

    private void waitForRoom() {
        isWaiting = true;
        CompletableFuture<Void> room = new CompletableFuture<>();
        room.thenRun(() -> {
            isWaiting = false;
            handOn();
        });
        writer.whenRoom(room);
    }

    private Held take() {
        Held first = held.pollFirstEntry().getValue();
        heldBytes -= first.payload.readableBytes();
        return first;
    }

    private void dropHeld() {
        LedgerException closed = Termination.closed(ledgerId()).refused();
        List<Held> dropped = List.copyOf(held.values());
        held.clear();
        heldBytes = 0;
        dropped.forEach(each -> refuse(each.payload, each.listener, closed));
    }

    /** The writer has ended and says why. */
    private void end() {
        List<Held> left = List.copyOf(held.values());
        held.clear();
        heldBytes = 0;
        left.forEach(each -> writer.refuse(each.payload, each.listener));
    }
}
