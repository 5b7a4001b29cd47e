// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a process on a machine: its loops, and whether it lives. Once it is dead nothing of it runs any more, and every port that it
 * is still asked for unwinds the caller with {@link SimulatedCrash}.
 */
public final class SimulatedProcess {
    /** Who a process belongs to. */
    public interface Owner {
        /** A task threw: a bug. */
        void failed(SimulatedLoop loop, Throwable failure);

        /** The process has reached the point where it was to crash; it must be dead on return. */
        void crash(SimulatedProcess process);
    }

    private final SimulatedScheduler scheduler;
    private final String machine;
    private final int id;
    private final NodeClock clock;
    private final Owner owner;
    private final List<SimulatedLoop> loops = new ArrayList<>();
    private boolean alive = true;
    private long pausedUntil;
    private int slowdown = 1;
    private long operationsToCrash;
    private boolean crashAfterOperation;
    private boolean crashAtEndOfOperation;

    /** A live process without loops; {@code id} is unique in its world. */
    public SimulatedProcess(SimulatedScheduler scheduler, String machine, int id, NodeClock clock, Owner owner) {
        this.scheduler = scheduler;
        this.machine = machine;
        this.id = id;
        this.clock = clock;
        this.owner = owner;
    }

    /** The heap of its world. */
    public SimulatedScheduler scheduler() {
        return scheduler;
    }

    /** The name of the machine it runs on. */
    public String machine() {
        return machine;
    }

    /** The number of the incarnation. */
    public int id() {
        return id;
    }

    NodeClock clock() {
        return clock;
    }

    int slowdown() {
        return slowdown;
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return alive;
    }

    /** Throws {@link SimulatedCrash} in a process that is dead. */
    public void requireAlive() {
        if (!alive) {
            throw new SimulatedCrash(machine);
        }
    }

    /** A new loop. */
    public SimulatedLoop newLoop(String name) {
        requireAlive();
        SimulatedLoop loop = new SimulatedLoop(this, loops.size() + 1, name);
        loops.add(loop);
        loop.blockUntil(pausedUntil);
        return loop;
    }

    void failed(SimulatedLoop loop, Throwable failure) {
        owner.failed(loop, failure);
    }

    /** Charges a blocking call to the loop of this process whose turn it is. */
    public void block(long nanos) {
        SimulatedLoop running = scheduler.running();
        if (running != null && running.process() == this) {
            running.block(nanos);
        }
    }

    /** Runs nothing of this process for so long: its timers and what it receives wait. */
    public void pause(long nanos) {
        pausedUntil = Math.max(pausedUntil, scheduler.nanoTime() + nanos);
        loops.forEach(loop -> loop.blockUntil(pausedUntil));
    }

    /** Makes every task take {@code factor} times as long; 1 is the normal speed. */
    public void slowDown(int factor) {
        slowdown = Math.max(1, factor);
    }

    /**
     * Crashes at the disk operation number {@code operations} from now (1 is the next one): before it has any effect or after it had all of it,
     * in both cases before the caller hears of it.
     */
    public void crashAtOperation(long operations, boolean afterwards) {
        operationsToCrash = operations;
        crashAfterOperation = afterwards;
    }

    /** A disk operation is about to take effect. */
    public void operationBegins() {
        requireAlive();
        if (operationsToCrash > 0 && --operationsToCrash == 0) {
            if (!crashAfterOperation) {
                crash();
            }
            crashAtEndOfOperation = true;
        }
    }

    /** The disk operation took effect. */
    public void operationEnds() {
        if (crashAtEndOfOperation) {
            crash();
        }
    }

    /** Crashes at once and unwinds the caller. */
    public void crash() {
        owner.crash(this);
        throw new SimulatedCrash(machine);
    }

    /** Ends it: all its loops drop everything. */
    public void die() {
        alive = false;
        loops.forEach(SimulatedLoop::close);
    }

    /** Unwinds the caller when it is a task of this process. */
    public void unwind() {
        @Nullable SimulatedLoop running = scheduler.running();
        if (running != null && running.process() == this) {
            throw new SimulatedCrash(machine);
        }
    }
}
