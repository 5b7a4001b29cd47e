// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.StreamMetadataStore;
import java.util.concurrent.CompletableFuture;

/** A cluster on which the behaviour of streams is tested. */
interface Stage extends AutoCloseable {
    /** The namespace as a further program sees it; {@code label} names the program. */
    StreamsNamespace namespace(String label);

    /** The outcome of a call, which must come; throws what it failed with. */
    <T> T await(CompletableFuture<T> outcome);

    /** The metadata of streams, behind the back of the programs. */
    StreamMetadataStore metadata();

    @Override
    void close();
}
