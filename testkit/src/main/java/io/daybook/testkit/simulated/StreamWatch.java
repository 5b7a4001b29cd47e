// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Sees every creation, change, rename and deletion of a stream in a world at the moment at which the metadata store makes it, whoever is told of it. */
public final class StreamWatch {
    private final List<BiConsumer<StreamMetadata, StreamMetadata>> onRename = new ArrayList<>();
    private final List<Consumer<Changed>> onChange = new ArrayList<>();
    private final List<Consumer<StreamMetadata>> onCreation = new ArrayList<>();
    private final List<Consumer<StreamMetadata>> onDeletion = new ArrayList<>();

    StreamWatch() {}

    /**
     * A change that was made.
     *
     * @param before the head before
     * @param segments those that there were before, in order
     * @param change what was made of them
     */
    public record Changed(StreamMetadata before, List<SegmentMetadata> segments, StreamChange change) {}

    /** Tells {@code listener} the head of a stream under the name before, and under the name that it has then. */
    public void onRename(BiConsumer<StreamMetadata, StreamMetadata> listener) {
        onRename.add(listener);
    }

    /** Tells {@code listener} each change of a stream that keeps its name. */
    public void onChange(Consumer<Changed> listener) {
        onChange.add(listener);
    }

    /** Tells {@code listener} the head of each stream that is made. */
    public void onCreation(Consumer<StreamMetadata> listener) {
        onCreation.add(listener);
    }

    /** Tells {@code listener} the last head of each stream that is not there any more. */
    public void onDeletion(Consumer<StreamMetadata> listener) {
        onDeletion.add(listener);
    }

    boolean hasListeners() {
        return !onChange.isEmpty();
    }

    void renamed(StreamMetadata before, StreamMetadata after) {
        onRename.forEach(listener -> listener.accept(before, after));
    }

    void changed(Changed changed) {
        onChange.forEach(listener -> listener.accept(changed));
    }

    void created(StreamMetadata head) {
        onCreation.forEach(listener -> listener.accept(head));
    }

    void deleted(StreamMetadata last) {
        onDeletion.forEach(listener -> listener.accept(last));
    }
}
