// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

import java.util.concurrent.CompletableFuture;

/**
 * The network: links that carry ordered byte frames. A frame travels as a 4-byte big-endian length followed by that many bytes; callers see only
 * the bytes after the length.
 */
public interface Network {
    /**
     * Accepts links. Every accepted link lives on {@code loop}.
     *
     * @return the listener once the port is bound; fails with {@link NetworkException} that names the endpoint and the reason (port in use, …)
     */
    CompletableFuture<Listener> listen(EventLoop loop, Endpoint endpoint, Acceptor acceptor);

    /**
     * Opens a link that lives on {@code loop}. Either {@link LinkHandler#opened} or {@link LinkHandler#closed} (with the reason) is called later,
     * on that loop, never from inside this call.
     *
     * @param timeoutNanos bound on the connection attempt
     */
    void connect(EventLoop loop, Endpoint endpoint, long timeoutNanos, LinkHandler handler);

    /** Makes the handler of an accepted link. */
    @FunctionalInterface
    interface Acceptor {
        /** Called on the listener's loop before {@link LinkHandler#opened}. */
        LinkHandler accept(Endpoint remote);
    }

    /** A bound port. */
    interface Listener {
        /** The endpoint with the port that was really bound. */
        Endpoint endpoint();

        /** Stops accepting; links already accepted stay open. Idempotent, any thread. Completes when the port is free again. */
        CompletableFuture<Void> close();
    }
}
