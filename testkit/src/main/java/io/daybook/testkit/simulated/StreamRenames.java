// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.metadata.model.StreamMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Sees every rename of a stream in a world at the moment at which the metadata store makes it, whoever is told of it. */
public final class StreamRenames {
    private final List<BiConsumer<StreamMetadata, StreamMetadata>> listeners = new ArrayList<>();

    StreamRenames() {}

    /** Tells {@code listener} the head of a stream under the name before, and under the name that it has then. */
    public void onRename(BiConsumer<StreamMetadata, StreamMetadata> listener) {
        listeners.add(listener);
    }

    void made(StreamMetadata before, StreamMetadata after) {
        listeners.forEach(listener -> listener.accept(before, after));
    }
}
