// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.maintenance;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Failures;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.position.StartResolver;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.segment.Whereabouts;
import java.util.concurrent.CompletableFuture;

/** What a maintainer does for one stream: finishes its deletion, or applies its retention and gives back what is truncated. <i>Threading:</i> the loop of the environment. */
final class StreamCare {
    /** What was done. */
    enum Done {
        /** Nothing was to be done, or only space was given back. */
        LOOKED_AT,
        /** Its retention let something go. */
        TRUNCATED,
        /** Its deletion was finished. */
        DELETED
    }

    private final StreamEnvironment environment;
    private final String stream;

    StreamCare(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.stream = stream;
    }

    CompletableFuture<Done> run() {
        return environment
                .onLoop(environment.metadata().read(stream))
                .thenCompose(head -> head.value().state() == StreamMetadata.State.DELETING
                        ? new StreamDeletion(environment, stream).goOn(head).thenApply(gone -> Done.DELETED)
                        : retain(head))
                .exceptionallyCompose(failure -> isGone(failure)
                        ? CompletableFuture.completedFuture(Done.LOOKED_AT)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Done> retain(Versioned<StreamMetadata> head) {
        Retention retention = new Retention(head.value().settings());
        if (!retention.isBounded()) {
            return giveBack(head);
        }
        return new SegmentList(environment, stream)
                .from(head.value().firstSegmentNumber() - 1)
                // A listing knows the name only: these settings are not for a stream that has got the name since (S14).
                .thenCompose(segments ->
                        new Whereabouts(environment, head.value()).present().thenApply(still -> segments))
                .thenCompose(segments -> retention
                        .firstKept(segments, environment.loop().wallMillis())
                        .filter(firstKept -> firstKept.compareTo(StartResolver.firstKept(head.value())) > 0)
                        .map(firstKept -> new Truncation(environment, head.value())
                                // Settings that were changed since are not for what these let go.
                                .belowWhile(
                                        now -> now.settings()
                                                .equals(head.value().settings()),
                                        firstKept)
                                .thenApply(done -> Done.TRUNCATED))
                        .orElseGet(() -> giveBack(head)));
    }

    private CompletableFuture<Done> giveBack(Versioned<StreamMetadata> head) {
        boolean mayHaveSpace =
                StartResolver.firstKept(head.value()).segment() > head.value().firstSegmentNumber();
        return mayHaveSpace
                ? new Truncation(environment, head.value()).giveBack(head).thenApply(done -> Done.LOOKED_AT)
                : CompletableFuture.completedFuture(Done.LOOKED_AT);
    }

    /** Whether the name was left since the streams were listed: the stream is looked at under its new one, if it has one, by the next pass. */
    private static boolean isGone(Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        return StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                || root instanceof StreamException.StreamNotFound
                || root instanceof StreamException.StreamRenamed;
    }
}
