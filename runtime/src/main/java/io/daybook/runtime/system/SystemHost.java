// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import io.daybook.runtime.Disk;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host;
import io.daybook.runtime.Network;
import io.daybook.runtime.RandomSource;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.file.FileDisk;
import io.daybook.runtime.system.loop.LoopFailureHandler;
import io.daybook.runtime.system.loop.NettyEventLoop;
import io.daybook.runtime.system.loop.NettyNetwork;
import io.daybook.runtime.system.loop.StorageLoop;
import io.daybook.runtime.system.loop.Transport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real machine: threads, TCP, files and chance of the operating system.
 *
 * <p><i>Threading:</i> all methods from any thread.
 */
public final class SystemHost implements Host, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemHost.class);
    private static final long END_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final SystemConfig config;
    private final LoopFailureHandler failures;
    private final HaltAction haltAction;
    private final Transport transport;
    private final NettyNetwork network;
    private final RandomSource random = SystemRandom.seededByTheSystem();
    private final Queue<NettyEventLoop> networkLoops = new ConcurrentLinkedQueue<>();
    private final Queue<StorageLoop> storageLoops = new ConcurrentLinkedQueue<>();

    private SystemHost(SystemConfig config, LoopFailureHandler failures, HaltAction haltAction) {
        this.config = config;
        this.failures = failures;
        this.haltAction = haltAction;
        transport = Transport.choose(config.nativeTransport());
        network = new NettyNetwork(transport);
    }

    /** A process of its own with default settings: bugs are logged, and to halt ends the process. */
    public static SystemHost start() {
        return start(SettingsLoader.defaults(SystemConfig.class));
    }

    /** A process of its own: bugs are logged, and to halt ends the process. */
    public static SystemHost start(SystemConfig config) {
        return new SystemHost(
                config,
                SystemHost::logFailure,
                (exitCode, reason) -> Runtime.getRuntime().halt(exitCode));
    }

    /**
     * As {@link #start(SystemConfig)}, but a bug ends the process with this exit code: a server one of whose loops has lost a task would go on half
     * dead (S-51).
     */
    public static SystemHost failStop(SystemConfig config, int bugExitCode) {
        HaltAction halt = (exitCode, reason) -> Runtime.getRuntime().halt(exitCode);
        return new SystemHost(
                config,
                (loop, failure) -> {
                    logFailure(loop, failure);
                    halt.halt(bugExitCode, "a task failed");
                },
                halt);
    }

    /** Part of a process that somebody else owns: the owner decides what bugs and halting mean. */
    public static SystemHost embedded(SystemConfig config, LoopFailureHandler failures, HaltAction haltAction) {
        return new SystemHost(config, failures, haltAction);
    }

    /** The name of this machine, for people; {@code localhost} when it has none. */
    public static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            LOG.debug("this machine has no name that it knows", nameless);
            return "localhost";
        }
    }

    /** Logs the failure: what {@link #start} does about bugs. */
    public static void logFailure(EventLoop loop, Throwable failure) {
        LOG.error("loop={} a task failed, which is a bug", loop.name(), failure);
    }

    @Override
    public EventLoop newLoop(String name, LoopKind kind) {
        networkLoops.removeIf(NettyEventLoop::hasEnded);
        storageLoops.removeIf(StorageLoop::hasEnded);
        return switch (kind) {
            case NETWORK -> {
                NettyEventLoop loop = new NettyEventLoop(name, transport, failures);
                networkLoops.add(loop);
                yield loop;
            }
            case STORAGE -> {
                StorageLoop loop = StorageLoop.start(name, failures);
                storageLoops.add(loop);
                yield loop;
            }
        };
    }

    @Override
    public Network network() {
        return network;
    }

    @Override
    public Disk disk(String rootPath) {
        return new FileDisk(Path.of(rootPath), config.directWrites());
    }

    @Override
    public RandomSource random() {
        return random;
    }

    @Override
    public Faults faults() {
        return Faults.NONE;
    }

    @Override
    public void halt(int exitCode, String reason) {
        LOG.error("exit={} halting: {}", exitCode, reason);
        haltAction.halt(exitCode, reason);
    }

    /** Closes the loops that their owners left open and waits, for a few seconds at most, until all threads have ended. */
    @Override
    public void close() {
        networkLoops.forEach(EventLoop::close);
        storageLoops.forEach(EventLoop::close);
        network.close();
        if (networkLoops.stream().anyMatch(EventLoop::isInLoop)
                || storageLoops.stream().anyMatch(EventLoop::isInLoop)) {
            return;
        }
        long deadline = System.nanoTime() + END_NANOS_MAX;
        try {
            for (NettyEventLoop loop : networkLoops) {
                reportIfRunning(loop, loop.awaitEnd(deadline - System.nanoTime()));
            }
            for (StorageLoop loop : storageLoops) {
                reportIfRunning(loop, loop.awaitEnd(deadline - System.nanoTime()));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void reportIfRunning(EventLoop loop, boolean hasEnded) {
        if (!hasEnded) {
            LOG.warn("loop={} is still running a task after its close", loop.name());
        }
    }
}
