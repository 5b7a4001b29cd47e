// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.cluster.BenchCluster;
import io.daybook.cli.invocation.Shutdown;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes away what a measurement made on a cluster, once, by whoever is first: the command that is done, or the end of the process.
 *
 * <p><i>Threading:</i> any thread.
 */
final class Cleaning implements AutoCloseable {
    /** A cluster that does not answer keeps nobody from ending the command. */
    private static final long INTERRUPTED_SECONDS_MAX = 30;

    private final BenchCluster cluster;
    private final Shutdown whenInterrupted;
    private Runnable removal = () -> {};
    private boolean isOver;

    /** Of what is made on this cluster. From now until it is closed, the end of the process takes everything away first. */
    Cleaning(BenchCluster cluster) {
        this.cluster = cluster;
        whenInterrupted = Shutdown.does(this::interrupt);
    }

    /** What is lost with the cluster is not taken away. */
    private void interrupt() {
        if (cluster.outlivesRun()) {
            CompletableFuture.runAsync(this::take)
                    .completeOnTimeout(null, INTERRUPTED_SECONDS_MAX, TimeUnit.SECONDS)
                    .exceptionally(left -> null)
                    .join();
        }
    }

    /**
     * Makes something, whole or not at all. Who takes it away meanwhile waits for that; after that nothing is made any more, which fails.
     *
     * @param taking takes it away
     */
    synchronized <T> T make(Supplier<T> making, Consumer<T> taking) {
        if (isOver) {
            throw new IllegalStateException("the measurement was interrupted");
        }
        T made = making.get();
        removal = () -> taking.accept(made);
        return made;
    }

    /** Takes it away. */
    @Override
    public void close() {
        try {
            take();
        } finally {
            whenInterrupted.close();
        }
    }

    private synchronized void take() {
        isOver = true;
        Runnable mine = removal;
        removal = () -> {};
        mine.run();
    }
}
