// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.position;

import io.daybook.ledger.api.LedgerReader;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.core.segment.SegmentEntries;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Finds the last readable record of a stream, past segments without any. <i>Threading:</i> the loop of the environment. */
public final class LastRecord {
    private final StreamEnvironment environment;
    private final String stream;

    /** Of a stream. */
    public LastRecord(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.stream = stream;
    }

    /** The record, if there is one that is not truncated; {@code head} was read after the caller asked. */
    public CompletableFuture<Optional<PositionedRecord>> find(StreamMetadata head) {
        return new SegmentList(environment, stream)
                .tail(head)
                .thenCompose(tail -> lastOf(head, tail, tail.size() - 1))
                .thenApply(record ->
                        record.filter(found -> found.position().compareTo(StartResolver.firstKept(head)) >= 0));
    }

    private CompletableFuture<Optional<PositionedRecord>> lastOf(
            StreamMetadata head, List<SegmentMetadata> segments, int index) {
        if (index < 0 || segments.get(index).state() == SegmentMetadata.State.TRUNCATED) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        SegmentMetadata segment = segments.get(index);
        boolean isEmpty = segment.state() == SegmentMetadata.State.COMPLETED && segment.recordCount() == 0;
        return isEmpty
                ? lastOf(head, segments, index - 1)
                : lastIn(head, segment)
                        .thenCompose(found -> found.isPresent()
                                ? CompletableFuture.completedFuture(found)
                                : lastOf(head, segments, index - 1));
    }

    private CompletableFuture<Optional<PositionedRecord>> lastIn(StreamMetadata head, SegmentMetadata segment) {
        CompletableFuture<LedgerReader> opened = environment.openLedger(head, segment);
        return opened.thenCompose(ledger -> {
            CompletableFuture<Long> end = segment.state() == SegmentMetadata.State.IN_PROGRESS
                    ? new StreamEnd(environment, stream).lastConfirmed(ledger)
                    : CompletableFuture.completedFuture(segment.lastEntryId());
            SegmentEntries entries = SegmentEntries.confirmed(environment, stream, segment.number(), ledger);
            return end.thenCompose(last -> last < 0
                            ? CompletableFuture.completedFuture(Optional.<PositionedRecord>empty())
                            : entries.entry(last).thenApply(entry -> Optional.of(entry.last())))
                    .whenComplete((found, failure) -> ledger.close());
        });
    }
}
