// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.metadata.Page;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.DLSN;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads the segments of a stream and checks that their numbers rise by one (S2). */
public final class SegmentList {
    /** Segments of one page. */
    public static final int PAGE_COUNT = 1000;

    private static final int TAIL_COUNT = 64;

    private final StreamEnvironment environment;
    private final String stream;

    /** Of a stream. */
    public SegmentList(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.stream = stream;
    }

    /** Up to {@code countMax} segments numbered above {@code afterNumber}. */
    public CompletableFuture<List<SegmentMetadata>> page(long afterNumber, int countMax) {
        return listed(afterNumber, countMax).thenApply(page -> checked(page.items()));
    }

    /** A page that has something or is the last one: what stood on an empty one was removed while it was read, and does not stand on the next look. */
    private CompletableFuture<Page<SegmentMetadata>> listed(long afterNumber, int countMax) {
        CompletableFuture<Page<SegmentMetadata>> listing =
                environment.onLoop(environment.metadata().segments(stream, afterNumber, countMax));
        return listing.thenCompose(page -> page.items().isEmpty() && !page.isLast()
                ? listed(afterNumber, countMax)
                : CompletableFuture.completedFuture(page));
    }

    /**
     * The newest segments: at least every one that is in progress, and the newest one with a record if there is any. Segments are completed in order, so
     * those in progress are the last ones.
     */
    public CompletableFuture<List<SegmentMetadata>> tail(StreamMetadata head) {
        long afterNumber = Math.max(head.firstSegmentNumber(), head.nextSegmentNumber() - TAIL_COUNT) - 1;
        return from(afterNumber).thenCompose(tail -> {
            boolean reachesBack = afterNumber < head.firstSegmentNumber() || tellsTheLastRecord(tail);
            return reachesBack ? CompletableFuture.completedFuture(tail) : from(0);
        });
    }

    private static boolean tellsTheLastRecord(List<SegmentMetadata> tail) {
        return !tail.isEmpty()
                && tail.get(0).state() != SegmentMetadata.State.IN_PROGRESS
                && tail.stream().anyMatch(segment -> segment.recordCount() > 0);
    }

    /** All segments numbered above {@code afterNumber}. */
    public CompletableFuture<List<SegmentMetadata>> from(long afterNumber) {
        return collect(afterNumber, new ArrayList<>());
    }

    private CompletableFuture<List<SegmentMetadata>> collect(long afterNumber, List<SegmentMetadata> found) {
        return listed(afterNumber, PAGE_COUNT).thenCompose(next -> {
            found.addAll(next.items());
            if (next.isLast()) {
                return CompletableFuture.completedFuture(checked(found));
            }
            return collect(found.get(found.size() - 1).number(), found);
        });
    }

    private List<SegmentMetadata> checked(List<SegmentMetadata> segments) {
        for (int i = 1; i < segments.size(); i++) {
            long expected = segments.get(i - 1).number() + 1;
            if (segments.get(i).number() != expected) {
                throw StreamFailures.corrupt(
                        stream,
                        new DLSN(expected, 0, 0),
                        "segment " + expected + " is missing before segment "
                                + segments.get(i).number(),
                        new IllegalStateException("S2: a gap in the segment numbers"));
            }
        }
        return segments;
    }
}
