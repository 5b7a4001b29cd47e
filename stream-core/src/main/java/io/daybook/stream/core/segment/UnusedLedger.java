// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.stream.StreamException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ledger that was made for a segment of which it is not certain that it was begun: a change whose answer was lost may have begun it before a rival took the stream
 * over. The ledger is deleted only when no segment names it; else it stays, empty, and goes with its segment.
 *
 * <p><i>Threading:</i> the loop of the environment.
 */
final class UnusedLedger {
    private static final Logger LOG = LoggerFactory.getLogger(UnusedLedger.class);

    private final StreamEnvironment environment;
    private final StreamMetadata head;
    private final LedgerWriter ledger;

    /** Made for the stream of {@code head}. */
    UnusedLedger(StreamEnvironment environment, StreamMetadata head, LedgerWriter ledger) {
        this.environment = environment;
        this.head = head;
        this.ledger = ledger;
    }

    /** Whether after this failure no change can begin the segment any more, because the head that it would replace was seen replaced. */
    static boolean isDecided(@Nullable Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        return root instanceof StreamException.WriterFenced
                || root instanceof StreamException.StreamNotFound
                || root instanceof StreamException.EndOfStream
                || StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND);
    }

    /** Deletes it unless the segment of that number is made of it. Completes when done or given up; never fails. */
    CompletableFuture<Void> discardUnlessNamed(long segmentNumber) {
        CompletableFuture<Page<SegmentMetadata>> there =
                environment.onLoop(environment.metadata().segments(head.name(), segmentNumber - 1, 1));
        return there.handle((page, failure) -> {
            boolean isGone = StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND);
            if (isGone || (page != null && page.items().stream().noneMatch(this::isOfThis))) {
                OwnedStream.discard(environment, ledger);
            } else {
                LOG.debug("stream={} ledger={} state=KEPT", head.name(), ledger.ledgerId());
                ledger.close();
            }
            return null;
        });
    }

    private boolean isOfThis(SegmentMetadata segment) {
        return segment.ledgerId() == ledger.ledgerId();
    }
}
