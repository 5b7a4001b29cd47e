// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.Endpoint;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Turns host names into addresses on threads of its own, since asking a name server blocks. */
final class HostNames implements AutoCloseable {
    private static final int THREADS_MAX = 4;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor askers = new ThreadPoolExecutor(
            THREADS_MAX, THREADS_MAX, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), HostNames::thread);

    HostNames() {
        askers.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "daybook-host-names");
        thread.setDaemon(true);
        return thread;
    }

    /** Hands the address of {@code endpoint} to {@code consumer} on {@code loop}, or what failed; at once when no name has to be asked for. */
    void resolve(
            NettyEventLoop loop,
            Endpoint endpoint,
            BiConsumer<@Nullable InetSocketAddress, @Nullable Throwable> consumer) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(endpoint.host());
        try {
            if (literal != null) {
                consumer.accept(new InetSocketAddress(InetAddress.getByAddress(literal), endpoint.port()), null);
                return;
            }
            askers.execute(() -> ask(loop, endpoint, consumer));
        } catch (UnknownHostException | RejectedExecutionException refused) {
            consumer.accept(null, refused);
        }
    }

    private static void ask(
            NettyEventLoop loop,
            Endpoint endpoint,
            BiConsumer<@Nullable InetSocketAddress, @Nullable Throwable> consumer) {
        try {
            InetAddress address = InetAddress.getByName(endpoint.host());
            loop.execute(() -> consumer.accept(new InetSocketAddress(address, endpoint.port()), null));
        } catch (UnknownHostException unknown) {
            loop.execute(() -> consumer.accept(null, unknown));
        }
    }

    @Override
    public void close() {
        askers.shutdownNow();
    }
}
