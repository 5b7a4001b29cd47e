// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.runtime.Failures;
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
import java.util.function.Consumer;
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

    /** {@code lastEntryId} tells the last entry acknowledged in the segment in progress. */
    ResentRecords(StreamEnvironment environment, OwnedStream stream, TransactionIdRule rule, LongSupplier lastEntryId) {
        this.environment = environment;
        this.stream = stream;
        this.rule = rule;
        this.lastEntryId = lastEntryId;
    }

    /** Completes the append; {@code onFailure} is told when the stream cannot be searched. */
    void answer(PendingAppend append, Consumer<Throwable> onFailure) {
        List<CompletableFuture<Optional<DLSN>>> searches = new ArrayList<>();
        for (RecordBytes record : append.records()) {
            searches.add(find(record.transactionId()));
        }
        CompletableFuture.allOf(searches.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure != null) {
                Throwable root = Failures.rootOf(failure);
                onFailure.accept(failure);
                append.failed(unknown(append, root == null ? failure : root));
                return;
            }
            List<DLSN> positions = new ArrayList<>();
            searches.forEach(search -> search.join().ifPresent(positions::add));
            if (positions.size() == searches.size()) {
                append.succeeded(List.copyOf(positions));
            } else {
                append.failed(outOfOrder(stream.name(), append, rule.lastTaken()));
            }
        });
    }

    /** The record shares the outcome of the one on its way; when a search failed, it may be stored. */
    private StreamException unknown(PendingAppend append, Throwable failure) {
        if (failure instanceof StreamException.WriterFenced || failure instanceof StreamException.WriterFailed) {
            return (StreamException) failure;
        }
        return new StreamException.WriterFailed(
                "stream '" + stream.name() + "': whether transaction id " + append.firstTransactionId()
                        + " is stored is not known (open a new writer): " + failure.getMessage(),
                StreamException.Outcome.UNKNOWN,
                failure);
    }

    private CompletableFuture<Optional<DLSN>> find(long transactionId) {
        return rule.positionOnItsWay(transactionId)
                .map(position -> position.thenApply(Optional::of))
                .orElseGet(() -> environment.onLoop(new TransactionIdSearch(environment, stream.name())
                        .exact(transactionId, stream.segment(), lastEntryId.getAsLong())));
    }

    static StreamException outOfOrder(String stream, PendingAppend append, long lastTaken) {
        return new StreamException.TransactionIdOutOfOrder(
                "stream '" + stream + "': transaction id " + append.firstTransactionId()
                        + (append.records().size() > 1 ? " to " + append.lastTransactionId() : "")
                        + " does not follow " + lastTaken + ", the last one");
    }
}
