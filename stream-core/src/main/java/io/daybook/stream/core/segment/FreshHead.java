// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.ledger.api.LedgerException;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Failures;
import io.daybook.stream.StreamException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Looks into a stream on its present head, and does so again when a segment that it found was truncated and deleted meanwhile.
 *
 * <p><i>Invariants:</i> S14: nothing is found in, or done to, another stream that has the name since. <i>Threading:</i> the loop of the environment.
 */
public final class FreshHead {
    private static final int ATTEMPTS_MAX = 5;

    private FreshHead() {}

    /**
     * The outcome of a step that tells something of the stream that {@code known} is a head of: a listing knows the name only, so it counts when the head is the stream's
     * afterwards too. Fails as {@link Whereabouts#present} does when it is not.
     */
    public static <T> CompletableFuture<T> look(
            StreamEnvironment environment,
            StreamMetadata known,
            Function<Versioned<StreamMetadata>, CompletableFuture<T>> step) {
        Whereabouts whereabouts = new Whereabouts(environment, known);
        return act(
                environment,
                known,
                head -> step.apply(head)
                        .thenCompose(outcome -> whereabouts.present().thenApply(still -> outcome)));
    }

    /** The outcome of a step that is bound to the head it is given, as a change by compare-and-set is. */
    public static <T> CompletableFuture<T> act(
            StreamEnvironment environment,
            StreamMetadata known,
            Function<Versioned<StreamMetadata>, CompletableFuture<T>> step) {
        return attempt(new Whereabouts(environment, known), step, ATTEMPTS_MAX);
    }

    private static <T> CompletableFuture<T> attempt(
            Whereabouts whereabouts, Function<Versioned<StreamMetadata>, CompletableFuture<T>> step, int attemptsLeft) {
        return whereabouts
                .present()
                .thenCompose(step)
                .exceptionallyCompose(
                        failure -> Failures.rootOf(failure) instanceof LedgerException.LedgerGone && attemptsLeft > 1
                                ? attempt(whereabouts, step, attemptsLeft - 1)
                                : told(whereabouts, failure));
    }

    /** A ledger that is not what the head promises may be one of a successor, whose segments were listed under the same name (S14): then the stream is gone. It is not told while nobody can say whether it is. */
    private static <T> CompletableFuture<T> told(Whereabouts whereabouts, Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root instanceof LedgerException.WrongKey || root instanceof StreamException.Corrupt) {
            return whereabouts
                    .present()
                    .handle((still, gone) -> gone)
                    .thenCompose(gone -> CompletableFuture.failedFuture(gone == null ? failure : gone));
        }
        return whereabouts.orTold(failure);
    }
}
