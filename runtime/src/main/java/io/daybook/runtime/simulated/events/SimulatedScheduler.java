// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one heap of events of a world, and its virtual time. Events of the same instant run in an order drawn from the seed.
 *
 * <p><i>Threading:</i> the thread that drives the world runs everything.
 */
public final class SimulatedScheduler {
    /** Further than any run gets, and far enough from overflow. */
    public static final long FOREVER_NANOS = Long.MAX_VALUE / 4;

    /** What an event is, for the trace. */
    public enum Kind {
        /** A loop runs some of its tasks. */
        TURN(0),
        /** A timer is due. */
        TIMER(1),
        /** A task arrives at another loop after its sender had blocked. */
        HAND_OFF(2),
        /** A step of opening a link. */
        CONNECT(3),
        /** Frames arrive. */
        FRAMES(4),
        /** The sender of frames learns that they were taken. */
        TAKEN(5),
        /** A disk finishes a commit. */
        DISK(6),
        /** The plan of the world does something. */
        WORLD(7);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** What stands for it in the fingerprint of a run. */
        int number() {
            return number;
        }
    }

    private static final int EVENTS_KEPT = 200;
    private static final int CANCELLED_KEPT_MAX = 1024;

    private final long seed;
    private final PriorityQueue<Event> heap = new PriorityQueue<>();
    private final Trace trace = new Trace(EVENTS_KEPT);
    private final List<Runnable> checks = new ArrayList<>();
    private long nanos;
    private long sequence;
    private int cancelled;
    private @Nullable SimulatedLoop running;
    private @Nullable PrioritySchedule priorities;

    /** With nothing to do. */
    public SimulatedScheduler(long seed) {
        this.seed = seed;
    }

    /** The seed of the world. */
    public long seed() {
        return seed;
    }

    /** Time since the world began. */
    public long nanoTime() {
        return nanos;
    }

    /** Time as the running task has it: {@link #nanoTime} and how long the task was blocked so far. What a task causes happens from then on. */
    public long causalNanos() {
        return running == null ? nanos : nanos + running.blockedNanos();
    }

    /** The loop whose turn it is; null between turns. */
    public @Nullable SimulatedLoop running() {
        return running;
    }

    /** The fingerprint and the last events. */
    public Trace trace() {
        return trace;
    }

    /** Lets loops wait for their turns by rank from now on. */
    public void prioritize(PrioritySchedule schedule) {
        priorities = schedule;
    }

    /** How long a loop waits before its next turn because others come first. */
    long priorityWaitNanos(long loop) {
        return priorities == null ? 0 : priorities.waitNanos(loop, nanos);
    }

    /** Runs {@code check} after every event from now on. */
    public void afterEachEvent(Runnable check) {
        checks.add(check);
    }

    /** Runs a task at a time of the world; {@code loop} is whom it concerns. */
    public void at(long timeNanos, Kind kind, @Nullable SimulatedLoop loop, long code, Runnable task) {
        push(timeNanos, SimulatedRandom.mix(seed, Stream.TIE, 0, sequence), new Origin(kind, loop, code), task);
    }

    /** As {@link #at}; what one caller hands to one loop for one instant stays in order. */
    void handOff(SimulatedLoop caller, SimulatedLoop loop, Runnable task) {
        long time = causalNanos();
        long tie = SimulatedRandom.mix(seed, Stream.TIE, caller.entity() * 31 + loop.entity(), time);
        push(time, tie, new Origin(Kind.HAND_OFF, loop, 0), task);
    }

    /** As {@link #at}, but can be cancelled. */
    Event timer(long timeNanos, SimulatedLoop loop, Runnable task) {
        long tie = SimulatedRandom.mix(seed, Stream.TIE, 0, sequence);
        return push(timeNanos, tie, new Origin(Kind.TIMER, loop, 0), task);
    }

    private Event push(long timeNanos, long tie, Origin origin, Runnable task) {
        Event event = new Event(Math.max(timeNanos, nanos), tie, sequence++, origin, task);
        heap.add(event);
        return event;
    }

    void cancel(Event event) {
        if (event.task == null) {
            return;
        }
        event.task = null;
        cancelled++;
        if (cancelled > CANCELLED_KEPT_MAX && cancelled > heap.size() / 2) {
            heap.removeIf(queued -> queued.task == null);
            cancelled = 0;
        }
    }

    /** The clock of a process has changed its rate: its timers are set anew. */
    public void clockChanged(SimulatedProcess process) {
        List<Event> timers = heap.stream()
                .filter(event -> event.origin.kind == Kind.TIMER
                        && event.origin.loop != null
                        && event.origin.loop.process() == process)
                .sorted()
                .toList();
        for (Event timer : timers) {
            Runnable task = timer.task;
            if (task != null) {
                cancel(timer);
                task.run();
            }
        }
    }

    void begin(SimulatedLoop loop) {
        running = loop;
    }

    void end() {
        running = null;
    }

    /** Runs the next event; false when there is none. */
    public boolean step() {
        Event event = next();
        if (event == null) {
            return false;
        }
        heap.poll();
        nanos = event.timeNanos;
        Runnable task = event.task;
        event.task = null;
        SimulatedLoop loop = event.origin.loop;
        trace.event(
                nanos,
                loop == null ? 0 : loop.process().id(),
                loop == null ? 0 : loop.id(),
                event.origin.kind,
                event.origin.code);
        if (task != null) {
            task.run();
        }
        for (Runnable check : checks) {
            check.run();
        }
        return true;
    }

    private @Nullable Event next() {
        Event event = heap.peek();
        while (event != null && event.task == null) {
            heap.poll();
            cancelled--;
            event = heap.peek();
        }
        return event;
    }

    /** Runs events until the condition holds (asked before each event) or so much time has passed; returns whether it holds. */
    public boolean runUntil(BooleanSupplier condition, long maxVirtualNanos) {
        long deadline = nanos + Math.min(maxVirtualNanos, FOREVER_NANOS);
        while (!condition.getAsBoolean()) {
            Event event = next();
            if (event == null || event.timeNanos > deadline) {
                nanos = event == null && maxVirtualNanos >= FOREVER_NANOS ? nanos : deadline;
                return condition.getAsBoolean();
            }
            step();
        }
        return true;
    }

    /** Lets so much time pass. */
    public void runFor(long virtualNanos) {
        runUntil(() -> false, virtualNanos);
    }

    private record Origin(Kind kind, @Nullable SimulatedLoop loop, long code) {}

    /** An entry of the heap; without a task once it ran or was cancelled. */
    static final class Event implements Comparable<Event> {
        private final long timeNanos;
        private final long tie;
        private final long sequence;
        private final Origin origin;
        private @Nullable Runnable task;

        private Event(long timeNanos, long tie, long sequence, Origin origin, Runnable task) {
            this.timeNanos = timeNanos;
            this.tie = tie;
            this.sequence = sequence;
            this.origin = origin;
            this.task = task;
        }

        @Override
        public int compareTo(Event other) {
            if (timeNanos != other.timeNanos) {
                return Long.compare(timeNanos, other.timeNanos);
            }
            return tie != other.tie ? Long.compare(tie, other.tie) : Long.compare(sequence, other.sequence);
        }
    }
}
