// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.SubscriptionStore;
import io.daybook.metadata.format.SubscriptionFormat;
import io.daybook.metadata.memory.MemoryMetadata.Stored;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.List;
import java.util.NavigableMap;
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

    /** Those of the stream of {@code head}; fails when there is no such stream any more. */
    static NavigableMap<String, Stored> of(MemoryMetadata metadata, StreamMetadata head) {
        @Nullable NavigableMap<String, Stored> present = metadata.subscriptions.get(head.identity());
        if (present == null) {
            throw new MetadataException(
                    Code.NOT_FOUND, "stream " + StreamNames.quoted(head.name()) + " is not there any more");
        }
        return present;
    }

    private static String what(StreamMetadata stream, String id) {
        return "subscription " + StreamNames.quoted(id) + " of stream " + StreamNames.quoted(stream.name());
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> create(
            StreamMetadata stream, SubscriptionMetadata created) {
        byte[] value = SubscriptionFormat.encode(stream, created);
        return stores.call(() -> {
            MemoryMetadata.require(
                    !of(metadata, stream).containsKey(created.id()),
                    Code.ALREADY_EXISTS,
                    what(stream, created.id()) + " exists");
            return store(stream, created, value);
        });
    }

    private Versioned<SubscriptionMetadata> store(StreamMetadata stream, SubscriptionMetadata stored, byte[] value) {
        long version = metadata.nextVersion();
        of(metadata, stream).put(stored.id(), new Stored(value, version));
        return new Versioned<>(stored, version);
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> read(StreamMetadata stream, String id) {
        return stores.call(() -> {
            Stored present = present(stream, id);
            return new Versioned<>(
                    SubscriptionFormat.decode(stream, present.value(), what(stream, id)), present.version());
        });
    }

    private Stored present(StreamMetadata stream, String id) {
        @Nullable Stored present = of(metadata, stream).get(id);
        if (present == null) {
            throw new MetadataException(Code.NOT_FOUND, "there is no " + what(stream, id));
        }
        return present;
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> replace(
            StreamMetadata stream, SubscriptionMetadata next, long version) {
        byte[] value = SubscriptionFormat.encode(stream, next);
        return stores.call(() -> {
            MemoryMetadata.require(
                    present(stream, next.id()).version() == version,
                    Code.VERSION_CONFLICT,
                    what(stream, next.id()) + " no longer has version " + version);
            return store(stream, next, value);
        });
    }

    @Override
    public CompletableFuture<Void> delete(StreamMetadata stream, String id) {
        return stores.change(() -> of(metadata, stream).remove(id));
    }

    @Override
    public CompletableFuture<Page<String>> list(StreamMetadata stream, String afterId, int countMax) {
        return stores.call(() -> {
            @Nullable NavigableMap<String, Stored> present = metadata.subscriptions.get(stream.identity());
            List<String> following = present == null
                    ? List.of()
                    : present.tailMap(afterId, false).keySet().stream()
                            .limit(countMax + 1L)
                            .toList();
            return MemoryStreamStore.page(following, countMax);
        });
    }
}
