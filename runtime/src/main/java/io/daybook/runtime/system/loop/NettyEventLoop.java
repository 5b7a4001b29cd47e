// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A loop that carries links: one thread that waits for its sockets, its timers and its tasks.
 *
 * <p>A turn is one round of the selector: every socket that is ready is read, then due timers and queued tasks run, then the end of the turn.
 *
 * <p><i>Threading:</i> as {@link EventLoop} says. The thread must never be interrupted: an interrupt closes the files it is writing.
 */
public final class NettyEventLoop implements EventLoop {
    /** How long timers and tasks may keep the loop from its sockets; looked at after every 64 of them. */
    private static final long TASKS_MILLIS_MAX = 10;

    /** How long closing sockets may take once the loop is closed. */
    private static final long SHUTDOWN_MILLIS_MAX = 2000;

    private final String name;
    private final Turn turn;
    private final SelectorLoop selector;
    private final PartialFrames partialFrames = new PartialFrames(this, PartialFrames.BYTES_MAX);
    private final AtomicBoolean drainIsQueued = new AtomicBoolean();
    private final Runnable drain = this::drain;

    /** The thread starts with the first task. */
    public NettyEventLoop(String name, Transport transport, LoopFailureHandler failures) {
        this.name = name;
        turn = new Turn(this, failures);
        // Netty keeps pools of buffers only for threads of this class.
        selector = new SelectorLoop(task -> new FastThreadLocalThread(task, name), transport.handlers());
    }

    /** Netty's loop, which tells when a round of reading and running is over. */
    private final class SelectorLoop extends SingleThreadIoEventLoop {
        SelectorLoop(ThreadFactory threads, IoHandlerFactory transport) {
            super(null, threads, transport, Integer.MAX_VALUE, RejectedExecutionHandlers.reject(), TASKS_MILLIS_MAX);
        }

        @Override
        protected void afterRunningAllTasks() {
            super.afterRunningAllTasks();
            turn.end();
            if (turn.hasTasks()) {
                // The bound of the turn left tasks behind; a queued drain keeps the selector from waiting.
                queueDrain();
            }
        }
    }

    /** Netty's loop, to register channels with. */
    SingleThreadIoEventLoop selector() {
        return selector;
    }

    /** The memory of frames of its links that came in part. */
    PartialFrames partialFrames() {
        return partialFrames;
    }

    /** Where bugs of link handlers are reported, and whether anything may still be told. */
    Turn turn() {
        return turn;
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
        queueDrain();
    }

    private void queueDrain() {
        if (drainIsQueued.getAndSet(true)) {
            return;
        }
        try {
            selector.execute(drain);
        } catch (RejectedExecutionException closedMeanwhile) {
            turn.close();
        }
    }

    private void drain() {
        drainIsQueued.set(false);
        if (turn.isClosed()) {
            turn.clear();
        } else {
            turn.runTasks();
        }
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        long now = isInLoop() ? turn.nanoTime() : System.nanoTime();
        SelectorTimer timer = new SelectorTimer(task, now + delayNanos);
        timer.start(delayNanos);
        return timer;
    }

    /** A timer of Netty's loop that is never early by the clock of a turn. */
    private final class SelectorTimer implements Timer, Runnable {
        private final Runnable task;
        private final long dueNanos;
        private volatile @Nullable Future<?> pending;
        private boolean isOver;

        SelectorTimer(Runnable task, long dueNanos) {
            this.task = task;
            this.dueNanos = dueNanos;
        }

        void start(long delayNanos) {
            if (turn.isClosed()) {
                return;
            }
            try {
                pending = selector.schedule(this, delayNanos, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closedMeanwhile) {
                turn.close();
            }
        }

        @Override
        public void run() {
            if (isOver) {
                return;
            }
            long early = dueNanos - turn.nanoTime();
            if (early > 0) {
                // This turn read its clock before the timer came due: a later turn reads it anew.
                start(early);
                return;
            }
            isOver = true;
            turn.run(task);
        }

        @Override
        public void cancel() {
            isOver = true;
            Future<?> scheduled = pending;
            if (scheduled != null) {
                scheduled.cancel(false);
            }
        }
    }

    @Override
    public void atEndOfTurn(Runnable task) {
        turn.atEnd(task);
    }

    @Override
    public boolean isInLoop() {
        return selector.inEventLoop();
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
        selector.shutdownGracefully(0, SHUTDOWN_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }

    /** Waits until the thread has ended; false when it has not in time. Not on the loop. */
    public boolean awaitEnd(long timeoutNanos) throws InterruptedException {
        return selector.awaitTermination(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    /** Whether the thread has ended. */
    public boolean hasEnded() {
        return selector.isTerminated();
    }

    @Override
    public String toString() {
        return name;
    }
}
