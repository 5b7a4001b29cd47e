// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

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
import io.daybook.simulation.workload.Stage;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/**
 * The ledger client below streams: tells the stage which ledgers their owners and keepers begin to delete, and the model which entries are acknowledged, as programs
 * that use ledgers themselves do. <i>Threading:</i> the thread that drives the world.
 */
final class WatchedClient implements LedgerClient {
    private final LedgerClient client;
    private final Stage stage;

    WatchedClient(LedgerClient client, Stage stage) {
        this.client = client;
        this.stage = stage;
    }

    @Override
    public CompletableFuture<LedgerWriter> create(CreateOptions options) {
        return client.create(options).thenApply(writer -> new WatchedWriter(writer, stage));
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        stage.register().deletionBegun(ledgerId);
        return client.delete(ledgerId);
    }

    @Override
    public CompletableFuture<LedgerReader> open(long ledgerId, OpenOptions options) {
        return client.open(ledgerId, options);
    }

    @Override
    public CompletableFuture<LedgerReader> recover(long ledgerId, OpenOptions options) {
        return client.recover(ledgerId, options);
    }

    @Override
    public CompletableFuture<AdvancedLedgerWriter> createAdvanced(CreateOptions options) {
        return client.createAdvanced(options);
    }

    @Override
    public CompletableFuture<Void> fence(long ledgerId) {
        return client.fence(ledgerId);
    }

    @Override
    public CompletableFuture<LedgerReport> verify(long ledgerId, OpenOptions options) {
        return client.verify(ledgerId, options);
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> metadata(long ledgerId) {
        return client.metadata(ledgerId);
    }

    @Override
    public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
        return client.list(afterLedgerId, countMax);
    }

    @Override
    public void onDamage(DamageListener listener) {
        client.onDamage(listener);
    }

    @Override
    public long heldBytes() {
        return client.heldBytes();
    }

    @Override
    public EventLoop assignLoop() {
        return client.assignLoop();
    }

    @Override
    public CompletableFuture<Void> shutdown() {
        return client.shutdown();
    }

    /** Tells the model of an acknowledgement before it tells the owner. */
    private record WatchedWriter(LedgerWriter writer, Stage stage) implements LedgerWriter {
        @Override
        public void append(ByteBuf payload, AppendListener listener) {
            writer.append(payload, new AppendListener() {
                @Override
                public void appended(long entryId) {
                    stage.monitor().acknowledged(writer.ledgerId(), entryId);
                    listener.appended(entryId);
                }

                @Override
                public void failed(LedgerException failure) {
                    listener.failed(failure);
                }
            });
        }

        @Override
        public long ledgerId() {
            return writer.ledgerId();
        }

        @Override
        public EventLoop loop() {
            return writer.loop();
        }

        @Override
        public long lastAddConfirmed() {
            return writer.lastAddConfirmed();
        }

        @Override
        public long lengthBytes() {
            return writer.lengthBytes();
        }

        @Override
        public CompletableFuture<Long> force() {
            return writer.force();
        }

        @Override
        public CompletableFuture<Void> ready() {
            return writer.ready();
        }

        @Override
        public long pendingBytes() {
            return writer.pendingBytes();
        }

        @Override
        public CompletableFuture<Long> close() {
            return writer.close();
        }

        @Override
        public CompletableFuture<LedgerException> failure() {
            return writer.failure();
        }
    }
}
