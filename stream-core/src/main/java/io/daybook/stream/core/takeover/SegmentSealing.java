// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.takeover;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.segment.SegmentEntries;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamDefects;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Recovers the ledger of every segment in progress, oldest first, which fences whoever wrote it, and tells how the segments are completed; what is told is not stored yet.
 * <i>Threading:</i> the loop of the environment.
 */
final class SegmentSealing {
    private final StreamEnvironment environment;
    private final String stream;
    private final SegmentList segments;

    /** Of a stream. */
    SegmentSealing(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.stream = stream;
        this.segments = new SegmentList(environment, stream);
    }

    /** The newest segments, sealed; empty when {@code head} was read before a rival changed it. */
    CompletableFuture<Optional<Sealed>> run(StreamMetadata head) {
        return segments.tail(head)
                .thenCompose(tail -> isOf(head, tail)
                        ? hasKeyOf(head, tail)
                                .thenCompose(
                                        right -> seal(head, tail, new Sealed(new ArrayList<>(), new ArrayList<>())))
                                .thenApply(Optional::of)
                        : CompletableFuture.completedFuture(Optional.empty()));
    }

    /** Whether the head is not older than the segments: a rival may have begun one meanwhile, which is not to be fenced on the word of an old head. */
    private static boolean isOf(StreamMetadata head, List<SegmentMetadata> tail) {
        return tail.isEmpty() || tail.get(tail.size() - 1).number() < head.nextSegmentNumber();
    }

    /**
     * Whoever has another key than those who wrote before, or none, would leave a stream that nobody can read. Whatever keeps the key from being checked keeps the
     * stream from being taken over; when the segment was truncated meanwhile, a rival has changed the head too, and it is tried again.
     */
    private CompletableFuture<Void> hasKeyOf(StreamMetadata head, List<SegmentMetadata> tail) {
        boolean needsNone = head.settings().digest() == DigestType.CRC32C || tail.isEmpty();
        SegmentMetadata last = needsNone ? null : tail.get(tail.size() - 1);
        if (last == null || last.state() != SegmentMetadata.State.COMPLETED) {
            return CompletableFuture.completedFuture(null);
        }
        return environment
                .openLedger(head, last)
                .thenAccept(LedgerReader::close)
                .exceptionallyCompose(failure -> this.<Void>unreadable(last, failure));
    }

    /** Segments none of which is in progress any more, and those of them that were. */
    record Sealed(List<SegmentMetadata> all, List<SegmentMetadata> changed) {}

    /** Seals, oldest first, the segments of {@code tail} that follow those in {@code result}. */
    private CompletableFuture<Sealed> seal(StreamMetadata head, List<SegmentMetadata> tail, Sealed result) {
        for (int i = result.all().size(); i < tail.size(); i++) {
            if (tail.get(i).state() == SegmentMetadata.State.IN_PROGRESS) {
                return complete(head, tail.get(i)).thenCompose(segment -> {
                    result.all().add(segment);
                    result.changed().add(segment);
                    return seal(head, tail, result);
                });
            }
            result.all().add(tail.get(i));
        }
        return CompletableFuture.completedFuture(result);
    }

    private CompletableFuture<SegmentMetadata> complete(StreamMetadata head, SegmentMetadata segment) {
        return recovered(head, segment)
                .thenCompose(ledger -> SegmentEntries.end(environment, stream, segment, ledger)
                        .whenComplete((end, failure) -> ledger.close()))
                .exceptionallyCompose(failure -> unreadable(segment, failure))
                .thenApply(end -> end.complete(segment, environment.loop().wallMillis()));
    }

    private CompletableFuture<LedgerReader> recovered(StreamMetadata head, SegmentMetadata segment) {
        if (environment.faults().at(StreamDefects.OLD_SEGMENTS_NOT_RECOVERED)) {
            return environment
                    .openLedger(head, segment)
                    .thenCompose(ledger -> environment.onLoop(ledger.refresh()).thenApply(refreshed -> ledger));
        }
        return environment.recoverLedger(head, segment);
    }

    /**
     * A ledger that is gone belongs to a stream that is being deleted, or to a segment that a rival has completed and somebody truncated since the segments
     * were listed, or something deleted it that must not. The segments are looked at again before the head, because only the list is surely fresh (M3), and
     * the head is not older than it.
     */
    private <T> CompletableFuture<T> unreadable(SegmentMetadata segment, Throwable failure) {
        if (!(Failures.rootOf(failure) instanceof LedgerException.LedgerGone gone)) {
            return CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<List<SegmentMetadata>> present = segments.page(segment.number() - 1, 1);
        return present.thenCompose(found -> environment
                .onLoop(environment.metadata().read(stream))
                .thenApply(StreamFailures::requireNotDeleting)
                .thenApply(head -> {
                    if (!found.contains(segment)) {
                        throw new OvertakenException(gone);
                    }
                    throw new StreamException.Corrupt(
                            "stream '" + stream + "': ledger " + segment.ledgerId() + " of segment " + segment.number()
                                    + " is gone",
                            gone);
                }));
    }

    /** A rival took the stream over after its segments were listed. */
    static final class OvertakenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        OvertakenException(Throwable cause) {
            super("a rival took the stream over at the same time", cause);
        }
    }
}
