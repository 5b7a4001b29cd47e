// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.position;

import io.daybook.ledger.api.LedgerReader;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the end of a stream that may be written meanwhile: behind every record that was acknowledged before the call. When Qa is at most half of Qw the ledger can
 * be written on by fewer bookies than could vouch for that: then as far as the bookies know that answer.
 *
 * <p>The bookies learn a moment after the writer that an entry is confirmed. So entries that they hold unconfirmed are waited for, as long as that news may take; when it does not come, because the
 * writer is cut off, the end is before them, and what was acknowledged of them is read again rather than skipped.
 * <i>Threading:</i> the loop of the environment.
 */
public final class StreamEnd {
    private static final long NEWS_NANOS_MAX = 100_000_000L;
    private static final int UNCONFIRMED_COUNT_MAX = 1000;
    private static final int UNCONFIRMED_BYTES_MAX = 1 << 20;

    /** Reads of unconfirmed entries: more than any writer has in flight, so that one that writes on and on is not chased. */
    private static final int UNCONFIRMED_READS_MAX = 64;

    private final StreamEnvironment environment;
    private final SegmentList segments;

    /** Of a stream. */
    public StreamEnd(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.segments = new SegmentList(environment, stream);
    }

    /** The position of the next entry; {@code head} was read after the caller asked. */
    public CompletableFuture<ReadCursor> find(StreamMetadata head) {
        long last = head.nextSegmentNumber() - 1;
        return segments.page(last - 1, 1).thenCompose(found -> after(head, found));
    }

    private CompletableFuture<ReadCursor> after(StreamMetadata head, List<SegmentMetadata> found) {
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(ReadCursor.at(head.nextSegmentNumber(), 0, 0));
        }
        SegmentMetadata last = found.get(0);
        if (last.state() != SegmentMetadata.State.IN_PROGRESS) {
            return CompletableFuture.completedFuture(ReadCursor.at(last.number(), last.lastEntryId() + 1, 0));
        }
        return environment
                .openLedger(head, last)
                .thenCompose(ledger -> lastConfirmed(ledger).whenComplete((end, failure) -> ledger.close()))
                .thenApply(end -> ReadCursor.at(last.number(), end + 1, 0));
    }

    /** The last entry that was confirmed when the caller asked, or a later one. */
    public CompletableFuture<Long> lastConfirmed(LedgerReader ledger) {
        return environment.onLoop(ledger.refresh()).thenCompose(confirmed -> {
            if (ledger.isClosed()) {
                return CompletableFuture.completedFuture(confirmed);
            }
            return lastStored(ledger, confirmed, UNCONFIRMED_READS_MAX)
                    .thenCompose(stored -> stored.equals(confirmed)
                            ? CompletableFuture.completedFuture(confirmed)
                            : awaitNews(ledger, stored));
        });
    }

    /** The last entry that the bookies hold, confirmed or not, of those that follow each other; what a writer has in flight bounds how many there are. */
    private CompletableFuture<Long> lastStored(LedgerReader ledger, long known, int readsLeft) {
        CompletableFuture<Long> read = environment
                .onLoop(ledger.readUnconfirmed(known + 1, UNCONFIRMED_COUNT_MAX, UNCONFIRMED_BYTES_MAX))
                .handle((entries, failure) -> {
                    if (entries == null) {
                        return known;
                    }
                    try (entries) {
                        return known + entries.list().size();
                    }
                });
        return read.thenCompose(stored -> stored == known || readsLeft == 1
                ? CompletableFuture.completedFuture(stored)
                : lastStored(ledger, stored, readsLeft - 1));
    }

    private CompletableFuture<Long> awaitNews(LedgerReader ledger, long stored) {
        return environment.onLoop(ledger.readTail(stored, 1, 1, NEWS_NANOS_MAX)).thenApply(entries -> {
            entries.close();
            return ledger.lastAddConfirmed();
        });
    }
}
