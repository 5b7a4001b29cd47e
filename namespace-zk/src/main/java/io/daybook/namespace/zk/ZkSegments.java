// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.format.StreamFormat;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkOps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.KeeperException.Code;

/** The segments of a stream, below its home: which there are, and their values in order. */
final class ZkSegments {
    /** Values asked for at once. */
    private static final int VALUES_AT_ONCE = 500;

    /** Those of {@code numbers}, as they are at home, that are there now. */
    CompletableFuture<Set<Long>> present(ZkCall call, String above, List<Long> numbers) {
        Set<Long> present = new TreeSet<>();
        List<CompletableFuture<?>> reads = new ArrayList<>();
        numbers.stream()
                .map(ZkPaths::segmentBucket)
                .distinct()
                .forEach(bucket -> reads.add(call.children(above + '/' + bucket).thenAccept(answer -> {
                    synchronized (present) {
                        present.addAll(numbers(call, answer));
                    }
                })));
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenApply(done -> present);
    }

    /** The numbers below a bucket; none if there is no such bucket. */
    private static NavigableSet<Long> numbers(ZkCall call, CuratorEvent answer) {
        NavigableSet<Long> numbers = new TreeSet<>();
        if (ZkCall.code(answer) == Code.NONODE) {
            return numbers;
        }
        for (String child : answer.getChildren()) {
            try {
                numbers.add(Long.parseLong(child));
            } catch (NumberFormatException foreign) {
                throw new MetadataException(
                        MetadataException.Code.UNREADABLE,
                        call.what() + ": " + answer.getPath() + '/' + child + " does not belong there",
                        foreign);
            }
        }
        return numbers;
    }

    /** Throws {@link IllegalArgumentException} unless a page has room for something. */
    static void requireRoom(int countMax) {
        if (countMax < 1) {
            throw new IllegalArgumentException("a page has room for " + countMax + " items: ask for at least 1");
        }
    }

    /** The segments that a change names, by their numbers at home. */
    static List<Long> numbersAtHome(StreamChange change) {
        return Stream.concat(change.puts().stream().map(SegmentMetadata::number), change.removals().stream())
                .map(change.head()::numberAtHome)
                .toList();
    }

    /** The node above the segments of a stream, and which of them are there, by their numbers at home. */
    record Present(String above, Set<Long> numbers) {}

    /** Adds the changes of segments to one of a stream. */
    static void add(ZkOps ops, StreamChange change, Present present) {
        for (SegmentMetadata segment : change.puts()) {
            long atHome = change.head().numberAtHome(segment.number());
            byte[] value = StreamFormat.encodeSegment(change.head(), segment);
            if (present.numbers().contains(atHome)) {
                ops.replace(ZkPaths.segment(present.above(), atHome), value);
            } else {
                ops.create(ZkPaths.segment(present.above(), atHome), value);
            }
        }
        change.removals().stream()
                .map(change.head()::numberAtHome)
                .filter(present.numbers()::contains)
                .forEach(atHome -> ops.delete(ZkPaths.segment(present.above(), atHome)));
    }

    /** Makes sure that the buckets of segments are there, without making the stream. */
    CompletableFuture<Void> ensureBuckets(ZkCall call, String above, StreamChange change) {
        List<CompletableFuture<?>> made = new ArrayList<>();
        change.puts().stream()
                .map(segment -> ZkPaths.segmentBucket(change.head().numberAtHome(segment.number())))
                .distinct()
                .forEach(bucket -> made.add(call.createBelow(above, bucket)));
        return CompletableFuture.allOf(made.toArray(CompletableFuture[]::new));
    }

    /** Fails unless the buckets among {@code children} are empty. */
    CompletableFuture<Void> requireNone(ZkCall call, String above, List<String> children) {
        List<CompletableFuture<?>> checks = new ArrayList<>();
        children.stream()
                .filter(ZkPaths::isSegmentBucket)
                .forEach(bucket ->
                        checks.add(call.children(above + '/' + bucket).thenAccept(answer -> {
                            if (!numbers(call, answer).isEmpty()) {
                                throw call.refusal(
                                        MetadataException.Code.VERSION_CONFLICT,
                                        "still has segments: remove them first");
                            }
                        })));
        return CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new));
    }

    /** Fails unless no subscription stands below {@code home}, whose children are given. */
    CompletableFuture<Void> requireNoSubscriptions(ZkCall call, String home, List<String> children) {
        Optional<String> above =
                children.stream().filter(ZkPaths::isAboveSubscriptions).findFirst();
        return above.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : call.children(home + '/' + above.get()).thenAccept(answer -> {
                    if (ZkCall.code(answer) == Code.OK && !answer.getChildren().isEmpty()) {
                        throw call.refusal(
                                MetadataException.Code.VERSION_CONFLICT, "still has subscriptions: remove them first");
                    }
                });
    }

    /**
     * Up to {@code countMax} segments of a stream numbered above {@code after}, rising; the head was read in this call. One that is removed meanwhile is left out, and one that was
     * begun meanwhile: the stream may have another name by then, and another one its numbers under this (S14).
     */
    CompletableFuture<Page<SegmentMetadata>> page(ZkCall call, Kept kept, long after, int countMax) {
        return call.children(kept.above())
                .thenCompose(answer -> {
                    if (ZkCall.code(answer) == Code.NONODE) {
                        throw call.refusal(MetadataException.Code.NOT_FOUND, "does not exist");
                    }
                    long afterAtHome = Math.max(0, kept.head().numberAtHome(after));
                    String first = ZkPaths.segmentBucket(afterAtHome);
                    List<String> buckets = answer.getChildren().stream()
                            .filter(ZkPaths::isSegmentBucket)
                            .filter(bucket -> bucket.compareTo(first) >= 0)
                            .sorted()
                            .toList();
                    return numbers(new Numbers(call, kept, afterAtHome, countMax + 1L), buckets, 0);
                })
                .thenCompose(numbers -> {
                    boolean isLast = numbers.size() <= countMax;
                    List<Long> asked = isLast ? numbers : numbers.subList(0, countMax);
                    return values(call, kept, asked, new TreeMap<>()).thenApply(values -> new Page<>(values, isLast));
                });
    }

    /** A stream, and the node above its segments. */
    record Kept(StreamMetadata head, String above) {}

    /** Numbers looked for, and where. */
    private record Numbers(ZkCall call, Kept kept, long after, long limit, List<Long> found) {
        Numbers(ZkCall call, Kept kept, long after, long limit) {
            this(call, kept, after, limit, new ArrayList<>());
        }

        void take(NavigableSet<Long> there) {
            long end = kept.head().numberAtHome(kept.head().nextSegmentNumber());
            there.tailSet(after, false).stream()
                    .takeWhile(number -> number < end)
                    .limit(limit - found.size())
                    .forEach(found::add);
        }
    }

    private static CompletableFuture<List<Long>> numbers(Numbers looking, List<String> buckets, int index) {
        if (index == buckets.size() || looking.found().size() >= looking.limit()) {
            return CompletableFuture.completedFuture(looking.found());
        }
        return looking.call()
                .children(looking.kept().above() + '/' + buckets.get(index))
                .thenCompose(answer -> {
                    looking.take(numbers(looking.call(), answer));
                    return numbers(looking, buckets, index + 1);
                });
    }

    private static CompletableFuture<List<SegmentMetadata>> values(
            ZkCall call, Kept kept, List<Long> numbers, Map<Long, SegmentMetadata> values) {
        List<Long> now = numbers.subList(0, Math.min(VALUES_AT_ONCE, numbers.size()));
        List<Long> later = numbers.subList(now.size(), numbers.size());
        List<CompletableFuture<CuratorEvent>> reads = now.stream()
                .map(number -> call.read(ZkPaths.segment(kept.above(), number)))
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            for (int i = 0; i < now.size(); i++) {
                CuratorEvent read = reads.get(i).join();
                if (ZkCall.code(read) == Code.OK) {
                    String where = "segment " + kept.head().numberHere(now.get(i)) + " of " + call.what();
                    values.put(now.get(i), StreamFormat.decodeSegment(kept.head(), read.getData(), where));
                }
            }
            return later.isEmpty()
                    ? CompletableFuture.completedFuture(List.copyOf(values.values()))
                    : values(call, kept, later, values);
        });
    }
}
