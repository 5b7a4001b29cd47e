// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DamageListener;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The API of ledgers over {@link MemoryLedgers}. <i>Threading:</i> any thread; everything happens on the loop of the handle. */
final class MemoryLedgerClient implements LedgerClient {
    private final MemoryLedgers ledgers;
    private final EventLoop loop;
    private final List<MemoryLedgerWriter> writers = new ArrayList<>();
    private boolean holdsBack;

    MemoryLedgerClient(MemoryLedgers ledgers, EventLoop loop) {
        this.ledgers = ledgers;
        this.loop = loop;
    }

    /** Whether entries of this client's writers stay on their way. On the loop. */
    boolean holdsBack() {
        return holdsBack;
    }

    /** From now on entries stay on their way, or go on. */
    void holdBack(boolean hold) {
        loop.execute(() -> {
            holdsBack = hold;
            writers.forEach(MemoryLedgerWriter::goOn);
        });
    }

    /** The next entry of each writer fails with unknown outcome, stored or not. */
    void failNextEntry(boolean isStored) {
        loop.execute(() -> writers.forEach(writer -> writer.failNext(isStored)));
    }

    /** Entries of the present writers are not even taken. */
    void throwFromNowOn(Error error) {
        loop.execute(() -> writers.forEach(writer -> writer.throwFromNowOn(error)));
    }

    private <T> CompletableFuture<T> later(Supplier<T> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                outcome.complete(call.get());
            } catch (LedgerException failure) {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome;
    }

    @Override
    public CompletableFuture<LedgerWriter> create(CreateOptions options) {
        return later(() -> {
            MemoryLedgerWriter writer = new MemoryLedgerWriter(this, ledgers.create(options), loop);
            writers.add(writer);
            return writer;
        });
    }

    @Override
    public CompletableFuture<LedgerReader> open(long ledgerId, OpenOptions options) {
        return later(() -> new MemoryLedgerReader(ledgers.opened(ledgerId, options.digestKey()), loop));
    }

    @Override
    public CompletableFuture<LedgerReader> recover(long ledgerId, OpenOptions options) {
        return later(() -> {
            ledgers.opened(ledgerId, options.digestKey()).recover();
            return new MemoryLedgerReader(ledgers.ledger(ledgerId), loop);
        });
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        loop.execute(() -> {
            ledgers.delete(ledgerId);
            outcome.complete(null);
        });
        return outcome;
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> metadata(long ledgerId) {
        return later(() -> new Versioned<>(ledgers.ledger(ledgerId).metadata(), 0));
    }

    @Override
    public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
        return later(() -> {
            List<Long> ids = ledgers.ids().stream()
                    .filter(id -> id > afterLedgerId)
                    .limit(countMax + 1L)
                    .toList();
            boolean isLast = ids.size() <= countMax;
            return new Page<>(isLast ? ids : ids.subList(0, countMax), isLast);
        });
    }

    @Override
    public CompletableFuture<AdvancedLedgerWriter> createAdvanced(CreateOptions options) {
        throw new UnsupportedOperationException("streams give no entry ids");
    }

    @Override
    public CompletableFuture<Void> fence(long ledgerId) {
        return later(() -> {
                    ledgers.ledger(ledgerId).fence();
                    return true;
                })
                .thenAccept(fenced -> {});
    }

    @Override
    public CompletableFuture<LedgerReport> verify(long ledgerId, OpenOptions options) {
        throw new UnsupportedOperationException("streams do not verify");
    }

    @Override
    public void onDamage(DamageListener listener) {}

    @Override
    public long heldBytes() {
        return 0;
    }

    @Override
    public EventLoop assignLoop() {
        return loop;
    }

    @Override
    public CompletableFuture<Void> shutdown() {
        return CompletableFuture.completedFuture(null);
    }
}
