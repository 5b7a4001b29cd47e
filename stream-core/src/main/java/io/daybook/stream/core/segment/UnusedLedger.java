// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.stream.StreamException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ledger that was made for a segment of which it is not certain that it was begun: a change whose answer was lost may have begun it before a rival took the stream
 * over or renamed it. The ledger is deleted only when it is certain that no segment names it; else it stays, empty, and goes with its segment or as an orphan.
 *
 * <p><i>Threading:</i> the loop of the environment.
 */
public final class UnusedLedger {
    private static final Logger LOG = LoggerFactory.getLogger(UnusedLedger.class);

    private final StreamEnvironment environment;
    private final StreamMetadata head;
    private final LedgerWriter ledger;

    /** Made for the stream of {@code head}. */
    public UnusedLedger(StreamEnvironment environment, StreamMetadata head, LedgerWriter ledger) {
        this.environment = environment;
        this.head = head;
        this.ledger = ledger;
    }

    /** Whether after this failure no change can begin the segment any more, because the head that it would replace was seen replaced. */
    static boolean isDecided(@Nullable Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        return root instanceof StreamException.WriterFenced
                || root instanceof StreamException.StreamNotFound
                || root instanceof StreamException.StreamRenamed
                || root instanceof StreamException.EndOfStream
                || StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND);
    }

    /** Deletes it unless the segment of that number is made of it. Completes when done or given up; never fails. */
    public CompletableFuture<Void> discardUnlessNamed(long segmentNumber) {
        CompletableFuture<Page<SegmentMetadata>> there =
                environment.onLoop(environment.metadata().segments(head.name(), segmentNumber - 1, 1));
        return there.thenCompose(page -> environment
                        .onLoop(environment.metadata().read(head.name()))
                        .thenCompose(now -> now.value().incarnation().equals(head.incarnation())
                                ? CompletableFuture.completedFuture(
                                        page.items().stream().noneMatch(this::isOfThis))
                                : isStreamGone()))
                .exceptionallyCompose(failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                        ? isStreamGone()
                        : CompletableFuture.failedFuture(failure))
                .handle((isUnused, failure) -> {
                    if (failure == null && isUnused) {
                        OwnedStream.discard(environment, ledger);
                    } else {
                        LOG.debug("stream={} ledger={} state=KEPT", head.name(), ledger.ledgerId());
                        ledger.close();
                    }
                    return null;
                });
    }

    /** Whether the stream is under no name any more. Under another name a segment may be made of the ledger. */
    private CompletableFuture<Boolean> isStreamGone() {
        return new Whereabouts(environment, head).name().thenApply(Optional::isEmpty);
    }

    private boolean isOfThis(SegmentMetadata segment) {
        return segment.ledgerId() == ledger.ledgerId();
    }
}
