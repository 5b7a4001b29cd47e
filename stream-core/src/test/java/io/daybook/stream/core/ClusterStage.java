// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.LedgerClientConfig;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.testkit.cluster.LocalCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A real cluster, which lasts longer than the stage. */
final class ClusterStage implements Stage {
    private final LocalCluster cluster;
    private final List<StreamsNamespace> namespaces = new ArrayList<>();

    ClusterStage(LocalCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public StreamsNamespace namespace(String label) {
        StreamsNamespace namespace = StreamNamespaceProvider.open(cluster.uri(), LedgerClientConfig.defaults());
        namespaces.add(namespace);
        return namespace;
    }

    @Override
    public <T> T await(CompletableFuture<T> outcome) {
        return MemoryStage.awaitOnThread(outcome);
    }

    @Override
    public StreamMetadataStore metadata() {
        return cluster.metadataStores().streams();
    }

    @Override
    public void close() {
        namespaces.forEach(StreamsNamespace::close);
    }
}
