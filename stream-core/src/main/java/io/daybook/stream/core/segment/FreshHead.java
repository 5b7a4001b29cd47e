// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.ledger.api.LedgerException;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Looks into a stream on its present head, and does so again when a segment that it found was truncated and deleted meanwhile. <i>Threading:</i> the loop of the environment. */
public final class FreshHead {
    private static final int ATTEMPTS_MAX = 5;

    private FreshHead() {}

    /** The outcome of the look; fails when the stream does not exist or is being deleted. */
    public static <T> CompletableFuture<T> look(
            StreamEnvironment environment,
            String stream,
            Function<Versioned<StreamMetadata>, CompletableFuture<T>> step) {
        return look(environment, stream, step, ATTEMPTS_MAX);
    }

    private static <T> CompletableFuture<T> look(
            StreamEnvironment environment,
            String stream,
            Function<Versioned<StreamMetadata>, CompletableFuture<T>> step,
            int attemptsLeft) {
        return environment
                .onLoop(environment.metadata().read(stream))
                .thenApply(StreamFailures::requireNotDeleting)
                .thenCompose(step)
                .exceptionallyCompose(
                        failure -> Failures.rootOf(failure) instanceof LedgerException.LedgerGone && attemptsLeft > 1
                                ? look(environment, stream, step, attemptsLeft - 1)
                                : CompletableFuture.failedFuture(failure));
    }
}
