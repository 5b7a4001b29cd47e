// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.Host;
import io.daybook.runtime.contract.PortsUnderTest;
import io.daybook.runtime.settings.SettingsLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Two real hosts in this process, over the loopback interface. */
final class SystemPorts implements PortsUnderTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final String LOOPBACK = "127.0.0.1";

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> sockets = new ArrayList<>();
    private final Path directory;
    private final SystemHost host;
    private final SystemHost peer;

    SystemPorts(Path directory, Map<String, String> settings) {
        this.directory = directory;
        SystemConfig config = SettingsLoader.with(SystemConfig.class, settings);
        host = newHost(config);
        peer = newHost(config);
    }

    private SystemHost newHost(SystemConfig config) {
        return SystemHost.embedded(config, (loop, failure) -> failures.add(failure), (code, reason) -> {
            throw new IllegalStateException("halted: " + reason);
        });
    }

    @Override
    public Host host() {
        return host;
    }

    @Override
    public Host peer() {
        return peer;
    }

    @Override
    public Endpoint peerAnyPort() {
        return new Endpoint(LOOPBACK, 0);
    }

    @Override
    public Endpoint refusing() {
        // Reserved for the multiplexer of RFC 1078, which no system runs.
        return new Endpoint(LOOPBACK, 1);
    }

    /** A listener whose queue of connections is full and never taken from: the system then ignores further attempts. */
    @Override
    public Endpoint silent() {
        try {
            if (sockets.isEmpty()) {
                ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(full);
                for (int i = 0; i < 4; i++) {
                    Socket waiting = new Socket();
                    sockets.add(waiting);
                    fill(waiting, new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()));
                }
            }
            return new Endpoint(LOOPBACK, ((ServerSocket) sockets.get(0)).getLocalPort());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void fill(Socket socket, InetSocketAddress full) {
        try {
            socket.connect(full, 50);
        } catch (IOException alreadyFull) {
            // The purpose of the attempt.
            return;
        }
    }

    @Override
    public String diskRoot() {
        return directory.toString();
    }

    @Override
    public List<Throwable> reportedFailures() {
        return failures;
    }

    @Override
    public void runUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("the condition did not hold within 20 s; reported failures: " + failures);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    @Override
    public void close() {
        host.close();
        peer.close();
        for (AutoCloseable socket : sockets) {
            try {
                socket.close();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
