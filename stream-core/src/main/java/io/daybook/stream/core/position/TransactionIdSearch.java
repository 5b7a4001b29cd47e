// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.position;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.core.record.StreamEntry;
import io.daybook.stream.core.segment.FreshHead;
import io.daybook.stream.core.segment.Retry;
import io.daybook.stream.core.segment.SegmentEntries;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Finds records by transaction id, and segments by time: by halving over the segments, whose metadata tells their last ids, then over the entries of one.
 * <i>Threading:</i> the loop of the environment.
 */
public final class TransactionIdSearch {
    private static final int PROBE_COUNT = 16;

    private final StreamEnvironment environment;
    private final String stream;
    private final SegmentList segments;

    /** In a stream. */
    public TransactionIdSearch(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.stream = stream;
        this.segments = new SegmentList(environment, stream);
    }

    /** Where to begin to read so that the first record with an id of at least {@code transactionId} is not missed, and little else is read. */
    public CompletableFuture<ReadCursor> cursor(StreamMetadata head, long transactionId) {
        return Retry.reading(
                environment,
                () -> segment(head, isBelow(transactionId))
                        .thenCompose(found -> found.isEmpty()
                                ? CompletableFuture.completedFuture(
                                        new ReadCursor(head.nextSegmentNumber(), 0, 0, transactionId))
                                : cursorIn(head, found.get(), transactionId)));
    }

    private CompletableFuture<ReadCursor> cursorIn(StreamMetadata head, SegmentMetadata segment, long transactionId) {
        return environment
                .openLedger(head, segment)
                .thenCompose(ledger -> lastEntryId(segment, ledger)
                        .thenCompose(last -> firstEntry(
                                SegmentEntries.confirmed(environment, stream, segment.number(), ledger),
                                transactionId,
                                new Range(0, last + 1)))
                        .thenApply(entry -> new ReadCursor(segment.number(), entry, 0, transactionId))
                        .whenComplete((cursor, failure) -> ledger.close()));
    }

    /** An end that too few bookies know is taken for it: whoever begins there passes over what is too early. */
    private CompletableFuture<Long> lastEntryId(SegmentMetadata segment, LedgerReader ledger) {
        if (segment.state() != SegmentMetadata.State.IN_PROGRESS) {
            return CompletableFuture.completedFuture(segment.lastEntryId());
        }
        return environment
                .onLoop(ledger.refresh())
                .exceptionallyCompose(failure -> Failures.rootOf(failure) instanceof LedgerException.NotEnoughBookies
                        ? CompletableFuture.completedFuture(ledger.lastAddConfirmed())
                        : CompletableFuture.failedFuture(failure));
    }

    /**
     * The position of the record with exactly this id, for the writer of a STRICT stream of which it knows a head.
     *
     * @param active the segment in progress
     * @param lastEntryId the last entry acknowledged in it
     */
    public CompletableFuture<Optional<DLSN>> exact(
            StreamMetadata known, long transactionId, SegmentMetadata active, long lastEntryId) {
        return Retry.reading(
                environment,
                () -> FreshHead.look(
                        environment,
                        known,
                        head -> segment(head.value(), isBelow(transactionId)).thenCompose(found -> {
                            SegmentMetadata segment = found.orElse(active);
                            long last = segment.number() == active.number() ? lastEntryId : segment.lastEntryId();
                            return last < 0
                                    ? CompletableFuture.completedFuture(Optional.empty())
                                    : exactIn(head.value(), segment, transactionId, last);
                        })));
    }

    private CompletableFuture<Optional<DLSN>> exactIn(
            StreamMetadata head, SegmentMetadata segment, long transactionId, long lastEntryId) {
        return environment.openLedger(head, segment).thenCompose(ledger -> {
            SegmentEntries entries = SegmentEntries.known(environment, stream, segment.number(), ledger);
            return firstEntry(entries, transactionId, new Range(0, lastEntryId + 1))
                    .thenCompose(entryId -> entryId > lastEntryId
                            ? CompletableFuture.completedFuture(Optional.<DLSN>empty())
                            : entries.entry(entryId).thenApply(entry -> exactIn(entry, transactionId)))
                    .whenComplete((found, failure) -> ledger.close());
        });
    }

    private static Optional<DLSN> exactIn(StreamEntry entry, long transactionId) {
        for (PositionedRecord record : entry.records()) {
            if (record.transactionId() == transactionId) {
                return Optional.of(record.position());
            }
        }
        return Optional.empty();
    }

    // ---- halving ----

    /** From {@code low} up to, without, {@code high}; the answer is in it or is {@code high}. */
    private record Range(long low, long high) {
        long middle() {
            return low + (high - low) / 2;
        }
    }

    /** The first entry whose last record has an id of at least {@code transactionId}; the end of the range when there is none. */
    private CompletableFuture<Long> firstEntry(SegmentEntries entries, long transactionId, Range range) {
        if (range.low() == range.high()) {
            return CompletableFuture.completedFuture(range.low());
        }
        long middle = range.middle();
        return entries.entry(middle)
                .thenCompose(entry -> firstEntry(
                        entries,
                        transactionId,
                        entry.last().transactionId() >= transactionId
                                ? new Range(range.low(), middle)
                                : new Range(middle + 1, range.high())));
    }

    /** Whether no record of a segment can have an id of at least {@code transactionId}. */
    private static Predicate<SegmentMetadata> isBelow(long transactionId) {
        return segment -> segment.lastTransactionId() < transactionId;
    }

    /** Where to begin to read so that nothing is missed that was appended at or after a time (in milliseconds since 1970), as the clocks of the writers tell it. */
    public CompletableFuture<ReadCursor> cursorAtTime(StreamMetadata head, long wallMillis) {
        return segment(head, segment -> segment.completedMillis() < wallMillis)
                .thenApply(found ->
                        ReadCursor.at(found.map(SegmentMetadata::number).orElse(head.nextSegmentNumber()), 0, 0));
    }

    /** The first segment in progress, or that is completed, has a record and is not below; that holds for all segments after it too. */
    private CompletableFuture<Optional<SegmentMetadata>> segment(
            StreamMetadata head, Predicate<SegmentMetadata> isBelow) {
        return firstSegment(isBelow, new Range(head.firstSegmentNumber(), head.nextSegmentNumber()));
    }

    private CompletableFuture<Optional<SegmentMetadata>> firstSegment(
            Predicate<SegmentMetadata> isBelowAll, Range range) {
        if (range.low() == range.high()) {
            return telling(range.low());
        }
        long middle = range.middle();
        return telling(middle).thenCompose(found -> {
            boolean isBelow = found.isPresent()
                    && found.get().state() != SegmentMetadata.State.IN_PROGRESS
                    && isBelowAll.test(found.get());
            Range half = isBelow
                    ? new Range(Math.min(range.high(), found.get().number() + 1), range.high())
                    : new Range(range.low(), middle);
            return firstSegment(isBelowAll, half);
        });
    }

    /** The first segment from {@code number} on that has a record or is in progress. */
    private CompletableFuture<Optional<SegmentMetadata>> telling(long number) {
        return segments.page(number - 1, PROBE_COUNT).thenCompose(page -> {
            for (SegmentMetadata segment : page) {
                boolean isThere = segment.state() != SegmentMetadata.State.TRUNCATED;
                if (segment.state() == SegmentMetadata.State.IN_PROGRESS || (isThere && segment.recordCount() > 0)) {
                    return CompletableFuture.completedFuture(Optional.of(segment));
                }
            }
            return page.isEmpty()
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : telling(last(page).number() + 1);
        });
    }

    private static SegmentMetadata last(List<SegmentMetadata> page) {
        return page.get(page.size() - 1);
    }
}
