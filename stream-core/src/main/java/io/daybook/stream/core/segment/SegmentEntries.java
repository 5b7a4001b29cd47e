// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.record.DamagedEntryException;
import io.daybook.stream.core.record.StreamEntry;
import java.util.concurrent.CompletableFuture;

/** Reads single entries of one segment. <i>Threading:</i> the loop of the environment. */
public final class SegmentEntries {
    private final StreamEnvironment environment;
    private final String stream;
    private final long segment;
    private final LedgerReader ledger;
    private final boolean areKnown;

    private SegmentEntries(
            StreamEnvironment environment, String stream, long segment, LedgerReader ledger, boolean areKnown) {
        this.environment = environment;
        this.stream = stream;
        this.segment = segment;
        this.ledger = ledger;
        this.areKnown = areKnown;
    }

    /** Of a segment whose confirmed entries are read. */
    public static SegmentEntries confirmed(
            StreamEnvironment environment, String stream, long segment, LedgerReader ledger) {
        return new SegmentEntries(environment, stream, segment, ledger, false);
    }

    /** Of a segment whose writer asks, only for entries that it knows to be acknowledged, be the news of that on the way or not. */
    public static SegmentEntries known(
            StreamEnvironment environment, String stream, long segment, LedgerReader ledger) {
        return new SegmentEntries(environment, stream, segment, ledger, true);
    }

    /** The entry, decoded. */
    public CompletableFuture<StreamEntry> entry(long entryId) {
        CompletableFuture<LedgerEntries> entries =
                environment.onLoop(areKnown ? ledger.readUnconfirmed(entryId, 1, 1) : ledger.read(entryId, 1, 1));
        return entries.thenApply(read -> {
            try (read) {
                return decode(stream, segment, read.list().get(0));
            }
        });
    }

    /** Decodes an entry; throws {@link StreamException.Corrupt} with its stream and position. */
    public static StreamEntry decode(String stream, long segment, LedgerEntries.Entry entry) {
        try {
            return StreamEntry.decode(segment, entry.entryId(), entry.payload());
        } catch (DamagedEntryException damaged) {
            throw StreamFailures.corrupt(
                    stream, new DLSN(segment, entry.entryId(), 0), String.valueOf(damaged.getMessage()), damaged);
        }
    }

    /** The end of a segment whose ledger is closed. */
    public static CompletableFuture<SegmentEnd> end(
            StreamEnvironment environment, String stream, SegmentMetadata segment, LedgerReader ledger) {
        long end = ledger.lastAddConfirmed();
        long bytes = ledger.metadata().lengthBytes();
        if (end < 0) {
            return CompletableFuture.completedFuture(SegmentEnd.withoutRecords(bytes));
        }
        SegmentEntries entries = confirmed(environment, stream, segment.number(), ledger);
        return entries.entry(end)
                .thenCompose(last -> entries.entry(0)
                        .thenApply(first -> new SegmentEnd(
                                end,
                                last.last().position().slot(),
                                first.first().transactionId(),
                                last.last().transactionId(),
                                last.nextSequenceId() - segment.firstSequenceId(),
                                bytes)));
    }
}
