// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.StreamFormat;
import io.daybook.metadata.memory.MemoryMetadata.Stored;
import io.daybook.metadata.memory.MemoryMetadata.Stream;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Streams and their segments, in memory. */
final class MemoryStreamStore implements StreamMetadataStore {
    private final MemoryMetadataStores stores;
    private final MemoryMetadata metadata;

    MemoryStreamStore(MemoryMetadataStores stores, MemoryMetadata metadata) {
        this.stores = stores;
        this.metadata = metadata;
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> create(StreamMetadata head) {
        StreamFormat.encode(head);
        return stores.call(() -> {
            MemoryMetadata.require(
                    !metadata.streams.containsKey(head.name()),
                    MetadataException.Code.ALREADY_EXISTS,
                    "stream " + StreamNames.quoted(head.name()) + " exists");
            StreamMetadata numbered = head.numberedFrom(
                    metadata.nextOrigins.getOrDefault(StreamNames.bucket(head.name()), StreamMetadata.FIRST_ORIGIN));
            return store(numbered, StreamFormat.encode(numbered), new TreeMap<>());
        });
    }

    private Versioned<StreamMetadata> store(StreamMetadata head, byte[] value, NavigableMap<Long, byte[]> segments) {
        long version = metadata.nextVersion();
        metadata.streams.put(head.name(), new Stream(new Stored(value, version), segments));
        metadata.changed(topic(head.name()));
        return new Versioned<>(head, version);
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> read(String name) {
        return stores.call(() -> {
            Stored head = present(name).head();
            return new Versioned<>(
                    StreamFormat.decode(head.value(), "stream " + StreamNames.quoted(name)), head.version());
        });
    }

    private Stream present(String name) {
        @Nullable Stream stream = metadata.streams.get(name);
        if (stream == null) {
            throw new MetadataException(
                    MetadataException.Code.NOT_FOUND, "there is no stream " + StreamNames.quoted(name));
        }
        return stream;
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> commit(StreamChange change) {
        byte[] value = StreamFormat.encode(change.head());
        Map<Long, byte[]> puts = new TreeMap<>();
        for (SegmentMetadata segment : change.puts()) {
            puts.put(segment.number(), StreamFormat.encodeSegment(segment));
        }
        return stores.call(() -> {
            Stream stream = present(change.head().name());
            requireVersion(change.head().name(), stream, change.version());
            NavigableMap<Long, byte[]> segments = stream.segments();
            segments.keySet().removeAll(change.removals());
            segments.putAll(puts);
            return store(change.head(), value, segments);
        });
    }

    private static void requireVersion(String name, Stream stream, long version) {
        MemoryMetadata.require(
                stream.head().version() == version,
                MetadataException.Code.VERSION_CONFLICT,
                "stream " + StreamNames.quoted(name) + " has version "
                        + stream.head().version() + ", not " + version);
    }

    @Override
    public CompletableFuture<Void> delete(String name, long version) {
        return stores.change(() -> {
            @Nullable Stream stream = metadata.streams.get(name);
            if (stream == null) {
                return;
            }
            requireVersion(name, stream, version);
            MemoryMetadata.require(
                    stream.segments().isEmpty(),
                    MetadataException.Code.VERSION_CONFLICT,
                    "stream " + StreamNames.quoted(name) + " still has segments: remove them first");
            StreamMetadata head = StreamFormat.decode(stream.head().value(), "stream " + StreamNames.quoted(name));
            metadata.nextOrigins.merge(StreamNames.bucket(name), head.nextOrigin(), Math::max);
            metadata.streams.remove(name);
            metadata.changed(topic(name));
        });
    }

    @Override
    public CompletableFuture<Page<SegmentMetadata>> segments(String name, long afterNumber, int countMax) {
        return stores.call(() -> {
            List<SegmentMetadata> following = new ArrayList<>();
            for (Map.Entry<Long, byte[]> entry :
                    present(name).segments().tailMap(afterNumber, false).entrySet()) {
                following.add(StreamFormat.decodeSegment(
                        entry.getValue(), "segment " + entry.getKey() + " of stream " + StreamNames.quoted(name)));
                if (following.size() > countMax) {
                    break;
                }
            }
            return page(following, countMax);
        });
    }

    @Override
    public CompletableFuture<Page<String>> list(String prefix, String afterName, int countMax) {
        return stores.call(() -> {
            String start = StreamNames.ORDER.compare(prefix, afterName) > 0 ? prefix : afterName;
            List<String> following = metadata.streams.tailMap(start, !start.equals(afterName)).keySet().stream()
                    .takeWhile(name -> name.startsWith(prefix))
                    .limit(countMax + 1L)
                    .toList();
            return page(following, countMax);
        });
    }

    @Override
    public Watch watch(String name, Runnable listener) {
        return stores.watch(topic(name), listener);
    }

    private static String topic(String name) {
        return "stream " + name;
    }

    /** The first {@code countMax} of what follows. */
    static <T> Page<T> page(List<T> following, int countMax) {
        if (countMax < 1) {
            throw new IllegalArgumentException("a page has room for " + countMax + " items: ask for at least 1");
        }
        boolean isLast = following.size() <= countMax;
        return new Page<>(isLast ? following : following.subList(0, countMax), isLast);
    }
}
