// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.runtime.Host;
import io.daybook.runtime.system.SystemHost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Metadata and ledgers in memory, real loops. */
final class MemoryStage implements Stage {
    private final MemoryMetadataStores stores = new MemoryMetadataStores(new MemoryMetadata());
    private final MemoryLedgers ledgers = new MemoryLedgers();
    private final SystemHost host = SystemHost.start();
    private final List<StreamsNamespace> namespaces = new ArrayList<>();
    private final List<MemoryLedgerClient> clients = new ArrayList<>();

    @Override
    public StreamsNamespace namespace(String label) {
        MemoryLedgerClient client = new MemoryLedgerClient(ledgers, host.newLoop(label, Host.LoopKind.STORAGE));
        clients.add(client);
        StreamsNamespace namespace = StreamsNamespace.open(client, stores, host, label);
        namespaces.add(namespace);
        return namespace;
    }

    /** From now on entries of all programs stay on their way, or go on. */
    void holdBack(boolean hold) {
        clients.forEach(client -> client.holdBack(hold));
    }

    @Override
    public <T> T await(CompletableFuture<T> outcome) {
        return awaitOnThread(outcome);
    }

    static <T> T awaitOnThread(CompletableFuture<T> outcome) {
        try {
            return outcome.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw new CompletionException(failed.getCause());
        } catch (InterruptedException | TimeoutException late) {
            throw new AssertionError("no outcome after 30 s", late);
        }
    }

    @Override
    public StreamMetadataStore metadata() {
        return stores.streams();
    }

    @Override
    public void close() {
        namespaces.forEach(StreamsNamespace::close);
        host.close();
    }
}
