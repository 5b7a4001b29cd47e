// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import io.daybook.simulation.Seeds.Workers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads that do runs. Some more runs than threads are under way, so that no thread waits for the one whose turn it is to be counted. */
final class WorkerThreads implements AutoCloseable {
    private static final int RUNS_PER_THREAD = 4;

    private final ExecutorService executor;
    private final int count;

    /** So many, at least 1. */
    WorkerThreads(int count) {
        this.count = count;
        this.executor = Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, "simulation");
            thread.setDaemon(true);
            return thread;
        });
    }

    Workers workers() {
        return new Workers(executor, RUNS_PER_THREAD * count);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
