// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.position;

import io.daybook.ledger.api.LedgerReader;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.core.segment.SegmentEntries;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Tells whether nothing stands between a record that was read and the truncation point, as far as what is left of the stream tells: then whoever read it has missed
 * nothing, although its position is truncated. <i>Threading:</i> the loop of the environment.
 */
final class Succession {
    private static final int SEGMENTS_MAX = 64;

    private final StreamEnvironment environment;
    private final String stream;
    private final SegmentList segments;

    Succession(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.stream = stream;
        this.segments = new SegmentList(environment, stream);
    }

    /** Whether no record stands after {@code read} and before {@code firstKept}, which is above it; false also when that cannot be told any more. */
    CompletableFuture<Boolean> isUnbroken(StreamMetadata head, DLSN read, DLSN firstKept) {
        return segments.page(read.segment() - 1, SEGMENTS_MAX).thenCompose(page -> {
            if (page.isEmpty() || page.get(0).number() != read.segment()) {
                return CompletableFuture.completedFuture(false);
            }
            return read.segment() == firstKept.segment()
                    ? isLastBefore(head, page.get(0), read, firstKept)
                    : CompletableFuture.completedFuture(isLastOfItsSegment(page, read, firstKept));
        });
    }

    private CompletableFuture<Boolean> isLastBefore(
            StreamMetadata head, SegmentMetadata segment, DLSN read, DLSN firstKept) {
        DLSN nextSlot = new DLSN(read.segment(), read.entry(), Math.max(read.slot(), read.slot() + 1));
        boolean isNextEntry = firstKept.equals(new DLSN(read.segment(), read.entry() + 1, 0));
        if (!isNextEntry) {
            return CompletableFuture.completedFuture(nextSlot.compareTo(firstKept) >= 0);
        }
        CompletableFuture<LedgerReader> opened = environment.openLedger(head, segment);
        return opened.thenCompose(ledger -> SegmentEntries.known(environment, stream, segment.number(), ledger)
                .entry(read.entry())
                .thenApply(entry -> entry.last().position().compareTo(read) <= 0)
                .whenComplete((isLast, failure) -> ledger.close()));
    }

    private static boolean isLastOfItsSegment(List<SegmentMetadata> page, DLSN read, DLSN firstKept) {
        SegmentMetadata segment = page.get(0);
        boolean isLast = segment.state() != SegmentMetadata.State.IN_PROGRESS
                && read.compareTo(new DLSN(segment.number(), segment.lastEntryId(), segment.lastSlot())) >= 0;
        boolean areEmpty = page.stream()
                .skip(1)
                .takeWhile(between -> between.number() < firstKept.segment())
                .allMatch(
                        between -> between.state() != SegmentMetadata.State.IN_PROGRESS && between.recordCount() == 0);
        boolean reaches = firstKept.segment() - read.segment() < SEGMENTS_MAX;
        return isLast && areEmpty && reaches && firstKept.entry() == 0 && firstKept.slot() == 0;
    }
}
