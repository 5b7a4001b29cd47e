// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.waiting;

import io.daybook.runtime.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The loops of a layer, whose threads must never wait for that layer: whoever does so there holds up what he waits for, for ever. Such a wait is refused (S-29).
 *
 * <p><i>Threading:</i> any thread.
 */
public final class InternalLoops {
    private final List<EventLoop> loops = new CopyOnWriteArrayList<>();

    /** None yet. */
    public InternalLoops() {}

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

    /**
     * Refuses a call that blocks, when the caller runs on one of them.
     *
     * @param call its name, for the message
     * @throws IllegalStateException on an internal thread
     */
    public void requireForeign(String call) {
        if (isInternal()) {
            throw new IllegalStateException(
                    call + " blocks and must not be called on an internal thread, where futures complete: use the form"
                            + " that returns a future");
        }
    }

    /**
     * A future for a caller. As long as it is not done, {@code get} and {@code join} of it, and of all futures derived from it, fail on an internal thread
     * with {@link IllegalStateException}.
     *
     * @return the future, not complete
     */
    public <T> CompletableFuture<T> future() {
        return new Guarded<>(this);
    }

    private void requireForeign(CompletableFuture<?> awaited) {
        if (!awaited.isDone() && isInternal()) {
            throw new IllegalStateException(
                    "waiting for this future would never end on an internal thread, where futures complete: attach to"
                            + " it what is to follow, or wait on a thread of your own");
        }
    }

    private static final class Guarded<T> extends CompletableFuture<T> {
        private final InternalLoops loops;

        private Guarded(InternalLoops loops) {
            this.loops = loops;
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new Guarded<>(loops);
        }

        @Override
        public T join() {
            loops.requireForeign(this);
            return super.join();
        }

        @Override
        public T get() throws InterruptedException, ExecutionException {
            loops.requireForeign(this);
            return super.get();
        }

        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            loops.requireForeign(this);
            return super.get(timeout, unit);
        }
    }
}
