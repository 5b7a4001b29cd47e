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
import io.daybook.metadata.model.WriteToken;
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
            StreamMetadata numbered = head.numberedFrom(nextOrigin(head.name()));
            if (!numbered.home().isBelowName()) {
                metadata.homes.put(numbered.identity(), numbered.name());
            }
            metadata.subscriptions.put(numbered.identity(), new TreeMap<>(StreamNames.ORDER));
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
        Map<Long, byte[]> puts = puts(change);
        return stores.call(() -> store(change.head(), value, changed(change, puts)));
    }

    /** By the numbers where they are kept. */
    private static Map<Long, byte[]> puts(StreamChange change) {
        StreamMetadata head = change.head();
        Map<Long, byte[]> puts = new TreeMap<>();
        for (SegmentMetadata segment : change.puts()) {
            puts.put(head.numberAtHome(segment.number()), StreamFormat.encodeSegment(head, segment));
        }
        return puts;
    }

    /** The segments as the change leaves them; fails unless the head has the version that it replaces. */
    private NavigableMap<Long, byte[]> changed(StreamChange change, Map<Long, byte[]> puts) {
        Stream stream = present(change.head().name());
        requireVersion(change.head().name(), stream, change.version());
        NavigableMap<Long, byte[]> segments = stream.segments();
        change.removals().forEach(number -> segments.remove(change.head().numberAtHome(number)));
        segments.putAll(puts);
        return segments;
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> rename(StreamChange change, NewName to) {
        StreamFormat.encode(change.head());
        StreamNames.check(to.name());
        Map<Long, byte[]> puts = puts(change);
        return stores.call(() -> {
            StreamMetadata head = change.head();
            requireVersion(head.name(), present(head.name()), change.version());
            MemoryMetadata.require(
                    !metadata.streams.containsKey(to.name()),
                    MetadataException.Code.ALREADY_EXISTS,
                    "stream " + StreamNames.quoted(to.name()) + " exists");
            StreamMetadata moved = head.movedTo(to.name(), to.incarnation(), nextOrigin(to.name()));
            NavigableMap<Long, byte[]> segments = changed(change, puts);
            metadata.nextOrigins.merge(StreamNames.bucket(head.name()), head.nextOrigin(), Math::max);
            metadata.streams.remove(head.name());
            metadata.changed(topic(head.name()));
            metadata.homes.put(moved.identity(), moved.name());
            return store(moved, StreamFormat.encode(moved), segments);
        });
    }

    private long nextOrigin(String name) {
        return metadata.nextOrigins.getOrDefault(StreamNames.bucket(name), StreamMetadata.FIRST_ORIGIN);
    }

    @Override
    public CompletableFuture<String> nameOf(WriteToken identity) {
        return stores.call(() -> {
            @Nullable String name = metadata.homes.get(identity);
            if (name == null) {
                throw new MetadataException(MetadataException.Code.NOT_FOUND, "there is no stream of that identity");
            }
            return name;
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
            MemoryMetadata.require(
                    MemorySubscriptionStore.of(metadata, head).isEmpty(),
                    MetadataException.Code.VERSION_CONFLICT,
                    "stream " + StreamNames.quoted(name) + " still has subscriptions: remove them first");
            metadata.nextOrigins.merge(StreamNames.bucket(name), head.nextOrigin(), Math::max);
            metadata.subscriptions.remove(head.identity());
            metadata.homes.remove(head.identity());
            metadata.streams.remove(name);
            metadata.changed(topic(name));
        });
    }

    @Override
    public CompletableFuture<Page<SegmentMetadata>> segments(String name, long afterNumber, int countMax) {
        return stores.call(() -> {
            List<SegmentMetadata> following = new ArrayList<>();
            Stream stream = present(name);
            StreamMetadata head = StreamFormat.decode(stream.head().value(), "stream " + StreamNames.quoted(name));
            long afterAtHome = head.numberAtHome(afterNumber);
            for (Map.Entry<Long, byte[]> entry :
                    stream.segments().tailMap(afterAtHome, false).entrySet()) {
                following.add(StreamFormat.decodeSegment(
                        head,
                        entry.getValue(),
                        "segment " + head.numberHere(entry.getKey()) + " of stream " + StreamNames.quoted(name)));
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
