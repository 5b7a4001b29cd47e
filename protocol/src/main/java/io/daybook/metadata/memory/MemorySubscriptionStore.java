// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.SubscriptionStore;
import io.daybook.metadata.format.StreamFormat;
import io.daybook.metadata.format.SubscriptionFormat;
import io.daybook.metadata.memory.MemoryMetadata.Stored;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Subscriptions of streams, in memory. */
final class MemorySubscriptionStore implements SubscriptionStore {
    private final MemoryMetadataStores stores;
    private final MemoryMetadata metadata;

    MemorySubscriptionStore(MemoryMetadataStores stores, MemoryMetadata metadata) {
        this.stores = stores;
        this.metadata = metadata;
    }

    private NavigableMap<String, Stored> of(String stream) {
        return metadata.subscriptions.computeIfAbsent(stream, first -> new TreeMap<>(StreamNames.ORDER));
    }

    private static String what(String stream, String id) {
        return "subscription " + StreamNames.quoted(id) + " of stream " + StreamNames.quoted(stream);
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> create(String stream, SubscriptionMetadata created) {
        byte[] value = SubscriptionFormat.encode(created);
        return stores.call(() -> {
            MemoryMetadata.require(
                    !of(stream).containsKey(created.id()), Code.ALREADY_EXISTS, what(stream, created.id()) + " exists");
            return store(stream, created, value);
        });
    }

    private Versioned<SubscriptionMetadata> store(String stream, SubscriptionMetadata stored, byte[] value) {
        long version = metadata.nextVersion();
        of(stream).put(stored.id(), new Stored(value, version));
        return new Versioned<>(stored, version);
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> read(String stream, String id) {
        return stores.call(() -> {
            Stored present = present(stream, id);
            return new Versioned<>(SubscriptionFormat.decode(present.value(), what(stream, id)), present.version());
        });
    }

    private Stored present(String stream, String id) {
        @Nullable Stored present = of(stream).get(id);
        if (present == null) {
            throw new MetadataException(Code.NOT_FOUND, "there is no " + what(stream, id));
        }
        return present;
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> replace(
            String stream, SubscriptionMetadata next, long version) {
        byte[] value = SubscriptionFormat.encode(next);
        return stores.call(() -> {
            MemoryMetadata.require(
                    present(stream, next.id()).version() == version,
                    Code.VERSION_CONFLICT,
                    what(stream, next.id()) + " no longer has version " + version);
            return store(stream, next, value);
        });
    }

    @Override
    public CompletableFuture<Void> delete(String stream, WriteToken incarnation, String id) {
        return stores.change(() -> {
            MemoryMetadata.@Nullable Stream present = metadata.streams.get(stream);
            String what = "stream " + StreamNames.quoted(stream);
            boolean isThere = present != null
                    && StreamFormat.decode(present.head().value(), what)
                            .incarnation()
                            .equals(incarnation);
            MemoryMetadata.require(isThere, Code.NOT_FOUND, "there is no " + what + " of that incarnation");
            of(stream).remove(id);
        });
    }

    @Override
    public CompletableFuture<Page<String>> list(String stream, String afterId, int countMax) {
        return stores.call(() -> {
            List<String> following = of(stream).tailMap(afterId, false).keySet().stream()
                    .limit(countMax + 1L)
                    .toList();
            return MemoryStreamStore.page(following, countMax);
        });
    }
}
