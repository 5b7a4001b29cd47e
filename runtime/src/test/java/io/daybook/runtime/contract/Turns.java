// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import io.daybook.runtime.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Runs pieces of a contract test on event loops and waits for them by letting time pass. */
final class Turns {
    private final PortsUnderTest ports;

    Turns(PortsUnderTest ports) {
        this.ports = ports;
    }

    /** Runs {@code action} as one task of {@code loop} and returns what it returned; an assertion that failed in it fails here. */
    <T> T on(EventLoop loop, Supplier<T> action) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                outcome.complete(action.get());
            } catch (RuntimeException | AssertionError failure) {
                outcome.completeExceptionally(failure);
            }
        });
        return await(outcome);
    }

    /** As {@link #on(EventLoop, Supplier)} for an action without a result. */
    void run(EventLoop loop, Runnable action) {
        on(loop, () -> {
            action.run();
            return true;
        });
    }

    /** Lets time pass until {@code future} is done; unwraps what failed. */
    <T> T await(CompletableFuture<T> future) {
        ports.runUntil(future::isDone);
        try {
            return future.getNow(null);
        } catch (java.util.concurrent.CompletionException failure) {
            if (failure.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (failure.getCause() instanceof AssertionError cause) {
                throw cause;
            }
            throw failure;
        }
    }

    /** Lets 30 ms pass on each loop, so that whatever must not happen had the time to happen. */
    void settle(EventLoop... loops) {
        AtomicInteger fired = new AtomicInteger();
        for (EventLoop loop : loops) {
            loop.schedule(TimeUnit.MILLISECONDS.toNanos(30), fired::incrementAndGet);
        }
        ports.runUntil(() -> fired.get() == loops.length);
    }
}
