// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.position.TransactionIdSearch;
import io.daybook.stream.core.record.RecordBytes;
import io.daybook.stream.core.segment.OwnedStream;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Answers appends of a STRICT stream whose transaction ids were used before with the positions of the records stored under them, so that sending again what
 * may or may not be stored stores it once (S9). Bytes are not compared: an id names one record for ever.
 *
 * <p><i>Threading:</i> the loop of the writer.
 */
final class ResentRecords {
    private final StreamEnvironment environment;
    private final OwnedStream stream;
    private final TransactionIdRule rule;
    private final LongSupplier lastEntryId;
    private final List<CompletableFuture<List<DLSN>>> underWay = new ArrayList<>();

    /** {@code lastEntryId} tells the last entry acknowledged in the segment in progress. */
    ResentRecords(StreamEnvironment environment, OwnedStream stream, TransactionIdRule rule, LongSupplier lastEntryId) {
        this.environment = environment;
        this.stream = stream;
        this.rule = rule;
        this.lastEntryId = lastEntryId;
    }

    /**
     * Where the records of the append are stored. Fails with {@link StreamException.TransactionIdOutOfOrder} when one of them is not, and with what the stores say when
     * the stream cannot be searched.
     */
    CompletableFuture<List<DLSN>> positions(PendingAppend append) {
        List<CompletableFuture<Optional<DLSN>>> searches = new ArrayList<>();
        for (RecordBytes record : append.records()) {
            searches.add(find(record.transactionId()));
        }
        CompletableFuture<List<DLSN>> found = CompletableFuture.allOf(searches.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<DLSN> positions = new ArrayList<>();
                    searches.forEach(search -> search.join().ifPresent(positions::add));
                    if (positions.size() < searches.size()) {
                        throw outOfOrder(stream.name(), append, rule.lastTaken());
                    }
                    return List.copyOf(positions);
                });
        underWay.add(found);
        return found.whenComplete((positions, failure) -> underWay.removeIf(search -> search == found));
    }

    /** Whether a search is under way. */
    boolean isBusy() {
        return !underWay.isEmpty();
    }

    /** Completes when the searches that are under way now have ended, however they end. */
    CompletableFuture<Void> ended() {
        return CompletableFuture.allOf(underWay.stream()
                .map(search -> search.handle((positions, failure) -> true))
                .toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Optional<DLSN>> find(long transactionId) {
        return rule.positionOnItsWay(transactionId)
                .map(position -> position.thenApply(Optional::of))
                .orElseGet(() -> environment.onLoop(new TransactionIdSearch(environment, stream.name())
                        .exact(stream.known(), transactionId, stream.segment(), lastEntryId.getAsLong())));
    }

    static StreamException outOfOrder(String stream, PendingAppend append, long lastTaken) {
        return new StreamException.TransactionIdOutOfOrder(
                "stream '" + stream + "': transaction id " + append.firstTransactionId()
                        + (append.records().size() > 1 ? " to " + append.lastTransactionId() : "")
                        + " does not follow " + lastTaken + ", the last one");
    }
}
