// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network;
import io.daybook.runtime.NetworkException;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** TCP: length-prefixed frames over the sockets of the operating system. */
public final class NettyNetwork implements Network, AutoCloseable {
    private static final int BACKLOG = 1024;

    /** Receive buffers adapt between these sizes to what a connection brings. */
    private static final int RECEIVE_BYTES_MIN = 2 * 1024;

    private static final int RECEIVE_BYTES_INITIAL = 16 * 1024;
    private static final int RECEIVE_BYTES_MAX = 256 * 1024;

    /** Reads of one connection in one turn, so that a busy one does not starve the others. */
    private static final int READS_PER_TURN_MAX = 8;

    private static final WriteBufferWaterMark MARKS =
            new WriteBufferWaterMark(NettyLink.LOW_MARK_BYTES, NettyLink.HIGH_MARK_BYTES);

    private final Transport transport;
    private final HostNames names = new HostNames();

    /** Carries links on the loops made with the same transport. */
    public NettyNetwork(Transport transport) {
        this.transport = transport;
    }

    @Override
    public CompletableFuture<Listener> listen(EventLoop loop, Endpoint endpoint, Acceptor acceptor) {
        NettyEventLoop home = networkLoop(loop);
        CompletableFuture<Listener> listening = new CompletableFuture<>();
        home.execute(() -> names.resolve(home, endpoint, (address, failure) -> {
            if (address == null) {
                listening.completeExceptionally(
                        cannotListen(endpoint, failure == null ? new IllegalStateException() : failure));
            } else {
                bind(home, endpoint, address, acceptor, listening);
            }
        }));
        return listening;
    }

    private void bind(
            NettyEventLoop home,
            Endpoint endpoint,
            InetSocketAddress address,
            Acceptor acceptor,
            CompletableFuture<Listener> listening) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(home.selector(), home.selector())
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(home, channel, acceptor);
                    }
                })
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS);
        ChannelFuture binding = bootstrap.bind(address);
        binding.addListener(done -> {
            if (done.isSuccess()) {
                Channel channel = binding.channel();
                int port = ((InetSocketAddress) channel.localAddress()).getPort();
                listening.complete(new NettyListener(channel, new Endpoint(endpoint.host(), port)));
            } else {
                listening.completeExceptionally(cannotListen(endpoint, done.cause()));
            }
        });
    }

    private static NetworkException cannotListen(Endpoint endpoint, Throwable failure) {
        return new NetworkException("cannot listen on " + endpoint + ": " + Reasons.of(failure), failure);
    }

    private static void accept(NettyEventLoop home, Channel channel, Acceptor acceptor) {
        InetSocketAddress address = (InetSocketAddress) channel.remoteAddress();
        if (address == null || home.turn().isClosed()) {
            // The caller is gone again already, or nobody is left to serve it.
            channel.close();
            return;
        }
        Endpoint remote = new Endpoint(address.getAddress().getHostAddress(), address.getPort());
        try {
            LinkHandler handler = acceptor.accept(remote);
            channel.pipeline().addLast(new NettyLink(home, channel, remote, handler));
        } catch (Throwable bug) {
            home.turn().report(bug);
            channel.close();
        }
    }

    @Override
    public void connect(EventLoop loop, Endpoint endpoint, long timeoutNanos, LinkHandler handler) {
        NettyEventLoop home = networkLoop(loop);
        Bootstrap bootstrap = new Bootstrap()
                .group(home.selector())
                .channel(transport.channel())
                // The attempt has a timer of its own, which also covers the name server.
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS);
        ConnectAttempt attempt = new ConnectAttempt(home, endpoint, handler, bootstrap);
        home.execute(() -> attempt.start(names, timeoutNanos));
    }

    private static AdaptiveRecvByteBufAllocator receiveBuffers() {
        AdaptiveRecvByteBufAllocator buffers =
                new AdaptiveRecvByteBufAllocator(RECEIVE_BYTES_MIN, RECEIVE_BYTES_INITIAL, RECEIVE_BYTES_MAX);
        buffers.maxMessagesPerRead(READS_PER_TURN_MAX);
        return buffers;
    }

    private static NettyEventLoop networkLoop(EventLoop loop) {
        if (loop instanceof NettyEventLoop home) {
            return home;
        }
        throw new IllegalArgumentException(
                "loop " + loop.name() + " carries no links: it was not made as a NETWORK loop");
    }

    @Override
    public void close() {
        names.close();
    }
}
