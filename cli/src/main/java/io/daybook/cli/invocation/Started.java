// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Something that lives as long as a command, such as a cluster of its own. The end of the process closes it too, also when the process is told to end
 * in the middle of the start: what was begun is made whole then, and closed, unless that takes longer than a minute.
 *
 * <p><i>Threading:</i> any thread.
 */
public final class Started<T> implements AutoCloseable {
    /** Longer than a start takes on a slow machine. */
    private static final long START_SECONDS_MAX = 60;

    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Consumer<T> closing;
    private final Shutdown whenEnding;

    private Started(Consumer<T> closing) {
        this.closing = closing;
        whenEnding = Shutdown.does(this::end);
    }

    /** Starts it. Throws what {@code start} throws, and that the process is ending when it is. */
    public static <T> Started<T> of(Supplier<T> start, Consumer<T> closing) {
        Started<T> started = new Started<>(closing);
        try {
            started.outcome.complete(start.get());
        } catch (RuntimeException | Error failure) {
            started.outcome.completeExceptionally(failure);
            started.whenEnding.close();
            throw failure;
        }
        Shutdown.requireNotUnderWay();
        return started;
    }

    /** What was started. */
    public T get() {
        return outcome.join();
    }

    private void end() {
        T alive;
        try {
            alive = outcome.copy()
                    .orTimeout(START_SECONDS_MAX, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException failed) {
            // Whoever starts it hears why, and there is nothing to close; or the start hangs, and what it has begun is
            // left but for its processes.
            Shutdown.killChildren();
            return;
        }
        closing.accept(alive);
    }

    /** Closes it. */
    @Override
    public void close() {
        try {
            closing.accept(get());
        } finally {
            whenEnding.close();
        }
    }
}
