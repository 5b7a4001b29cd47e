// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The way to the sockets of the operating system. */
public enum Transport {
    /** Linux epoll by a native library: the faster one. */
    EPOLL,
    /** The selector of the JDK: works everywhere. */
    NIO;

    /** The best one that works here, unless the native one is not wanted. */
    public static Transport choose(boolean mayBeNative) {
        return mayBeNative && Epoll.isAvailable() ? EPOLL : NIO;
    }

    IoHandlerFactory handlers() {
        return this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    Class<? extends SocketChannel> channel() {
        return this == EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    Class<? extends ServerSocketChannel> serverChannel() {
        return this == EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }
}
