// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.BookieFormat;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.runtime.system.SystemHost;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bookie of a {@link LocalCluster}, with its own loops, its own links and its own session with ZooKeeper.
 *
 * <p><i>Threading:</i> any thread but the bookie's own; calls wait until what they ask for is done.
 */
public final class LocalBookie {
    static final long CONNECT_MILLIS_MAX = 10_000;

    /** Longer than a bookie needs to replay a full journal, or to flush it. */
    private static final long ANSWER_SECONDS_MAX = 120;

    private static final Logger LOG = LoggerFactory.getLogger(LocalBookie.class);

    /** Where a bookie is. */
    public enum State {
        /** It serves. */
        RUNNING,
        /** It was stopped in order, or never started. */
        STOPPED,
        /** It was killed. */
        KILLED,
        /** It ended itself; {@link LocalBookie#deathReason} says why. */
        DEAD
    }

    private final Path directory;
    private final int port;
    private final URI namespace;
    private final Consumer<LocalBookie> onDeath;
    private @Nullable Running running;
    private volatile State state = State.STOPPED;
    private volatile Optional<String> deathReason = Optional.empty();
    private volatile CompletableFuture<Void> death = new CompletableFuture<>();

    /** What exists while it runs. */
    private record Running(SystemHost host, MortalHost process, MetadataStores stores, Bookie bookie) {}

    LocalBookie(Path directory, int port, URI namespace, Consumer<LocalBookie> onDeath) {
        this.directory = directory;
        this.port = port;
        this.namespace = namespace;
        this.onDeath = onDeath;
    }

    /** Its identity; {@link IllegalStateException} when it does not run. */
    public BookieId id() {
        return bookie().id();
    }

    /** Where it listens; with free ports another one after each restart. {@link IllegalStateException} when it does not run. */
    public Endpoint endpoint() {
        return bookie().endpoint();
    }

    /** How many requests to read came since it was started last; {@link IllegalStateException} when it does not run. */
    public long readRequests() {
        return bookie().readRequests();
    }

    private synchronized Bookie bookie() {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException("the bookie in " + directory + " is not running");
        }
        return now.bookie();
    }

    /** Where it is. */
    public State state() {
        return state;
    }

    /** Why it ended itself; empty unless it did. */
    public Optional<String> deathReason() {
        return deathReason;
    }

    /** Its journal and data. */
    public Path directory() {
        return directory;
    }

    /**
     * Ends it at once, as near to {@code kill -9} as one process allows: loops stop after the task that is running, links break, nothing is flushed, and
     * nothing reaches its files afterwards. Its session with ZooKeeper ends too, so that others learn of it soon. Does nothing when it does not run.
     */
    public synchronized void kill() {
        Running now = running;
        if (now != null) {
            end(now);
            state = State.KILLED;
        }
    }

    /** Stops it in order. Does nothing when it does not run. */
    public synchronized void stop() {
        Running now = running;
        if (now == null) {
            return;
        }
        try {
            if (state == State.RUNNING) {
                await(now.bookie().close());
            }
        } catch (LocalClusterException failure) {
            throw new LocalClusterException(
                    "the bookie in " + directory + " did not stop in order: " + failure.getMessage(), failure);
        } finally {
            end(now);
        }
        if (state == State.RUNNING) {
            state = State.STOPPED;
        }
    }

    /** Starts it again, with its data; stops it first when it runs. Formats its directory when it is new. */
    public synchronized void restart() {
        stop();
        deathReason = Optional.empty();
        death = new CompletableFuture<>();
        SystemHost host = SystemHost.embedded(
                SettingsLoader.defaults(SystemConfig.class), this::taskFailed, (code, reason) -> {});
        MortalHost process = new MortalHost(host, this::died);
        MetadataStores stores = null;
        try {
            stores = MetadataStoresProvider.connect(namespace, CONNECT_MILLIS_MAX);
            BookieConfig config = config();
            // Formatting confirms what is formatted already, and goes on where a crash cut it short.
            await(BookieFormat.format(config, process, stores));
            Bookie bookie = await(Bookie.start(config, process, stores));
            state = State.RUNNING;
            running = new Running(host, process, stores, bookie);
            if (death.isDone()) {
                state = State.DEAD;
            }
        } catch (RuntimeException failure) {
            process.die();
            host.close();
            if (stores != null) {
                stores.close();
            }
            throw failure instanceof LocalClusterException told
                    ? told
                    : new LocalClusterException(String.valueOf(failure.getMessage()), failure);
        }
    }

    /** Waits for the bookie to do something, or to die meanwhile. */
    private <T> T await(CompletableFuture<T> outcome) {
        try {
            CompletableFuture.anyOf(outcome, death).get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
            return outcome.get(0, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
            throw new LocalClusterException(String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException silent) {
            throw new LocalClusterException(
                    deathReason.orElse("no answer for " + ANSWER_SECONDS_MAX + " seconds"), silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LocalClusterException("interrupted", interrupted);
        }
    }

    private BookieConfig config() {
        return BookieConfig.embedded(
                        directory.getFileName().toString(),
                        directory.resolve("journal").toString(),
                        directory.resolve("data").toString())
                .withListen(new Endpoint(LocalCluster.HOST, port));
    }

    private void end(Running ended) {
        running = null;
        ended.process().die();
        ended.host().close();
        ended.stores().close();
    }

    /** On a loop of the bookie, which must be left before anything can be cleaned up. */
    private void died(int exitCode, String reason) {
        deathReason = Optional.of(reason);
        // Before the state: a start that ends at this moment looks here after it has set its own.
        death.complete(null);
        state = State.DEAD;
        LOG.error("bookie={} exit={} ended itself: {}", directory, exitCode, reason);
        new Thread(this::bury, "daybook-burial").start();
        onDeath.accept(this);
    }

    private synchronized void bury() {
        Running now = running;
        if (now != null && state == State.DEAD) {
            end(now);
        }
    }

    private void taskFailed(EventLoop loop, Throwable failure) {
        if (!(failure instanceof MortalHost.HostDied)) {
            SystemHost.logFailure(loop, failure);
        }
    }
}
