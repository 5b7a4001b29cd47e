// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk.session;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.WriteToken;
import java.security.SecureRandom;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process's connection to ZooKeeper: it runs the calls of the stores and ends those in flight when it is closed. Curator keeps the connection and
 * makes a new session when one expires; it repeats nothing by itself, so that {@link ZkCall} knows when an outcome is unknown.
 *
 * <p><i>Threading:</i> any thread. Calls complete on ZooKeeper's event thread or on a timer thread of its own.
 */
public final class ZkSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZkSession.class);
    private static final long CLOSE_WAIT_MILLIS = 1_000;

    /** What ZooKeeper's client says before a server gave it a session. */
    private static final long NO_SESSION = 0;

    private final ZkAddress address;
    private final ZkTimeouts timeouts;
    private final CuratorFramework client;
    private final ScheduledExecutorService timer;
    private final Map<ZkCall, CompletableFuture<?>> inFlight = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private volatile boolean isClosed;

    private ZkSession(ZkAddress address, ZkTimeouts timeouts) {
        this.address = address;
        this.timeouts = timeouts;
        this.client = CuratorFrameworkFactory.builder()
                .connectString(address.servers())
                .sessionTimeoutMs(timeouts.sessionMillis())
                .connectionTimeoutMs(timeouts.connectMillis())
                .maxCloseWaitMs((int) CLOSE_WAIT_MILLIS)
                .retryPolicy((retryCount, elapsedMillis, sleeper) -> false)
                .build();
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "daybook-zk-timer");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Connects; blocks until a server answers, at most {@code openMillis}. */
    public static ZkSession open(ZkAddress address, ZkTimeouts timeouts, long openMillis) {
        ZkSession session = new ZkSession(address, timeouts);
        boolean isConnected = false;
        try {
            session.client.start();
            isConnected = session.client.blockUntilConnected(
                    (int) Math.max(1, Math.min(openMillis, Integer.MAX_VALUE)), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            if (!isConnected) {
                session.close();
            }
        }
        if (!isConnected) {
            throw new MetadataException(
                    MetadataException.Code.UNAVAILABLE,
                    "no ZooKeeper answers at " + address.servers() + " within " + openMillis
                            + " ms: check that it runs there and that " + address + " is right");
        }
        return session;
    }

    public ZkAddress address() {
        return address;
    }

    public ZkTimeouts timeouts() {
        return timeouts;
    }

    public CuratorFramework client() {
        return client;
    }

    /** The session that ZooKeeper knows now; none between the end of one and the beginning of the next. */
    public OptionalLong id() {
        try {
            long id = client.getZookeeperClient().getZooKeeper().getSessionId();
            return id == NO_SESSION ? OptionalLong.empty() : OptionalLong.of(id);
        } catch (Exception disconnected) {
            // Curator declares Exception.
            LOG.debug("session={} is none at the moment", address, disconnected);
            return OptionalLong.empty();
        }
    }

    public boolean isClosed() {
        return isClosed;
    }

    /** A fresh token. */
    public WriteToken newToken() {
        return new WriteToken(random.nextLong(), random.nextLong());
    }

    /**
     * Runs the steps of one call. The future fails with {@link MetadataException} only, at the latest when this is closed.
     *
     * @param what the thing that the call is about, for messages
     */
    public <T> CompletableFuture<T> run(String what, Function<ZkCall, CompletableFuture<T>> steps) {
        ZkCall call = new ZkCall(this, what);
        CompletableFuture<T> outcome = new CompletableFuture<>();
        inFlight.put(call, outcome);
        if (isClosed) {
            // After the registration, so that a call either sees the close or is seen by it.
            outcome.completeExceptionally(closed());
        } else {
            begin(call, steps, outcome);
        }
        outcome.whenComplete((value, failure) -> inFlight.remove(call));
        return outcome;
    }

    private <T> void begin(ZkCall call, Function<ZkCall, CompletableFuture<T>> steps, CompletableFuture<T> outcome) {
        // Starts from a completed future, so that what the steps throw becomes a failure like any other.
        CompletableFuture.completedFuture(call).thenCompose(steps).whenComplete((value, failure) -> {
            if (failure == null) {
                outcome.complete(value);
            } else {
                outcome.completeExceptionally(refusal(call, failure));
            }
        });
    }

    private MetadataException refusal(ZkCall call, Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (isClosed) {
            return closed();
        }
        return cause instanceof MetadataException refused
                ? refused
                : new MetadataException(
                        MetadataException.Code.OUTCOME_UNKNOWN, call.what() + " failed: " + cause, cause);
    }

    private MetadataException closed() {
        return new MetadataException(MetadataException.Code.CLOSED, "the metadata store at " + address + " is closed");
    }

    /** Runs {@code task} later, unless this is closed before. */
    public void schedule(Runnable task, long delayMillis) {
        if (!isClosed) {
            try {
                timer.schedule(() -> runGuarded(task), delayMillis, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closing) {
                LOG.debug("session={} closes, nothing is scheduled any more", address);
            }
        }
    }

    private void runGuarded(Runnable task) {
        if (!isClosed) {
            give(task);
        }
    }

    /** Runs somebody's code, whose failure is logged and is not that of the caller. */
    public static void give(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException failure) {
            LOG.warn("a listener for metadata changes failed", failure);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        timer.shutdownNow();
        for (CompletableFuture<?> outcome : inFlight.values()) {
            outcome.completeExceptionally(closed());
        }
        // ZooKeeper's own close may wait long for a server that does not answer; its threads end by themselves.
        Thread closer = new Thread(client::close, "daybook-zk-close");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(CLOSE_WAIT_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
