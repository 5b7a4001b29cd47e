// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of control to which a machine is confined: a queue of tasks run one at a time, with a clock.
 *
 * <p><i>Threading:</i> {@link #execute}, {@link #schedule}, {@link #resume} and {@link #isInLoop} may be called from any thread; everything
 * else only from the loop itself. A task that throws is a bug: the loop reports it to the failure handler that its creator installed.
 */
public interface EventLoop extends Executor {
    /** A name for threads and messages, such as {@code bookie-core-0}. */
    String name();

    /** Queues a task. Tasks of one caller run in the order in which they were queued. After {@link #close} tasks are dropped. */
    @Override
    void execute(Runnable task);

    /**
     * Runs a task after a delay, in nanoseconds (0 or more), not earlier. The timer may be late by the length of the turn that is running and by
     * the timer resolution of the implementation (at most 10 ms).
     */
    Timer schedule(long delayNanos, Runnable task);

    /**
     * Runs a task once at the end of the current turn, after every task and every received frame of this turn, in the order of registration. A
     * task registered while the end of the turn runs belongs to the same turn. This is where a link flushes its socket once and a journal
     * commits all that was staged.
     */
    void atEndOfTurn(Runnable task);

    /** Hops back from wherever {@code stage} completes and hands its outcome to {@code consumer} on this loop; exactly one argument is null. */
    default <T> void resume(
            CompletionStage<T> stage, BiConsumer<? super @Nullable T, ? super @Nullable Throwable> consumer) {
        stage.whenComplete((value, failure) -> execute(() -> consumer.accept(value, Failures.rootOf(failure))));
    }

    /** Whether the caller runs on this loop. */
    boolean isInLoop();

    /** Monotonic time in nanoseconds from an arbitrary origin, read at most once a turn: it does not advance within a turn. */
    long nanoTime();

    /** Wall-clock time in milliseconds since 1970. Only for display, retention and record time stamps: no safety decision may use it. */
    long wallMillis();

    /** Stops the loop after the task that is running: queued tasks and timers are dropped. Idempotent, from any thread; does not wait. */
    void close();
}
