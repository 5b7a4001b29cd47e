// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A loop that may block in disk calls: a plain thread that parks while it has nothing to do.
 *
 * <p>A turn is the timers that are due and the tasks that are queued, then the end of the turn.
 *
 * <p><i>Threading:</i> as {@link EventLoop} says. The thread must never be interrupted: an interrupt closes the files it is writing.
 */
public final class StorageLoop implements EventLoop {
    private final String name;
    private final Turn turn;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final PriorityQueue<ThreadTimer> timers = new PriorityQueue<>();
    private volatile boolean isParked;
    private long timersSet;

    private StorageLoop(String name, LoopFailureHandler failures) {
        this.name = name;
        turn = new Turn(this, failures);
        // Netty keeps pools of buffers only for threads of this class.
        thread = new FastThreadLocalThread(this::run, name);
    }

    /** Makes a loop and starts its thread. */
    public static StorageLoop start(String name, LoopFailureHandler failures) {
        StorageLoop loop = new StorageLoop(name, failures);
        loop.thread.start();
        return loop;
    }

    private void run() {
        while (!turn.isClosed()) {
            runDueTimers();
            turn.runTasks();
            turn.end();
            parkWhenIdle();
        }
        turn.clear();
        timers.clear();
        ended.countDown();
    }

    /** A timer set meanwhile waits for the next turn: it may be due at once, and set itself again. */
    private void runDueTimers() {
        long firstOfNextTurn = timersSet;
        while (!timers.isEmpty() && timers.peek().isDue() && timers.peek().order < firstOfNextTurn) {
            ThreadTimer timer = timers.remove();
            timer.isOver = true;
            turn.run(timer.task);
        }
    }

    /** The flag is raised before the queue is looked at, and a caller queues before it looks at the flag: one of the two sees the other. */
    private void parkWhenIdle() {
        isParked = true;
        if (!turn.hasTasks() && !turn.isClosed()) {
            if (timers.isEmpty()) {
                LockSupport.park(this);
            } else {
                long wait = timers.peek().dueNanos - System.nanoTime();
                if (wait > 0) {
                    LockSupport.parkNanos(this, wait);
                }
            }
        }
        isParked = false;
    }

    private void wakeUp() {
        if (isParked) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void execute(Runnable task) {
        if (turn.isClosed()) {
            return;
        }
        turn.offer(task);
        wakeUp();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        if (isInLoop()) {
            ThreadTimer timer = new ThreadTimer(task, turn.nanoTime() + delayNanos);
            add(timer);
            return timer;
        }
        ThreadTimer timer = new ThreadTimer(task, System.nanoTime() + delayNanos);
        execute(() -> add(timer));
        return timer;
    }

    private void add(ThreadTimer timer) {
        if (!timer.isOver) {
            timer.order = timersSet++;
            timers.add(timer);
        }
    }

    /** A task with the time at which it is due. */
    private final class ThreadTimer implements Timer, Comparable<ThreadTimer> {
        private final Runnable task;
        private final long dueNanos;
        private long order;
        private boolean isOver;

        ThreadTimer(Runnable task, long dueNanos) {
            this.task = task;
            this.dueNanos = dueNanos;
        }

        boolean isDue() {
            return dueNanos - turn.nanoTime() <= 0;
        }

        @Override
        public void cancel() {
            if (!isOver) {
                isOver = true;
                timers.remove(this);
            }
        }

        @Override
        public int compareTo(ThreadTimer other) {
            int byTime = Long.signum(dueNanos - other.dueNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    @Override
    public void atEndOfTurn(Runnable task) {
        turn.atEnd(task);
    }

    @Override
    public boolean isInLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public long nanoTime() {
        return turn.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public void close() {
        turn.close();
        LockSupport.unpark(thread);
    }

    /** Waits until the thread has ended; false when it has not in time. Not on the loop. */
    public boolean awaitEnd(long timeoutNanos) throws InterruptedException {
        return ended.await(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    /** Whether the thread has ended. */
    public boolean hasEnded() {
        return ended.getCount() == 0;
    }

    @Override
    public String toString() {
        return name;
    }
}
