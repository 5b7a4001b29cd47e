// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A loop whose tasks and timers run when a test says so. */
final class QueuedLoop implements EventLoop {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<Runnable> timers = new ArrayList<>();

    void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    /** As if the time of all timers were over. */
    void runTimers() {
        List<Runnable> due = List.copyOf(timers);
        timers.clear();
        due.forEach(Runnable::run);
        runTasks();
    }

    @Override
    public String name() {
        return "queued";
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        timers.add(task);
        return () -> timers.remove(task);
    }

    @Override
    public void atEndOfTurn(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean isInLoop() {
        return true;
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public long wallMillis() {
        return 0;
    }

    @Override
    public void close() {
        tasks.clear();
        timers.clear();
    }
}
