// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Repeats a reading step while it fails in a way that may pass, with growing pauses, for a bounded time. <i>Threading:</i> the loop of the environment. */
public final class Retry {
    /** How long a step is repeated. */
    public static final long TOTAL_NANOS_MAX = 20_000_000_000L;

    private static final long PAUSE_NANOS_MIN = 20_000_000L;
    private static final long PAUSE_NANOS_MAX = 1_000_000_000L;

    private Retry() {}

    /** The pause before the retry that follows {@code failures} failures in a row (1 or more). */
    public static long pauseNanos(int failures) {
        return Math.min(PAUSE_NANOS_MAX, PAUSE_NANOS_MIN << Math.min(failures - 1, 10));
    }

    /** The outcome of the step, or its last failure. */
    public static <T> CompletableFuture<T> reading(StreamEnvironment environment, Supplier<CompletableFuture<T>> step) {
        return attempt(environment, step, 1, environment.loop().nanoTime() + TOTAL_NANOS_MAX);
    }

    private static <T> CompletableFuture<T> attempt(
            StreamEnvironment environment, Supplier<CompletableFuture<T>> step, int number, long deadlineNanos) {
        return step.get().exceptionallyCompose(failure -> {
            if (!StreamFailures.isRetryable(failure) || environment.loop().nanoTime() - deadlineNanos > 0) {
                return CompletableFuture.failedFuture(failure);
            }
            return environment
                    .pause(pauseNanos(number))
                    .thenCompose(over -> attempt(environment, step, number + 1, deadlineNanos));
        });
    }
}
