// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.api.DigestKey;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.concurrent.CompletableFuture;

/** Metadata and ledgers in memory, simulated loops: one seed gives one run. Every program has a machine of its own. */
final class SimulatedStage implements Stage {
    private static final long AWAIT_NANOS_MAX = 120_000_000_000L;

    private final MemoryMetadata metadata = new MemoryMetadata();
    private final MemoryMetadataStores stores = new MemoryMetadataStores(metadata);
    private final MemoryLedgers ledgers = new MemoryLedgers();
    private final SimulatedWorld world;

    SimulatedStage(long seed) {
        world = new SimulatedWorld(seed);
    }

    /** A program of which a test holds the parts. */
    record Program(StreamsNamespace namespace, MemoryLedgerClient ledgers, EventLoop loop, SimulatedHost host) {}

    Program program(String label, MetadataStores seen) {
        return program(label, DigestKey.NONE, seen);
    }

    /** A program with the key of streams whose entries have an HMAC. */
    Program program(String label, DigestKey key, MetadataStores seen) {
        SimulatedHost host = world.machine(label).start();
        EventLoop loop = host.newLoop("streams", Host.LoopKind.NETWORK);
        MemoryLedgerClient client = new MemoryLedgerClient(ledgers, loop);
        return new Program(StreamsNamespace.open(client, key, seen, host, label), client, loop, host);
    }

    Program program(String label) {
        return program(label, stores);
    }

    @Override
    public StreamsNamespace namespace(String label) {
        return program(label).namespace();
    }

    SimulatedWorld world() {
        return world;
    }

    MemoryLedgers ledgers() {
        return ledgers;
    }

    MetadataStores stores() {
        return stores;
    }

    /** Stores with a session of their own. */
    MemoryMetadataStores newSession() {
        return new MemoryMetadataStores(metadata);
    }

    @Override
    public <T> T await(CompletableFuture<T> outcome) {
        return world.await(outcome, AWAIT_NANOS_MAX);
    }

    @Override
    public StreamMetadataStore metadata() {
        return stores.streams();
    }

    @Override
    public void close() {
        world.runFor(0);
    }
}
