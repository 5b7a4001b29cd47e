// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Forwards connections to a port of this machine; what goes there can be slowed down, or swallowed. */
final class TcpProxy implements AutoCloseable {
    private static final int CHUNK_BYTES = 16 * 1024;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final ServerSocket server;
    private final int target;
    private final Meter meter = new Meter();
    private volatile long bytesPerSecond = Long.MAX_VALUE;
    private volatile long swallowsAfter = Long.MAX_VALUE;

    private TcpProxy(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    static TcpProxy to(int target) throws IOException {
        TcpProxy proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        proxy.threads.execute(proxy::accept);
        return proxy;
    }

    int port() {
        return server.getLocalPort();
    }

    /** All connections together carry no more than this many bytes a second from now on. */
    void limit(long newBytesPerSecond) {
        bytesPerSecond = newBytesPerSecond;
    }

    /** When this many bytes have passed nothing arrives any more, in either direction, and nobody is told. */
    void swallowAfter(long bytes) {
        swallowsAfter = bytes;
    }

    /** Bytes that have passed on their way to the target. */
    long passedBytes() {
        return meter.passed();
    }

    boolean isSwallowing() {
        return meter.passed() >= swallowsAfter;
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket near = server.accept();
                near.setReceiveBufferSize(64 * 1024);
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                threads.execute(() -> carry(near, far, true));
                threads.execute(() -> carry(far, near, false));
            }
        } catch (IOException closed) {
            // The test is over, or the bookie is down: who connected sees his connection end.
        }
    }

    private void carry(Socket from, Socket to, boolean isSlow) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                if (isSlow) {
                    meter.pass(count, bytesPerSecond);
                }
                if (!isSwallowing()) {
                    out.write(chunk, 0, count);
                    out.flush();
                }
            }
        } catch (IOException broken) {
            // Both ends are closed.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }

    /** Lets bytes pass at a rate. */
    private static final class Meter {
        private long freeNanos = System.nanoTime();
        private long passed;

        synchronized long passed() {
            return passed;
        }

        void pass(int bytes, long bytesPerSecond) {
            long until;
            synchronized (this) {
                long takes = (long) (bytes * (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond);
                freeNanos = Math.max(freeNanos, System.nanoTime()) + takes;
                until = freeNanos;
                passed += bytes;
            }
            while (System.nanoTime() - until < 0) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
        }
    }
}
