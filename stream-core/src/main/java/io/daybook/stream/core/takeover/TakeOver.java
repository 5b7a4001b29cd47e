// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.takeover;

import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.segment.HeadEdit;
import io.daybook.stream.core.segment.OwnedStream;
import io.daybook.stream.core.segment.SegmentEnd;
import io.daybook.stream.core.segment.StreamDefects;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.segment.UnusedLedger;
import io.daybook.stream.core.segment.Whereabouts;
import io.daybook.stream.core.takeover.SegmentSealing.Sealed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this program the writer of a stream: reads the head, recovers the ledger of every segment in progress, which fences whoever wrote it, and then in one
 * compare-and-set on that head completes them, begins a new segment and raises the epoch.
 *
 * <p><i>Invariants:</i> S6: no record of the new segment is acknowledged before the compare-and-set succeeded on the version that was read before sealing; on a
 * conflict everything is done again from the head on. A new ledger is deleted only when no segment can name it.
 * <i>Threading:</i> the loop of the environment.
 */
public final class TakeOver {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
    private static final int ATTEMPTS_MAX = 20;
    private static final int PAUSE_MILLIS_MAX = 20;
    private static final long SETTLE_PAUSE_NANOS = 200_000_000L;
    private static final int SETTLE_ATTEMPTS_MAX = 10;

    private final StreamEnvironment environment;
    private final StreamMetadata known;
    private final String stream;
    private final String owner;

    /** Of the stream that {@code known} is a head of, by {@code owner} as it is shown to people. */
    public TakeOver(StreamEnvironment environment, StreamMetadata known, String owner) {
        this.environment = environment;
        this.known = known;
        this.stream = known.name();
        this.owner = owner;
    }

    /** Does it; fails with {@link StreamException}. To be called on the loop. */
    public CompletableFuture<OwnedStream> run() {
        return attempt(1)
                .exceptionallyCompose(new Whereabouts(environment, known)::orTold)
                .exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(StreamFailures.of(stream, "take it over", failure)));
    }

    private CompletableFuture<OwnedStream> attempt(int number) {
        return new Whereabouts(environment, known)
                .present()
                .thenApply(StreamFailures::requireWritable)
                .thenCompose(head -> sealAndBegin(head, number));
    }

    private CompletableFuture<OwnedStream> sealAndBegin(Versioned<StreamMetadata> head, int number) {
        CompletableFuture<LedgerWriter> created =
                OwnedStream.createLedger(environment, head.value(), head.value().epoch() + 1);
        CompletableFuture<Optional<Sealed>> sealing = new SegmentSealing(environment, stream).run(head.value());
        return sealing.handle((result, failure) -> failure == null
                        ? created.thenCompose(ledger -> begin(head, result, ledger, number))
                        : givenUp(created, failure, number))
                .thenCompose(outcome -> outcome);
    }

    private CompletableFuture<OwnedStream> begin(
            Versioned<StreamMetadata> head, Optional<Sealed> result, LedgerWriter ledger, int number) {
        if (result.isPresent()) {
            return commit(new Attempt(head, result.get(), ledger, number));
        }
        OwnedStream.discard(environment, ledger);
        return again(number, new IllegalStateException("the head was read before a rival changed it"));
    }

    private CompletableFuture<OwnedStream> givenUp(
            CompletableFuture<LedgerWriter> created, Throwable failure, int number) {
        created.thenAccept(ledger -> OwnedStream.discard(environment, ledger));
        return Failures.rootOf(failure) instanceof SegmentSealing.OvertakenException
                ? again(number, failure)
                : CompletableFuture.failedFuture(failure);
    }

    private record Attempt(Versioned<StreamMetadata> head, Sealed segments, LedgerWriter ledger, int number) {}

    private CompletableFuture<OwnedStream> commit(Attempt attempt) {
        StreamMetadata head = attempt.head().value();
        long now = environment.loop().wallMillis();
        HeadEdit edit = new HeadEdit(head).takenOverBy(owner).segmentBegun();
        List<SegmentMetadata> before = attempt.segments().all();
        before.forEach(segment -> edit.completed(lastTransactionId(head, segment)));
        long firstSequenceId = 0;
        if (!before.isEmpty()) {
            SegmentMetadata last = before.get(before.size() - 1);
            firstSequenceId = last.firstSequenceId() + last.recordCount();
        }
        List<SegmentMetadata> puts = new ArrayList<>(attempt.segments().changed());
        SegmentMetadata begun = SegmentEnd.begin(
                head.nextSegmentNumber(), attempt.ledger().ledgerId(), firstSequenceId, head.epoch() + 1, now);
        puts.add(begun);
        StreamMetadata next = edit.build(environment.freshToken());
        return environment
                .onLoop(environment
                        .metadata()
                        .commit(new StreamChange(next, attempt.head().version(), puts, List.of())))
                .thenApply(committed -> owned(committed, attempt, begun))
                .exceptionallyCompose(failure -> notCommitted(attempt, next, begun, failure));
    }

    private long lastTransactionId(StreamMetadata head, SegmentMetadata segment) {
        boolean runsAhead = segment.recordCount() == 0 && environment.faults().at(StreamDefects.LAST_ID_AHEAD);
        return runsAhead ? head.lastTransactionId() + 1 : segment.lastTransactionId();
    }

    private OwnedStream owned(Versioned<StreamMetadata> committed, Attempt attempt, SegmentMetadata begun) {
        LOG.debug(
                "stream={} epoch={} segment={} ledger={} state=TAKEN_OVER",
                stream,
                committed.value().epoch(),
                begun.number(),
                begun.ledgerId());
        OwnedStream.End end = new OwnedStream.End(
                lastPosition(attempt.segments().all()), committed.value().lastTransactionId());
        return new OwnedStream(environment, committed, begun, attempt.ledger(), end);
    }

    private static DLSN lastPosition(List<SegmentMetadata> segments) {
        for (int i = segments.size() - 1; i >= 0; i--) {
            SegmentMetadata segment = segments.get(i);
            if (segment.recordCount() > 0) {
                return new DLSN(segment.number(), segment.lastEntryId(), segment.lastSlot());
            }
        }
        return DLSN.BEFORE_ALL;
    }

    private CompletableFuture<OwnedStream> notCommitted(
            Attempt attempt, StreamMetadata next, SegmentMetadata begun, Throwable failure) {
        if (StreamFailures.isMetadata(failure, MetadataException.Code.VERSION_CONFLICT)) {
            OwnedStream.discard(environment, attempt.ledger());
            return again(attempt.number(), failure);
        }
        if (StreamFailures.isMetadata(failure, MetadataException.Code.OUTCOME_UNKNOWN)) {
            return settle(attempt, next, begun, SETTLE_ATTEMPTS_MAX);
        }
        if (isSurelyNotDone(failure)) {
            OwnedStream.discard(environment, attempt.ledger());
        } else {
            attempt.ledger().close();
        }
        return CompletableFuture.failedFuture(failure);
    }

    /** Whether the store has refused the change: after any other failure a segment may name the ledger, which is left to the search for orphans. */
    private static boolean isSurelyNotDone(Throwable failure) {
        return StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                || StreamFailures.isMetadata(failure, MetadataException.Code.UNAVAILABLE);
    }

    private CompletableFuture<OwnedStream> again(int number, Throwable failure) {
        if (number >= ATTEMPTS_MAX) {
            return CompletableFuture.failedFuture(new StreamException.Unavailable(
                    "stream '" + stream + "': others took it over each of the " + ATTEMPTS_MAX + " times it was tried",
                    failure));
        }
        long pauseNanos = 1_000_000L * environment.random().below(PAUSE_MILLIS_MAX);
        return environment.pause(pauseNanos).thenCompose(over -> attempt(number + 1));
    }

    /** The store could not tell whether the change happened: the head's token tells once it can be read. The ledger is kept as long as a segment may name it. */
    private CompletableFuture<OwnedStream> settle(
            Attempt attempt, StreamMetadata next, SegmentMetadata begun, int triesLeft) {
        return environment
                .pause(SETTLE_PAUSE_NANOS)
                .thenCompose(over -> environment.onLoop(environment.metadata().read(stream)))
                .handle((now, failure) -> {
                    if (failure == null && now.value().token().equals(next.token())) {
                        return CompletableFuture.completedFuture(owned(now, attempt, begun));
                    }
                    if (failure == null && now.version() == attempt.head().version()) {
                        // The change may still be on its way, until the next attempt replaces the head.
                        attempt.ledger().close();
                        return again(attempt.number(), new IllegalStateException("the change was not done"));
                    }
                    if (failure == null) {
                        return new UnusedLedger(environment, attempt.head().value(), attempt.ledger())
                                .discardUnlessNamed(begun.number())
                                .thenCompose(done -> again(
                                        attempt.number(),
                                        new IllegalStateException("a rival changed the head at the same time")));
                    }
                    if (triesLeft > 1 && StreamFailures.isRetryable(failure)) {
                        return settle(attempt, next, begun, triesLeft - 1);
                    }
                    // A segment may name the ledger, under another name of the stream too.
                    attempt.ledger().close();
                    return CompletableFuture.<OwnedStream>failedFuture(failure);
                })
                .thenCompose(outcome -> outcome);
    }
}
