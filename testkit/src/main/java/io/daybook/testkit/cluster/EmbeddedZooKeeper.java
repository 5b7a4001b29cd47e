// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper server of one member inside this process: real, durable (every change is synced before it is answered), without its management beans
 * and its web server.
 *
 * <p><i>Threading:</i> any thread; starting and stopping wait for each other.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    /** Sessions last 2 to 20 ticks: 1 to 10 seconds, as the client asks. */
    private static final int TICK_MILLIS = 500;

    /** The log grows in steps of this size; the 64 MiB of a server on its own would be most of a small cluster. */
    private static final long LOG_STEP_BYTES = 1024 * 1024;

    private static final int SNAPSHOTS_KEPT = 3;
    private static final int CLEANUP_HOURS = 1;

    private final Path directory;
    private final String host;
    private int port;
    private @Nullable Server server;
    private @Nullable Connections connections;
    private @Nullable DatadirCleanupManager cleanup;

    private EmbeddedZooKeeper(Path directory, String host, int port) {
        this.directory = directory;
        this.host = host;
        this.port = port;
    }

    /**
     * Starts a server that keeps its data in {@code directory}.
     *
     * @param port 0 for any free one
     * @throws LocalClusterException when the port is in use or the directory cannot be used
     */
    public static EmbeddedZooKeeper start(Path directory, String host, int port) {
        EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper(directory, host, port);
        zooKeeper.restart();
        return zooKeeper;
    }

    /** {@code host:port}. */
    public synchronized String address() {
        return host + ":" + port;
    }

    /** The port that was bound; the same after {@link #restart}. */
    public synchronized int port() {
        return port;
    }

    /** Whether it answers. It stops by itself when it cannot write its log. */
    public synchronized boolean isRunning() {
        return server != null && server.isRunning();
    }

    /** Starts it again after {@link #stop}, with its data and on its port; stops it first when it runs. */
    public synchronized void restart() {
        stop();
        FileTxnLog.setPreallocSize(LOG_STEP_BYTES);
        Connections opened = new Connections();
        try {
            opened.configure(new InetSocketAddress(host, port), 0, -1, false);
        } catch (BindException inUse) {
            throw new LocalClusterException(
                    "ZooKeeper cannot listen on " + address() + " (" + inUse.getMessage() + "): choose another port",
                    inUse);
        } catch (IOException broken) {
            throw new LocalClusterException("ZooKeeper cannot listen on " + address() + ": " + broken, broken);
        }
        port = opened.getLocalPort();
        connections = opened;
        try {
            Server started = new Server(new FileTxnSnapLog(directory.toFile(), directory.toFile()));
            server = started;
            opened.startup(started, true);
        } catch (IOException damaged) {
            stop();
            throw new LocalClusterException("ZooKeeper cannot use its data in " + directory + ": " + damaged, damaged);
        } catch (InterruptedException interrupted) {
            stop();
            Thread.currentThread().interrupt();
            throw new LocalClusterException("interrupted while ZooKeeper started", interrupted);
        }
        DatadirCleanupManager started =
                new DatadirCleanupManager(directory.toFile(), directory.toFile(), SNAPSHOTS_KEPT, CLEANUP_HOURS);
        started.start();
        cleanup = started;
    }

    /** How many requests of clients it has received, those of their heartbeats included, since it was started; 0 when it is stopped. */
    public synchronized long requestsReceived() {
        return server == null ? 0 : server.serverStats().getPacketsReceived();
    }

    /** Bounds the time after which sessions end that begin from now on, whatever their clients ask for; until it is restarted. */
    public synchronized void boundNewSessions(Duration timeoutMax) {
        if (server != null) {
            server.setMaxSessionTimeout((int) timeoutMax.toMillis());
        }
    }

    /** Stops it: clients lose their links, their sessions go on when it comes back in time. Does nothing when it is stopped. */
    public synchronized void stop() {
        if (cleanup != null) {
            cleanup.shutdown();
            cleanup = null;
        }
        if (connections != null) {
            connections.shutdown();
            connections = null;
        }
        if (server != null) {
            server.release();
            server = null;
        }
    }

    /** As {@link #stop}. */
    @Override
    public void close() {
        stop();
    }

    /** The server without its management beans, which are one set for a whole process. */
    private static final class Server extends ZooKeeperServer {
        private final FileTxnSnapLog files;

        Server(FileTxnSnapLog files) {
            super(files, TICK_MILLIS, "");
            this.files = files;
        }

        @Override
        protected void registerJMX() {}

        @Override
        protected void unregisterJMX() {}

        void release() {
            shutdown(true);
            try {
                files.close();
            } catch (IOException lost) {
                throw new UncheckedIOException("closing the log of ZooKeeper", lost);
            }
        }
    }

    /** Its links, without management beans. */
    private static final class Connections extends NIOServerCnxnFactory {
        @Override
        public void registerConnection(ServerCnxn connection) {}

        @Override
        public void unregisterConnection(ServerCnxn connection) {}
    }
}
