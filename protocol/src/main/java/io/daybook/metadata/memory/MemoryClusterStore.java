// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.ClusterStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.format.ClusterFormat;
import io.daybook.metadata.model.ClusterInfo;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What the cluster is, in memory. */
final class MemoryClusterStore implements ClusterStore {
    private final MemoryMetadataStores stores;
    private final MemoryMetadata metadata;

    MemoryClusterStore(MemoryMetadataStores stores, MemoryMetadata metadata) {
        this.stores = stores;
        this.metadata = metadata;
    }

    @Override
    public CompletableFuture<Void> initialize(ClusterInfo info) {
        byte[] value = ClusterFormat.encode(info);
        return stores.change(() -> {
            MemoryMetadata.require(
                    metadata.cluster.isEmpty(),
                    MetadataException.Code.ALREADY_EXISTS,
                    "a cluster was already initialised in this memory");
            metadata.cluster = Optional.of(value);
        });
    }

    @Override
    public CompletableFuture<ClusterInfo> read() {
        return stores.call(() -> ClusterFormat.decode(
                metadata.cluster.orElseThrow(() -> new MetadataException(
                        MetadataException.Code.NOT_FOUND, "no cluster was initialised in this memory")),
                "the cluster"));
    }
}
