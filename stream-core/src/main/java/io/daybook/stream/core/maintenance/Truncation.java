// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.maintenance;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.position.StartResolver;
import io.daybook.stream.core.position.StreamEnd;
import io.daybook.stream.core.segment.FreshHead;
import io.daybook.stream.core.segment.HeadEdit;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.segment.Whereabouts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Truncates a stream: one compare-and-set moves the truncation point in the head and marks whole segments below it; then their ledgers are deleted, and after that
 * the segments.
 *
 * <p><i>Invariants:</i> S11: nothing at or after the point asked for is removed, and the point never goes back. S7: only completed segments are marked, oldest first,
 * and never the newest one that has records nor any after it, so that the next writer finds where the stream ended. A crash at any step leaves marked segments, which
 * the next truncation or the maintainer gives back; two who do so at once are harmless. <i>Threading:</i> the loop of the environment.
 */
public final class Truncation {
    private static final Logger LOG = LoggerFactory.getLogger(Truncation.class);
    private static final int ATTEMPTS_MAX = 20;
    private static final int PAUSE_MILLIS_MAX = 20;
    private static final int PAGE_COUNT = 200;

    private final StreamEnvironment environment;
    private final StreamMetadata known;
    private final String stream;
    private final Whereabouts whereabouts;
    private final SegmentList segments;

    /** Of the stream that {@code known} is a head of. */
    public Truncation(StreamEnvironment environment, StreamMetadata known) {
        this.environment = environment;
        this.known = known;
        this.stream = known.name();
        this.whereabouts = new Whereabouts(environment, known);
        this.segments = new SegmentList(environment, stream);
    }

    /** Truncates below a position and gives back what can be; completes with the first position that is kept. */
    public CompletableFuture<DLSN> below(DLSN firstKept) {
        return belowWhile(head -> true, firstKept);
    }

    /** As {@link #below}, as long as {@code holds} of the head that is changed: where it does not, nothing is truncated. */
    CompletableFuture<DLSN> belowWhile(Predicate<StreamMetadata> holds, DLSN firstKept) {
        return FreshHead.act(environment, known, head -> requireReached(head.value(), firstKept))
                .thenCompose(reached -> move(holds, firstKept, ATTEMPTS_MAX).exceptionallyCompose(whereabouts::orTold))
                .thenCompose(head -> giveBack(head)
                        .exceptionally(failure -> {
                            LOG.warn(
                                    "stream={} state=TRUNCATED space is given back later: {}",
                                    stream,
                                    failure.getMessage());
                            return null;
                        })
                        .thenApply(done -> StartResolver.firstKept(head.value())));
    }

    /** Records that are yet to come must not be hidden by a position that they have not reached. */
    private CompletableFuture<Void> requireReached(StreamMetadata head, DLSN firstKept) {
        StartResolver.requireOwn(head, firstKept);
        DLSN next = new DLSN(head.nextSegmentNumber(), 0, 0);
        return segments.page(head.nextSegmentNumber() - 2, 1)
                .thenCompose(last -> {
                    boolean isComplete = last.isEmpty() || last.get(0).state() != SegmentMetadata.State.IN_PROGRESS;
                    boolean isTold = isComplete
                            || firstKept.compareTo(new DLSN(last.get(0).number(), 0, 0)) <= 0;
                    return isTold
                            ? CompletableFuture.completedFuture(next)
                            : new StreamEnd(environment, stream)
                                    .find(head)
                                    .thenApply(end -> new DLSN(end.segment(), end.entry(), end.slot()));
                })
                .thenAccept(end -> {
                    if (firstKept.compareTo(end) > 0) {
                        throw new StreamException.PositionBeyondEnd("stream '" + stream + "': cannot truncate below "
                                + firstKept + ", the stream ends at " + end + ": use a position up to that");
                    }
                });
    }

    private CompletableFuture<Versioned<StreamMetadata>> move(
            Predicate<StreamMetadata> holds, DLSN firstKept, int attemptsLeft) {
        return whereabouts
                .present()
                .thenCompose(head -> StartResolver.requireOwn(head.value(), firstKept)
                                                .compareTo(StartResolver.firstKept(head.value()))
                                        <= 0
                                || !holds.test(head.value())
                        ? CompletableFuture.completedFuture(head)
                        : mark(head, firstKept))
                .exceptionallyCompose(failure -> mayRepeat(failure) && attemptsLeft > 1
                        ? pause().thenCompose(over -> move(holds, firstKept, attemptsLeft - 1))
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Void> pause() {
        return environment.pause(1_000_000L * environment.random().below(PAUSE_MILLIS_MAX));
    }

    /** Whether the head was changed by somebody else, or by this with its answer lost: what the next attempt finds decides. */
    private static boolean mayRepeat(Throwable failure) {
        return StreamFailures.isMetadata(failure, MetadataException.Code.VERSION_CONFLICT)
                || StreamFailures.isMetadata(failure, MetadataException.Code.OUTCOME_UNKNOWN);
    }

    private CompletableFuture<Versioned<StreamMetadata>> mark(Versioned<StreamMetadata> head, DLSN firstKept) {
        return doomed(head.value(), firstKept)
                .thenCompose(doomed -> commit(
                        head,
                        new HeadEdit(head.value()).truncatedBelow(firstKept),
                        doomed.stream().map(Truncation::truncated).toList(),
                        List.of()));
    }

    private CompletableFuture<Versioned<StreamMetadata>> commit(
            Versioned<StreamMetadata> head, HeadEdit edit, List<SegmentMetadata> puts, List<Long> removals) {
        StreamMetadata next = edit.build(environment.freshToken());
        return environment.onLoop(
                environment.metadata().commit(new StreamChange(next, head.version(), puts, removals)));
    }

    private static SegmentMetadata truncated(SegmentMetadata segment) {
        return new SegmentMetadata(
                segment.number(),
                segment.ledgerId(),
                SegmentMetadata.State.TRUNCATED,
                segment.firstTransactionId(),
                segment.lastTransactionId(),
                segment.recordCount(),
                segment.firstSequenceId(),
                segment.lastEntryId(),
                segment.lastSlot(),
                segment.epoch(),
                segment.createdMillis(),
                segment.completedMillis(),
                segment.payloadBytes());
    }

    /** The oldest segments, as many as one change may name, that lie wholly below a position and may go. */
    private CompletableFuture<List<SegmentMetadata>> doomed(StreamMetadata head, DLSN firstKept) {
        return segments.tail(head).thenCompose(tail -> {
            long keptFrom = head.nextSegmentNumber() - 1;
            for (SegmentMetadata segment : tail) {
                keptFrom = segment.recordCount() > 0 ? segment.number() : keptFrom;
            }
            long end = keptFrom;
            return segments.page(head.firstSegmentNumber() - 1, PAGE_COUNT)
                    .thenApply(page -> page.stream()
                            .takeWhile(segment -> segment.number() < end && isBelow(segment, firstKept))
                            .toList());
        });
    }

    private static boolean isBelow(SegmentMetadata segment, DLSN firstKept) {
        boolean isWholly = segment.number() < firstKept.segment()
                || (segment.number() == firstKept.segment() && segment.lastEntryId() < firstKept.entry());
        return segment.state() != SegmentMetadata.State.IN_PROGRESS && isWholly;
    }

    /** Gives back the space of all segments that lie below the truncation point of {@code head}, whoever truncated them; goes on where others stopped. */
    public CompletableFuture<Void> giveBack(Versioned<StreamMetadata> head) {
        return doomed(head.value(), StartResolver.firstKept(head.value())).thenCompose(doomed -> {
            if (doomed.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            boolean areMarked = doomed.stream().allMatch(segment -> segment.state() == SegmentMetadata.State.TRUNCATED);
            CompletableFuture<Versioned<StreamMetadata>> step = areMarked
                    ? remove(head, doomed)
                    : commit(
                            head,
                            new HeadEdit(head.value()),
                            doomed.stream().map(Truncation::truncated).toList(),
                            List.of());
            return step.exceptionallyCompose(this::refreshed).thenCompose(this::giveBack);
        });
    }

    /** A listing knows the name only: its ledgers are the stream's if the head that is read after it is of the same incarnation (S14). */
    private CompletableFuture<Versioned<StreamMetadata>> remove(
            Versioned<StreamMetadata> head, List<SegmentMetadata> doomed) {
        long last = doomed.get(doomed.size() - 1).number();
        return whereabouts
                .present()
                .thenCompose(there -> CompletableFuture.allOf(doomed.stream()
                        .map(segment -> environment.onLoop(environment.ledgers().delete(segment.ledgerId())))
                        .toArray(CompletableFuture[]::new)))
                .thenCompose(deleted -> commit(
                        head,
                        new HeadEdit(head.value()).segmentsFrom(last + 1),
                        List.of(),
                        doomed.stream().map(SegmentMetadata::number).toList()))
                .thenApply(removed -> {
                    LOG.debug("stream={} segments_removed={} up_to={}", stream, doomed.size(), last);
                    return removed;
                });
    }

    private CompletableFuture<Versioned<StreamMetadata>> refreshed(Throwable failure) {
        return mayRepeat(failure)
                ? pause().thenCompose(over -> whereabouts.present())
                : CompletableFuture.failedFuture(failure);
    }
}
