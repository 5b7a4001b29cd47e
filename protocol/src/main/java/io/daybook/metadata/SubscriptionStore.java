// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.concurrent.CompletableFuture;

/**
 * The subscriptions of streams: named positions, changed by compare-and-set on their versions. They are kept where the segments of their stream are, so each call takes a head of
 * the stream; one that is not the present one will do, also under a name that the stream has no more.
 */
public interface SubscriptionStore {
    /**
     * Stores a new one; {@link MetadataException.Code#ALREADY_EXISTS} when the stream has one of that id, {@link MetadataException.Code#NOT_FOUND} when there is no such stream
     * any more.
     */
    CompletableFuture<Versioned<SubscriptionMetadata>> create(StreamMetadata stream, SubscriptionMetadata subscription);

    /** Reads one after everything that was acknowledged before this call; {@link MetadataException.Code#NOT_FOUND} when there is none. */
    CompletableFuture<Versioned<SubscriptionMetadata>> read(StreamMetadata stream, String id);

    /** Replaces the one of {@code version}; {@link MetadataException.Code#VERSION_CONFLICT} when it is not of that version any more. */
    CompletableFuture<Versioned<SubscriptionMetadata>> replace(
            StreamMetadata stream, SubscriptionMetadata subscription, long version);

    /**
     * Removes one, whatever its version; {@link MetadataException.Code#NOT_FOUND} when there is no such stream any more. Success when there is none of that id.
     */
    CompletableFuture<Void> delete(StreamMetadata stream, String id);

    /** Up to {@code countMax} ids of a stream that follow {@code afterId} (empty for the first page) in the order of their UTF-8 bytes; none when it is not there any more. */
    CompletableFuture<Page<String>> list(StreamMetadata stream, String afterId, int countMax);
}
