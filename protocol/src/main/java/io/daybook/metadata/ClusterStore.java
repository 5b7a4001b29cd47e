// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import io.daybook.metadata.model.ClusterInfo;
import java.util.concurrent.CompletableFuture;

/** What the cluster is. */
public interface ClusterStore {
    /** Makes the cluster, once; fails with {@link MetadataException.Code#ALREADY_EXISTS} when one is there. */
    CompletableFuture<Void> initialize(ClusterInfo info);

    /** Reads it; {@link MetadataException.Code#NOT_FOUND} when no cluster was initialised here. */
    CompletableFuture<ClusterInfo> read();
}
