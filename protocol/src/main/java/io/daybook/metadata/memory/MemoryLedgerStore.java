// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.LedgerIdAllocator;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.LedgerFormat;
import io.daybook.metadata.memory.MemoryMetadata.Stored;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Ledgers and their ids, in memory. */
final class MemoryLedgerStore implements LedgerMetadataStore, LedgerIdAllocator {
    private final MemoryMetadataStores stores;
    private final MemoryMetadata metadata;

    MemoryLedgerStore(MemoryMetadataStores stores, MemoryMetadata metadata) {
        this.stores = stores;
        this.metadata = metadata;
    }

    @Override
    public CompletableFuture<Long> next() {
        return stores.call(() -> {
            while (isUsed(metadata.nextLedgerId)) {
                metadata.nextLedgerId++;
            }
            return metadata.nextLedgerId++;
        });
    }

    private boolean isUsed(long ledgerId) {
        return metadata.ledgers.containsKey(ledgerId) || metadata.deletedLedgerIds.contains(ledgerId);
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata ledger) {
        long ledgerId = ledger.ledgerId();
        byte[] value = LedgerFormat.encode(ledger);
        return stores.call(() -> {
            MemoryMetadata.require(
                    !isUsed(ledgerId),
                    MetadataException.Code.ALREADY_EXISTS,
                    "ledger id " + ledgerId + " is or was in use");
            return store(ledger, value);
        });
    }

    private Versioned<LedgerMetadata> store(LedgerMetadata ledger, byte[] value) {
        long version = metadata.nextVersion();
        metadata.ledgers.put(ledger.ledgerId(), new Stored(value, version));
        metadata.changed(topic(ledger.ledgerId()));
        return new Versioned<>(ledger, version);
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId) {
        return readLatest(ledgerId);
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId) {
        return stores.call(() -> {
            Stored stored = present(ledgerId);
            return new Versioned<>(LedgerFormat.decode(stored.value(), "ledger " + ledgerId), stored.version());
        });
    }

    private Stored present(long ledgerId) {
        @Nullable Stored stored = metadata.ledgers.get(ledgerId);
        if (stored == null) {
            throw new MetadataException(MetadataException.Code.NOT_FOUND, "there is no ledger " + ledgerId);
        }
        return stored;
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata ledger, long version) {
        byte[] value = LedgerFormat.encode(ledger);
        return stores.call(() -> {
            long present = present(ledger.ledgerId()).version();
            MemoryMetadata.require(
                    present == version,
                    MetadataException.Code.VERSION_CONFLICT,
                    "ledger " + ledger.ledgerId() + " has version " + present + ", not " + version);
            return store(ledger, value);
        });
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return stores.change(() -> {
            if (metadata.ledgers.remove(ledgerId) != null) {
                metadata.deletedLedgerIds.add(ledgerId);
                metadata.changed(topic(ledgerId));
            }
        });
    }

    @Override
    public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
        return stores.call(() -> {
            List<Long> following = metadata.ledgers.tailMap(afterLedgerId, false).keySet().stream()
                    .limit(countMax + 1L)
                    .toList();
            return MemoryStreamStore.page(following, countMax);
        });
    }

    @Override
    public Watch watch(long ledgerId, Runnable listener) {
        return stores.watch(topic(ledgerId), listener);
    }

    private static String topic(long ledgerId) {
        return "ledger " + ledgerId;
    }
}
