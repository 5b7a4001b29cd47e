// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The writer of a ledger, whoever gives the ids of its entries. */
final class Pen {
    private final long ledgerId;
    private final Appending appending;
    private final Supplier<CompletableFuture<Void>> ready;
    private final Supplier<CompletableFuture<Long>> force;
    private final Supplier<CompletableFuture<Long>> close;

    private Pen(
            long ledgerId,
            Appending appending,
            Supplier<CompletableFuture<Void>> ready,
            Supplier<CompletableFuture<Long>> force,
            Supplier<CompletableFuture<Long>> close) {
        this.ledgerId = ledgerId;
        this.appending = appending;
        this.ready = ready;
        this.force = force;
        this.close = close;
    }

    private interface Appending {
        void append(long entryId, ByteBuf payload, AppendListener listener);
    }

    /** Of a writer that gives the ids itself. */
    static Pen of(LedgerWriter writer) {
        return new Pen(
                writer.ledgerId(),
                (entryId, payload, listener) -> writer.append(payload, listener),
                writer::ready,
                writer::force,
                writer::close);
    }

    /** Of a writer that is given the ids. */
    static Pen of(AdvancedLedgerWriter writer) {
        return new Pen(writer.ledgerId(), writer::append, writer::ready, writer::force, writer::close);
    }

    long ledgerId() {
        return ledgerId;
    }

    /** Appends; the id counts only where the caller gives it. */
    void append(long entryId, ByteBuf payload, AppendListener listener) {
        appending.append(entryId, payload, listener);
    }

    CompletableFuture<Void> ready() {
        return ready.get();
    }

    CompletableFuture<Long> force() {
        return force.get();
    }

    CompletableFuture<Long> close() {
        return close.get();
    }
}
