// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A reader of a ledger in memory: knows what it saw when it last asked. <i>Threading:</i> its loop. */
final class MemoryLedgerReader implements LedgerReader {
    private final MemoryLedgers.Ledger ledger;
    private final EventLoop loop;
    private final List<CompletableFuture<?>> underWay = new ArrayList<>();
    private volatile LedgerMetadata metadata;
    private volatile long lastAddConfirmed;
    private volatile boolean isOver;

    MemoryLedgerReader(MemoryLedgers.Ledger ledger, EventLoop loop) {
        this.ledger = ledger;
        this.loop = loop;
        this.metadata = ledger.metadata();
        this.lastAddConfirmed = metadata.state() == LedgerState.CLOSED ? metadata.lastEntryId() : -1;
    }

    private record Entries(List<Entry> list, long lastAddConfirmed) implements LedgerEntries {
        @Override
        public void close() {}
    }

    private void look() {
        metadata = ledger.metadata();
        lastAddConfirmed = Math.max(lastAddConfirmed, ledger.confirmed());
    }

    private <T> CompletableFuture<T> later(Supplier<T> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                requireOpen();
                ledger.requireExists(Outcome.FAILED);
                outcome.complete(call.get());
            } catch (LedgerException failure) {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome;
    }

    private void requireOpen() {
        if (isOver) {
            throw new LedgerException.HandleClosed("the reader was closed", Outcome.FAILED);
        }
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
    public LedgerMetadata metadata() {
        return metadata;
    }

    @Override
    public boolean isClosed() {
        return metadata.state() == LedgerState.CLOSED;
    }

    @Override
    public long lastAddConfirmed() {
        return lastAddConfirmed;
    }

    @Override
    public CompletableFuture<Long> refresh() {
        return later(() -> {
            look();
            ledger.requireEnoughAnswers();
            return lastAddConfirmed;
        });
    }

    @Override
    public CompletableFuture<LedgerEntries> read(long firstEntryId, int countMax, int bytesMax) {
        return later(() -> readUpTo(lastAddConfirmed, firstEntryId, countMax, bytesMax));
    }

    @Override
    public CompletableFuture<LedgerEntries> readUnconfirmed(long firstEntryId, int countMax, int bytesMax) {
        return later(() -> readUpTo(isClosed() ? lastAddConfirmed : Long.MAX_VALUE, firstEntryId, countMax, bytesMax));
    }

    private LedgerEntries readUpTo(long last, long firstEntryId, int countMax, int bytesMax) {
        List<LedgerEntries.Entry> entries = new ArrayList<>();
        for (byte[] bytes : ledger.read(firstEntryId, last, countMax, bytesMax)) {
            long entryId = firstEntryId + entries.size();
            entries.add(new LedgerEntries.Entry(ledger.id(), entryId, Unpooled.wrappedBuffer(bytes)));
        }
        if (entries.isEmpty()) {
            throw new LedgerException.EntryAbsent("entry " + firstEntryId + " of ledger " + ledger.id());
        }
        return new Entries(entries, lastAddConfirmed);
    }

    @Override
    public CompletableFuture<LedgerEntries> readTail(long firstEntryId, int countMax, int bytesMax, long waitNanos) {
        CompletableFuture<LedgerEntries> outcome = new CompletableFuture<>();
        loop.execute(() -> {
            underWay.removeIf(CompletableFuture::isDone);
            underWay.add(outcome);
            loop.schedule(waitNanos, () -> outcome.complete(new Entries(List.of(), lastAddConfirmed)));
            await(outcome, () -> readUpTo(lastAddConfirmed, firstEntryId, countMax, bytesMax), firstEntryId);
        });
        return outcome;
    }

    private void await(CompletableFuture<LedgerEntries> outcome, Supplier<LedgerEntries> read, long firstEntryId) {
        if (outcome.isDone()) {
            return;
        }
        try {
            requireOpen();
            ledger.requireExists(Outcome.FAILED);
            look();
            if (ledger.takesWaitInVain()) {
                outcome.complete(new Entries(List.of(), lastAddConfirmed));
            } else if (firstEntryId <= lastAddConfirmed) {
                outcome.complete(read.get());
            } else if (isClosed()) {
                outcome.complete(new Entries(List.of(), lastAddConfirmed));
            } else {
                ledger.onChange(() -> loop.execute(() -> await(outcome, read, firstEntryId)));
            }
        } catch (LedgerException failure) {
            outcome.completeExceptionally(failure);
        }
    }

    @Override
    public void close() {
        isOver = true;
        loop.execute(() -> underWay.forEach(outcome -> outcome.completeExceptionally(
                new LedgerException.HandleClosed("the reader was closed", Outcome.FAILED))));
    }
}
