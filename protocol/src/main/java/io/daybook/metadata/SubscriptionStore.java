// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import java.util.concurrent.CompletableFuture;

/** The subscriptions of streams: named positions, changed by compare-and-set on their versions. The stream itself need not exist. */
public interface SubscriptionStore {
    /** Stores a new one; {@link MetadataException.Code#ALREADY_EXISTS} when the stream has one of that id. */
    CompletableFuture<Versioned<SubscriptionMetadata>> create(String stream, SubscriptionMetadata subscription);

    /** Reads one after everything that was acknowledged before this call; {@link MetadataException.Code#NOT_FOUND} when there is none. */
    CompletableFuture<Versioned<SubscriptionMetadata>> read(String stream, String id);

    /** Replaces the one of {@code version}; {@link MetadataException.Code#VERSION_CONFLICT} when it is not of that version any more. */
    CompletableFuture<Versioned<SubscriptionMetadata>> replace(
            String stream, SubscriptionMetadata subscription, long version);

    /**
     * Removes one, whatever its version, in one step with the check that its stream is still of that incarnation; {@link MetadataException.Code#NOT_FOUND} when the stream is not. Success when
     * there is none of that id.
     */
    CompletableFuture<Void> delete(String stream, WriteToken incarnation, String id);

    /** Up to {@code countMax} ids of a stream that follow {@code afterId} (empty for the first page) in the order of their UTF-8 bytes. */
    CompletableFuture<Page<String>> list(String stream, String afterId, int countMax);
}
