// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Timer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to open a link: name, connection, or the end of the time allowed.
 *
 * <p><i>Invariants:</i> the handler hears {@code opened} or {@code closed}, not both, from a later task than the one that asked.
 * <i>Threading:</i> the link's loop.
 */
final class ConnectAttempt {
    private final NettyEventLoop loop;
    private final Endpoint endpoint;
    private final LinkHandler handler;
    private final Bootstrap bootstrap;
    private @Nullable NettyLink link;
    private @Nullable Timer timeout;
    private boolean isOver;

    /** {@code bootstrap} is this attempt's own. */
    ConnectAttempt(NettyEventLoop loop, Endpoint endpoint, LinkHandler handler, Bootstrap bootstrap) {
        this.loop = loop;
        this.endpoint = endpoint;
        this.handler = handler;
        this.bootstrap = bootstrap;
    }

    void start(HostNames names, long timeoutNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(timeoutNanos);
        timeout = loop.schedule(timeoutNanos, () -> fail("no answer within " + millis + " ms"));
        names.resolve(loop, endpoint, this::resolved);
    }

    private void resolved(@Nullable InetSocketAddress address, @Nullable Throwable failure) {
        if (isOver) {
            return;
        }
        if (address == null) {
            fail(failure == null ? "unknown host" : Reasons.of(failure));
            return;
        }
        bootstrap.handler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                NettyLink opening = new NettyLink(loop, channel, endpoint, handler);
                link = opening;
                channel.pipeline().addLast(opening);
            }
        });
        bootstrap.connect(address).addListener(connection -> connected(connection.cause()));
    }

    private void connected(@Nullable Throwable failure) {
        if (isOver) {
            return;
        }
        if (failure != null) {
            fail(Reasons.of(failure));
            return;
        }
        end();
    }

    private void end() {
        isOver = true;
        if (timeout != null) {
            timeout.cancel();
        }
    }

    private void fail(String why) {
        if (isOver) {
            return;
        }
        end();
        String reason = "cannot connect to " + endpoint + ": " + why;
        if (link != null) {
            link.abandon(reason);
        } else if (!loop.turn().isClosed()) {
            loop.turn().run(() -> handler.closed(reason));
        }
    }
}
