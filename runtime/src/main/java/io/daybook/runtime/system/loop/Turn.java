// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.EventLoop;
import java.util.ArrayDeque;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * What both kinds of loop share: the queue of tasks, the work for the end of a turn, and the one time reading of a turn.
 *
 * <p><i>Invariants:</i> tasks run in the order in which they were offered; nothing runs once the turn is closed; time does not move before
 * {@link #end}.
 *
 * <p><i>Threading:</i> {@link #offer}, {@link #close} and {@link #isClosed} from any thread, the rest on the loop.
 */
final class Turn {
    /** Tasks of one turn, so that a task which queues itself again cannot keep the loop from its sockets and timers. */
    private static final int TASKS_MAX = 1024;

    private static final int QUEUE_CHUNK = 1024;

    private final EventLoop loop;
    private final LoopFailureHandler failures;
    private final MpscUnboundedArrayQueue<Runnable> tasks = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final ArrayDeque<Runnable> atEnd = new ArrayDeque<>();
    private volatile boolean closed;
    private boolean isTimeKnown;
    private long nanoTime;
    private int tasksRun;

    Turn(EventLoop loop, LoopFailureHandler failures) {
        this.loop = loop;
        this.failures = failures;
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Queues a task; the caller wakes the loop up. */
    void offer(Runnable task) {
        tasks.offer(task);
    }

    boolean hasTasks() {
        return !tasks.isEmpty();
    }

    /** Runs queued tasks, also those that they queue, up to the bound of a turn. */
    void runTasks() {
        while (tasksRun < TASKS_MAX) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            tasksRun++;
            run(task);
        }
    }

    /** Runs one task now and reports what it throws. */
    void run(Runnable task) {
        if (closed) {
            return;
        }
        try {
            task.run();
        } catch (Throwable failure) {
            report(failure);
        }
    }

    /** Tells the failure handler of a bug. */
    void report(Throwable failure) {
        failures.failed(loop, failure);
    }

    void atEnd(Runnable task) {
        atEnd.add(task);
    }

    /** Runs what waits for the end of the turn, also what is added meanwhile; the next turn begins. */
    void end() {
        for (Runnable task = atEnd.poll(); task != null; task = atEnd.poll()) {
            run(task);
        }
        tasksRun = 0;
        isTimeKnown = false;
    }

    long nanoTime() {
        if (!isTimeKnown) {
            nanoTime = System.nanoTime();
            isTimeKnown = true;
        }
        return nanoTime;
    }

    /** Forgets everything queued; the last act of a closed loop. */
    void clear() {
        tasks.clear();
        atEnd.clear();
    }
}
