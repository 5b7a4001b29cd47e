// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.runtime.EventLoop;
import io.daybook.stream.StreamException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The loops whose threads must never wait for the stream layer, and the one way in which other threads do.
 *
 * <p><i>Threading:</i> any thread.
 */
public final class InternalThreads {
    private final List<EventLoop> loops = new CopyOnWriteArrayList<>();

    /** From now on {@code loop} is one of them. */
    public void add(EventLoop loop) {
        if (!loops.contains(loop)) {
            loops.add(loop);
        }
    }

    /** Whether the caller runs on one of them. */
    public boolean isInternal() {
        for (EventLoop loop : loops) {
            if (loop.isInLoop()) {
                return true;
            }
        }
        return false;
    }

    /** Throws {@link IllegalStateException} on an internal thread: waiting there would wait for itself. */
    public void requireForeign(String call) {
        if (isInternal()) {
            throw new IllegalStateException(
                    call + " blocks and must not be called on an internal thread, where futures complete: use the form"
                            + " that returns a future");
        }
    }

    /** Waits for a call of the stream layer; throws the {@link StreamException} with which it fails. */
    public <T> T await(String stream, String call, CompletableFuture<T> outcome) {
        requireForeign(call);
        try {
            return outcome.get();
        } catch (ExecutionException failed) {
            throw StreamFailures.of(stream, "finish " + call, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StreamException.Unavailable(
                    "stream '" + stream + "': the thread was interrupted while it waited for " + call, interrupted);
        }
    }

    /** Waits until {@code signal} completes or {@code isOver}, which is asked every second; false when the thread is interrupted, which it stays. */
    public boolean awaitSignal(CompletableFuture<?> signal, BooleanSupplier isOver) {
        while (!signal.isDone() && !isOver.getAsBoolean()) {
            try {
                signal.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException later) {
                // Time to ask again.
            } catch (ExecutionException failed) {
                return true;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** Waits until {@code outcome} completes in whatever way, or the time is over, or the thread is interrupted, which it stays. */
    public void awaitAtMost(CompletableFuture<?> outcome, long seconds) {
        try {
            outcome.handle((value, failure) -> true).get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException over) {
            return;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
