// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Invariants;
import io.daybook.runtime.Timer;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.runtime.simulated.events.SimulatedScheduler.Event;
import io.daybook.runtime.simulated.events.SimulatedScheduler.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a simulated process. A turn runs some of the queued tasks, then what was registered for its end. A task takes a little time
 * and a blocking call takes as long as it blocks; the next turn begins after that, and what the task caused elsewhere happens after that.
 */
public final class SimulatedLoop implements EventLoop {
    private static final int TASKS_PER_TURN_MAX = 16;
    private static final long TASK_NANOS = 500;
    private static final long WAKE_NANOS_MAX = 10_000;
    private static final long TIMER_LATE_NANOS_MEAN = 50_000;
    private static final long TIMER_LATE_NANOS_MAX = 10_000_000;

    private final SimulatedProcess process;
    private final SimulatedScheduler scheduler;
    private final int id;
    private final String name;
    private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
    private final ArrayDeque<Runnable> endOfTurn = new ArrayDeque<>();
    private final List<Runnable> closeListeners = new ArrayList<>();
    private final Runnable turn = this::turn;
    private long turns;
    private long timers;
    private long turnNanos;
    private long blockedNanos;
    private long busyUntilNanos;
    private boolean turnQueued;
    private boolean inTurn;
    private boolean closed;

    SimulatedLoop(SimulatedProcess process, int id, String name) {
        this.process = process;
        this.scheduler = process.scheduler();
        this.id = id;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    /** The process it belongs to. */
    public SimulatedProcess process() {
        return process;
    }

    int id() {
        return id;
    }

    long entity() {
        return ((long) process.id() << 16) | id;
    }

    @Override
    public void execute(Runnable task) {
        SimulatedLoop caller = scheduler.running();
        if (caller == null || caller == this || caller.blockedNanos == 0) {
            enqueue(task);
        } else if (!closed) {
            scheduler.handOff(caller, this, () -> enqueue(task));
        }
    }

    /** Queues a task that comes from the world and not from another loop. */
    public void enqueue(Runnable task) {
        if (closed) {
            return;
        }
        ready.add(task);
        queueTurn();
    }

    private void queueTurn() {
        if (turnQueued || inTurn) {
            return;
        }
        turnQueued = true;
        long wakeNanos = SimulatedRandom.below(
                SimulatedRandom.mix(scheduler.seed(), Stream.LOOP, entity(), turns), WAKE_NANOS_MAX);
        long waitNanos = wakeNanos + scheduler.priorityWaitNanos(entity());
        long startNanos = Math.max(scheduler.nanoTime() + waitNanos, busyUntilNanos);
        scheduler.at(startNanos, Kind.TURN, this, ready.size(), turn);
    }

    private void turn() {
        if (closed) {
            return;
        }
        long now = scheduler.nanoTime();
        if (busyUntilNanos > now) {
            scheduler.at(busyUntilNanos, Kind.TURN, this, ready.size(), turn);
            return;
        }
        turnQueued = false;
        inTurn = true;
        blockedNanos = 0;
        turnNanos = process.clock().localNanos(now);
        long draw = SimulatedRandom.mix(scheduler.seed(), Stream.LOOP, ~entity(), turns++);
        int tasks = Math.min(ready.size(), 1 + (int) SimulatedRandom.below(draw, TASKS_PER_TURN_MAX));
        scheduler.begin(this);
        try {
            runTasks(tasks);
        } catch (SimulatedCrash crash) {
            Invariants.require(!process.isAlive(), "a live process was unwound by a crash");
        } finally {
            scheduler.end();
            inTurn = false;
            busyUntilNanos = Math.max(busyUntilNanos, now + blockedNanos + tasks * TASK_NANOS * process.slowdown());
        }
        if (!ready.isEmpty()) {
            queueTurn();
        }
    }

    private void runTasks(int tasks) {
        for (int i = 0; i < tasks; i++) {
            runNext(ready);
        }
        while (!endOfTurn.isEmpty()) {
            runNext(endOfTurn);
        }
    }

    /** Runs the head of a queue, which is empty once the loop was closed. */
    private void runNext(ArrayDeque<Runnable> queue) {
        Runnable task = queue.poll();
        if (task == null) {
            return;
        }
        try {
            task.run();
        } catch (SimulatedCrash crash) {
            throw crash;
        } catch (RuntimeException | Error failure) {
            process.failed(this, failure);
        }
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        SimulatedTimer timer =
                new SimulatedTimer(task, nanoTime() + Math.min(delayNanos, SimulatedScheduler.FOREVER_NANOS));
        if (!closed) {
            timer.arm();
        }
        return timer;
    }

    @Override
    public void atEndOfTurn(Runnable task) {
        requireInLoop();
        if (!closed) {
            endOfTurn.add(task);
        }
    }

    @Override
    public boolean isInLoop() {
        return scheduler.running() == this;
    }

    /** Throws unless the caller runs on this loop. */
    public void requireInLoop() {
        if (!isInLoop()) {
            Invariants.require(false, "a call that belongs on loop {} came from {}", name, whoRuns());
        }
    }

    private String whoRuns() {
        @Nullable SimulatedLoop running = scheduler.running();
        return running == null ? "outside" : "loop " + running.name;
    }

    @Override
    public long nanoTime() {
        return inTurn ? turnNanos : process.clock().localNanos(scheduler.nanoTime());
    }

    @Override
    public long wallMillis() {
        return process.clock().wallMillis(scheduler.nanoTime());
    }

    long blockedNanos() {
        return blockedNanos;
    }

    void block(long nanos) {
        blockedNanos += nanos;
    }

    void blockUntil(long worldNanos) {
        busyUntilNanos = Math.max(busyUntilNanos, worldNanos);
    }

    /** Runs {@code listener} once when the loop is closed. */
    public void onClose(Runnable listener) {
        if (closed) {
            listener.run();
        } else {
            closeListeners.add(listener);
        }
    }

    /** Whether it was closed or its process died. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ready.clear();
        endOfTurn.clear();
        closeListeners.forEach(Runnable::run);
        closeListeners.clear();
    }

    /** A timer: due by the machine's own clock, delivered a little late. */
    private final class SimulatedTimer implements Timer, Runnable {
        private final long dueNanos;
        private @Nullable Runnable task;
        private @Nullable Event event;

        private SimulatedTimer(Runnable task, long dueNanos) {
            this.task = task;
            this.dueNanos = dueNanos;
        }

        private void arm() {
            long draw = SimulatedRandom.mix(scheduler.seed(), Stream.TIMER, entity(), timers++);
            long late = Math.min(SimulatedRandom.exponential(draw, TIMER_LATE_NANOS_MEAN), TIMER_LATE_NANOS_MAX);
            long now = scheduler.nanoTime();
            long delay = process.clock()
                    .worldDelay(Math.max(0, dueNanos - process.clock().localNanos(now)));
            event = scheduler.timer(now + delay + late, SimulatedLoop.this, this::due);
        }

        private void due() {
            event = null;
            if (process.clock().localNanos(scheduler.nanoTime()) < dueNanos) {
                arm();
            } else {
                enqueue(this);
            }
        }

        @Override
        public void run() {
            Runnable due = task;
            task = null;
            if (due != null) {
                due.run();
            }
        }

        @Override
        public void cancel() {
            task = null;
            if (event != null) {
                scheduler.cancel(event);
                event = null;
            }
        }
    }
}
