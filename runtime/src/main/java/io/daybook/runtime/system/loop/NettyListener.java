// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.Network.Listener;
import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;

/** A bound server socket. */
final class NettyListener implements Listener {
    private final Channel channel;
    private final Endpoint endpoint;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** Created on the loop of the channel. */
    NettyListener(Channel channel, Endpoint endpoint) {
        this.channel = channel;
        this.endpoint = endpoint;
        // Registered while the loop lives: the loop closes the channel when it ends.
        channel.closeFuture().addListener(done -> closed.complete(null));
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public CompletableFuture<Void> close() {
        if (channel.isOpen()) {
            channel.close();
        }
        return closed.copy();
    }
}
