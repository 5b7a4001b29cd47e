// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.simulated.events.NodeClock;
import io.daybook.runtime.simulated.events.SimulatedLoop;
import io.daybook.runtime.simulated.events.SimulatedProcess;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import io.daybook.runtime.simulated.events.SimulatedScheduler.Kind;
import io.daybook.runtime.simulated.network.NetworkConditions;
import java.util.Collection;
import java.util.Collections;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Machines, their network and their time, all run by the thread that drives the world: one seed gives one run.
 *
 * <pre>{@code
 * SimulatedWorld world = new SimulatedWorld(7);
 * SimulatedHost bookie = world.machine("bookie-0").start();
 * world.after(1_000_000_000, () -> world.machine("bookie-0").crash());
 * world.await(future, 60_000_000_000L);
 * }</pre>
 */
public final class SimulatedWorld {
    private final SimulatedScheduler scheduler;
    private final NetworkConditions network;
    private final PlannedFaults faults = new PlannedFaults();
    private final TreeMap<String, SimulatedMachine> machines = new TreeMap<>();
    private BiConsumer<EventLoop, Throwable> failureHandler = SimulatedWorld::rethrow;
    private int processes;

    /** A world without machines. */
    public SimulatedWorld(long seed) {
        this.scheduler = new SimulatedScheduler(seed);
        this.network = new NetworkConditions(scheduler);
    }

    private static void rethrow(EventLoop loop, Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        throw new IllegalStateException("a task of loop " + loop.name() + " failed", failure);
    }

    /** The seed of everything in it. */
    public long seed() {
        return scheduler.seed();
    }

    /** Its events and its time. */
    public SimulatedScheduler scheduler() {
        return scheduler;
    }

    /** The network and its faults. */
    public NetworkConditions network() {
        return network;
    }

    /** Planted defects and reached situations. */
    public PlannedFaults faults() {
        return faults;
    }

    /** Chance for a plan or a workload: an independent sequence for each name. */
    public SimulatedRandom random(String name) {
        return new SimulatedRandom(seed(), Stream.WORLD, SimulatedRandom.entityOf(name));
    }

    /** The machine of that name; it is there from the first time it is named. */
    public SimulatedMachine machine(String name) {
        network.announce(name);
        return machines.computeIfAbsent(name, missing -> new SimulatedMachine(this, name));
    }

    /** Every machine, by name. */
    public Collection<SimulatedMachine> machines() {
        return Collections.unmodifiableCollection(machines.values());
    }

    SimulatedProcess newProcess(SimulatedMachine machine, NodeClock clock) {
        return new SimulatedProcess(scheduler, machine.name(), ++processes, clock, new SimulatedProcess.Owner() {
            @Override
            public void failed(SimulatedLoop loop, Throwable failure) {
                failureHandler.accept(loop, failure);
            }

            @Override
            public void crash(SimulatedProcess process) {
                machine.crash();
            }
        });
    }

    /** What is done when a task of a process throws; until this is called, the call that drives the world throws it. */
    public void onFailure(BiConsumer<EventLoop, Throwable> handler) {
        failureHandler = handler;
    }

    /** Runs {@code check} after every event. */
    public void afterEachEvent(Runnable check) {
        scheduler.afterEachEvent(check);
    }

    /** Does something, such as a fault, so many nanoseconds from now. */
    public void after(long nanos, Runnable action) {
        scheduler.at(scheduler.nanoTime() + nanos, Kind.WORLD, null, 0, action);
    }

    /** Nanoseconds since it began. */
    public long nanoTime() {
        return scheduler.nanoTime();
    }

    /** Wall-clock time now, by a clock that was never moved. */
    public long wallMillis() {
        return NodeClock.trueWallMillis(nanoTime());
    }

    /** Lets so much time pass. */
    public void runFor(long virtualNanos) {
        scheduler.runFor(virtualNanos);
    }

    /** Lets time pass until the condition holds, or so long; returns whether it holds. */
    public boolean runUntil(BooleanSupplier condition, long maxVirtualNanos) {
        return scheduler.runUntil(condition, maxVirtualNanos);
    }

    /**
     * Lets time pass until a future is done and returns or throws as {@link CompletableFuture#join} does; throws {@link AssertionError} with the
     * last events when it is not done within so much time.
     */
    public <T> T await(CompletableFuture<T> future, long maxVirtualNanos) {
        if (!runUntil(future::isDone, maxVirtualNanos)) {
            throw new AssertionError(
                    "not done after " + maxVirtualNanos + " ns; seed " + seed() + ", last events:\n" + lastEvents());
        }
        return future.join();
    }

    /** Equal for two runs that did the same. */
    public long traceHash() {
        return scheduler.trace().hash();
    }

    /** The last events, one a line. */
    public String lastEvents() {
        return scheduler.trace().lastEvents();
    }
}
