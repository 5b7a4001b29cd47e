// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.format.StreamFormat;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.namespace.zk.session.ZkCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.KeeperException.Code;

/** The segments below the head of a stream: which there are, and their values in order. */
final class ZkSegments {
    /** Values asked for at once. */
    private static final int VALUES_AT_ONCE = 500;

    /** Those of {@code numbers} that are there now. */
    CompletableFuture<Set<Long>> present(ZkCall call, String streamPath, List<Long> numbers) {
        Set<Long> present = new TreeSet<>();
        List<CompletableFuture<?>> reads = new ArrayList<>();
        numbers.stream()
                .map(ZkPaths::segmentBucket)
                .distinct()
                .forEach(bucket ->
                        reads.add(call.children(streamPath + '/' + bucket).thenAccept(answer -> {
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

    /** Makes sure that the buckets of segments are there, without making the stream. */
    CompletableFuture<Void> ensureBuckets(ZkCall call, String streamPath, List<SegmentMetadata> segments) {
        List<CompletableFuture<?>> made = new ArrayList<>();
        segments.stream()
                .map(segment -> ZkPaths.segmentBucket(segment.number()))
                .distinct()
                .forEach(bucket -> made.add(call.createBelow(streamPath, bucket)));
        return CompletableFuture.allOf(made.toArray(CompletableFuture[]::new));
    }

    /** Fails unless the buckets among {@code children} are empty. */
    CompletableFuture<Void> requireNone(ZkCall call, String streamPath, List<String> children) {
        List<CompletableFuture<?>> checks = new ArrayList<>();
        children.stream()
                .filter(ZkPaths::isSegmentBucket)
                .forEach(bucket ->
                        checks.add(call.children(streamPath + '/' + bucket).thenAccept(answer -> {
                            if (!numbers(call, answer).isEmpty()) {
                                throw call.refusal(
                                        MetadataException.Code.VERSION_CONFLICT,
                                        "still has segments: remove them first");
                            }
                        })));
        return CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new));
    }

    /** Up to {@code countMax} segments above {@code after}, rising. One that is removed meanwhile is left out. */
    CompletableFuture<Page<SegmentMetadata>> page(ZkCall call, String streamPath, long after, int countMax) {
        return call.latest(streamPath, () -> latestPage(call, streamPath, after, countMax));
    }

    private static CompletableFuture<Page<SegmentMetadata>> latestPage(
            ZkCall call, String streamPath, long after, int countMax) {
        return call.children(streamPath)
                .thenCompose(answer -> {
                    if (ZkCall.code(answer) == Code.NONODE) {
                        throw call.refusal(MetadataException.Code.NOT_FOUND, "does not exist");
                    }
                    String first = ZkPaths.segmentBucket(Math.max(0, after));
                    List<String> buckets = answer.getChildren().stream()
                            .filter(ZkPaths::isSegmentBucket)
                            .filter(bucket -> bucket.compareTo(first) >= 0)
                            .sorted()
                            .toList();
                    return numbers(new Numbers(call, streamPath, after, countMax + 1L), buckets, 0);
                })
                .thenCompose(numbers -> {
                    boolean isLast = numbers.size() <= countMax;
                    List<Long> asked = isLast ? numbers : numbers.subList(0, countMax);
                    return values(call, streamPath, asked, new TreeMap<>())
                            .thenApply(values -> new Page<>(values, isLast));
                });
    }

    /** Numbers looked for, and where. */
    private record Numbers(ZkCall call, String streamPath, long after, long limit, List<Long> found) {
        Numbers(ZkCall call, String streamPath, long after, long limit) {
            this(call, streamPath, after, limit, new ArrayList<>());
        }
    }

    private static CompletableFuture<List<Long>> numbers(Numbers looking, List<String> buckets, int index) {
        if (index == buckets.size() || looking.found().size() >= looking.limit()) {
            return CompletableFuture.completedFuture(looking.found());
        }
        return looking.call()
                .children(looking.streamPath() + '/' + buckets.get(index))
                .thenCompose(answer -> {
                    numbers(looking.call(), answer).tailSet(looking.after(), false).stream()
                            .limit(looking.limit() - looking.found().size())
                            .forEach(looking.found()::add);
                    return numbers(looking, buckets, index + 1);
                });
    }

    private static CompletableFuture<List<SegmentMetadata>> values(
            ZkCall call, String streamPath, List<Long> numbers, Map<Long, SegmentMetadata> values) {
        List<Long> now = numbers.subList(0, Math.min(VALUES_AT_ONCE, numbers.size()));
        List<Long> later = numbers.subList(now.size(), numbers.size());
        List<CompletableFuture<CuratorEvent>> reads = now.stream()
                .map(number -> call.read(ZkPaths.segment(streamPath, number)))
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            for (int i = 0; i < now.size(); i++) {
                CuratorEvent read = reads.get(i).join();
                if (ZkCall.code(read) == Code.OK) {
                    String where = "segment " + now.get(i) + " of " + call.what();
                    values.put(now.get(i), StreamFormat.decodeSegment(read.getData(), where));
                }
            }
            return later.isEmpty()
                    ? CompletableFuture.completedFuture(List.copyOf(values.values()))
                    : values(call, streamPath, later, values);
        });
    }
}
