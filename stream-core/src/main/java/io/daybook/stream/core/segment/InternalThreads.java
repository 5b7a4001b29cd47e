// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.waiting.InternalLoops;
import io.daybook.stream.StreamException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The loops whose threads must never wait for the stream layer, and the one way in which other threads do.
 *
 * <p><i>Threading:</i> any thread.
 */
public final class InternalThreads {
    private final InternalLoops loops = new InternalLoops();
    private final Runnable keepInterrupt;

    /** {@code keepInterrupt} marks the thread that calls it as interrupted. */
    public InternalThreads(Runnable keepInterrupt) {
        this.keepInterrupt = keepInterrupt;
    }

    /** The caller was interrupted, which is for its own code to see: its thread stays interrupted. */
    public void keepInterrupt() {
        keepInterrupt.run();
    }

    /** From now on {@code loop} is one of them. */
    public void add(EventLoop loop) {
        loops.add(loop);
    }

    /** Whether the caller runs on one of them. */
    public boolean isInternal() {
        return loops.isInternal();
    }

    /** Throws {@link IllegalStateException} on an internal thread: waiting there would wait for itself. */
    public void requireForeign(String call) {
        loops.requireForeign(call);
    }

    /**
     * Waits for a call of the stream layer; throws the {@link StreamException} with which it fails. An interrupt does not end the wait, which the time-outs of the
     * layers below do, and is kept for the caller.
     */
    public <T> T await(String stream, String call, CompletableFuture<T> outcome) {
        requireForeign(call);
        try {
            return outcome.join();
        } catch (CompletionException failed) {
            throw StreamFailures.of(stream, "finish " + call, failed);
        }
    }
}
