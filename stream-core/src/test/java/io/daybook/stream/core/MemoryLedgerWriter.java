// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The writer of a ledger in memory: stores one entry a turn, in order, and stops at the first failure (L15). <i>Threading:</i> its loop. */
final class MemoryLedgerWriter implements LedgerWriter {
    private static final class Pending {
        private final byte[] bytes;
        private final AppendListener listener;

        private Pending(byte[] bytes, AppendListener listener) {
            this.bytes = bytes;
            this.listener = listener;
        }
    }

    private final MemoryLedgerClient client;
    private final MemoryLedgers.Ledger ledger;
    private final EventLoop loop;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final CompletableFuture<LedgerException> failure = new CompletableFuture<>();
    private final CompletableFuture<Long> closed = new CompletableFuture<>();
    private Optional<LedgerException> stopped = Optional.empty();
    private Optional<Boolean> failsNext = Optional.empty();
    private Optional<Error> throwsNext = Optional.empty();
    private boolean isClosing;
    private boolean isQueued;
    private volatile long lastAddConfirmed = -1;
    private volatile long lengthBytes;
    private volatile long pendingBytes;

    MemoryLedgerWriter(MemoryLedgerClient client, MemoryLedgers.Ledger ledger, EventLoop loop) {
        this.client = client;
        this.ledger = ledger;
        this.loop = loop;
    }

    @Override
    public long ledgerId() {
        return ledger.id();
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public void append(ByteBuf payload, AppendListener listener) {
        if (throwsNext.isPresent()) {
            payload.release();
            throw throwsNext.get();
        }
        byte[] bytes = ByteBufUtil.getBytes(payload);
        payload.release();
        loop.execute(() -> {
            if (stopped.isPresent()) {
                listener.failed(stopped.get());
            } else if (isClosing) {
                listener.failed(new LedgerException.HandleClosed("the writer was closed", Outcome.FAILED));
            } else {
                pending.add(new Pending(bytes, listener));
                addPendingBytes(bytes.length);
                goOn();
            }
        });
    }

    private void addPendingBytes(int bytes) {
        long sum = pendingBytes + bytes;
        pendingBytes = sum;
    }

    void failNext(boolean isStored) {
        failsNext = Optional.of(isStored);
    }

    /** Appends throw from now on, as when memory runs out. */
    void throwFromNowOn(Error error) {
        throwsNext = Optional.of(error);
    }

    void goOn() {
        if (!isQueued) {
            isQueued = true;
            loop.execute(this::step);
        }
    }

    private void step() {
        isQueued = false;
        Pending next = pending.peek();
        if (next == null) {
            ledger.publish(lastAddConfirmed);
            finish();
            return;
        }
        if (client.holdsBack() || stopped.isPresent()) {
            return;
        }
        try {
            if (failsNext.orElse(true)) {
                ledger.store(next.bytes, lastAddConfirmed);
            }
            if (failsNext.isPresent()) {
                throw new LedgerException.NotEnoughBookies("the bookies do not answer", Outcome.UNKNOWN);
            }
        } catch (LedgerException refused) {
            stop(refused);
            return;
        }
        pending.poll();
        long entryId = lastAddConfirmed + 1;
        long length = lengthBytes + next.bytes.length;
        lastAddConfirmed = entryId;
        lengthBytes = length;
        addPendingBytes(-next.bytes.length);
        next.listener.appended(entryId);
        goOn();
    }

    private void stop(LedgerException reason) {
        stopped = Optional.of(reason);
        failure.complete(reason);
        Pending next = pending.poll();
        while (next != null) {
            next.listener.failed(reason);
            next = pending.poll();
        }
        closed.completeExceptionally(reason);
    }

    private void finish() {
        if (isClosing && !closed.isDone()) {
            try {
                ledger.close(lastAddConfirmed);
                closed.complete(lastAddConfirmed);
            } catch (LedgerException refused) {
                closed.completeExceptionally(refused);
            }
        }
    }

    @Override
    public CompletableFuture<Long> force() {
        throw new UnsupportedOperationException("streams defer no sync");
    }

    @Override
    public CompletableFuture<Void> ready() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public long lastAddConfirmed() {
        return lastAddConfirmed;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public long pendingBytes() {
        return pendingBytes;
    }

    @Override
    public CompletableFuture<Long> close() {
        loop.execute(() -> {
            isClosing = true;
            goOn();
        });
        return closed;
    }

    @Override
    public CompletableFuture<LedgerException> failure() {
        return failure;
    }
}
