// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.memory.MemoryMetadata.Live;
import io.daybook.metadata.memory.MemoryMetadata.Stored;
import io.daybook.metadata.memory.MemoryMetadata.Stream;
import io.daybook.protocol.BookieId;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The contract's view of metadata in memory: everything has happened when the call returns. */
final class MemoryFixture implements MetadataFixture {
    private final MemoryMetadata metadata = new MemoryMetadata();

    @Override
    public MetadataStores open() {
        return new MemoryMetadataStores(metadata);
    }

    @Override
    public void await(BooleanSupplier condition) {
        if (!condition.getAsBoolean()) {
            throw new AssertionError("memory has nothing to wait for");
        }
    }

    @Override
    public void plantCluster(byte[] value) {
        metadata.cluster = Optional.of(value);
    }

    @Override
    public void plantLedger(long ledgerId, byte[] value) {
        metadata.ledgers.put(ledgerId, new Stored(value, metadata.nextVersion()));
    }

    @Override
    public void plantCookie(BookieId bookieId, byte[] value) {
        metadata.cookies.put(bookieId, value);
    }

    @Override
    public void plantStream(String name, byte[] value) {
        Stored head = new Stored(value, metadata.nextVersion());
        metadata.streams.put(name, new Stream(head, stream(name).segments()));
    }

    @Override
    public void plantSegment(String name, long number, byte[] value) {
        stream(name).segments().put(number, value);
    }

    private Stream stream(String name) {
        return Objects.requireNonNull(metadata.streams.get(name), name);
    }

    @Override
    public void plantLock(String name, byte[] value) {
        metadata.locks.put(name, new Live(value, this));
    }

    @Override
    public void close() {}
}
