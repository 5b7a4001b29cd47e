// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/** The writer of a ledger, whoever gives the ids of its entries. */
interface Pen {
    long ledgerId();

    /** Appends; the id counts only where the caller gives it. */
    void append(long entryId, ByteBuf payload, AppendListener listener);

    CompletableFuture<Void> ready();

    CompletableFuture<Long> force();

    CompletableFuture<Long> close();

    /** Of a writer that gives the ids itself. */
    static Pen of(LedgerWriter writer) {
        return new Pen() {
            @Override
            public long ledgerId() {
                return writer.ledgerId();
            }

            @Override
            public void append(long entryId, ByteBuf payload, AppendListener listener) {
                writer.append(payload, listener);
            }

            @Override
            public CompletableFuture<Void> ready() {
                return writer.ready();
            }

            @Override
            public CompletableFuture<Long> force() {
                return writer.force();
            }

            @Override
            public CompletableFuture<Long> close() {
                return writer.close();
            }
        };
    }

    /** Of a writer that is given the ids. */
    static Pen of(AdvancedLedgerWriter writer) {
        return new Pen() {
            @Override
            public long ledgerId() {
                return writer.ledgerId();
            }

            @Override
            public void append(long entryId, ByteBuf payload, AppendListener listener) {
                writer.append(entryId, payload, listener);
            }

            @Override
            public CompletableFuture<Void> ready() {
                return writer.ready();
            }

            @Override
            public CompletableFuture<Long> force() {
                return writer.force();
            }

            @Override
            public CompletableFuture<Long> close() {
                return writer.close();
            }
        };
    }
}
