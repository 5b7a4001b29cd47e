// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.Page;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A ledger store behind a bad connection: every call takes a while, and changes can be held up, lost, or their answers lost. */
final class FaultyLedgerStore implements LedgerMetadataStore {
    /** What becomes of changes. */
    enum Mode {
        /** They are made. */
        GOOD,
        /** They wait, unmade, until the mode changes. */
        STALLED,
        /** They are refused. */
        UNAVAILABLE,
        /** They are made and the answer is lost. */
        ANSWER_LOST,
        /** They are not made and nobody can know. */
        REQUEST_LOST
    }

    private final SimulatedWorld world;
    private final LedgerMetadataStore store;
    private final long latencyNanos;
    private final List<Runnable> stalled = new ArrayList<>();
    private Mode mode = Mode.GOOD;
    private long readings;

    FaultyLedgerStore(SimulatedWorld world, LedgerMetadataStore store, long latencyNanos) {
        this.world = world;
        this.store = store;
        this.latencyNanos = latencyNanos;
    }

    /** How often metadata was read. */
    long readings() {
        return readings;
    }

    void mode(Mode next) {
        mode = next;
        List<Runnable> released = List.copyOf(stalled);
        stalled.clear();
        released.forEach(Runnable::run);
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata metadata) {
        return later(() -> store.create(metadata));
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId) {
        readings++;
        return later(() -> store.read(ledgerId));
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId) {
        readings++;
        return later(() -> store.readLatest(ledgerId));
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata metadata, long version) {
        return later(() -> change(() -> store.replace(metadata, version)));
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return later(() -> store.delete(ledgerId));
    }

    @Override
    public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
        return later(() -> store.list(afterLedgerId, countMax));
    }

    @Override
    public Watch watch(long ledgerId, Runnable listener) {
        return store.watch(ledgerId, listener);
    }

    private <T> CompletableFuture<T> change(Supplier<CompletableFuture<T>> change) {
        return switch (mode) {
            case GOOD -> change.get();
            case STALLED -> stall(change);
            case UNAVAILABLE -> CompletableFuture.failedFuture(failure(Code.UNAVAILABLE));
            case REQUEST_LOST -> CompletableFuture.failedFuture(failure(Code.OUTCOME_UNKNOWN));
            case ANSWER_LOST ->
                change.get().thenCompose(made -> CompletableFuture.failedFuture(failure(Code.OUTCOME_UNKNOWN)));
        };
    }

    private <T> CompletableFuture<T> stall(Supplier<CompletableFuture<T>> change) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        stalled.add(() -> change(change).whenComplete((value, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(failure);
            } else {
                outcome.complete(value);
            }
        }));
        return outcome;
    }

    private static MetadataException failure(Code code) {
        return new MetadataException(code, "the store is out of reach");
    }

    private <T> CompletableFuture<T> later(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        world.after(
                latencyNanos,
                () -> call.get()
                        .whenComplete((value, failure) -> world.after(latencyNanos, () -> {
                            if (failure != null) {
                                outcome.completeExceptionally(failure);
                            } else {
                                outcome.complete(value);
                            }
                        })));
        return outcome;
    }
}
