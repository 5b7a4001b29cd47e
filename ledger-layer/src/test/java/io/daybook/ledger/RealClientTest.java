// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.MetadataStores;
import io.daybook.runtime.system.SystemHost;
import io.daybook.testkit.cluster.LocalCluster;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Handles that are used from many threads, with real sockets and disks. */
final class RealClientTest {
    private static final int THREADS = 4;
    private static final int APPENDS = 250;
    private static final long WAIT_SECONDS = 120;

    /** Calls {@code call} at once from every thread and returns the outcomes. */
    private static <T> List<T> fromEveryThread(ExecutorService threads, Callable<T> call) throws Exception {
        CyclicBarrier together = new CyclicBarrier(THREADS);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(threads.submit(() -> {
                together.await();
                return call.call();
            }));
        }
        List<T> outcomes = new ArrayList<>();
        for (Future<T> each : running) {
            outcomes.add(each.get(WAIT_SECONDS, TimeUnit.SECONDS));
        }
        return outcomes;
    }

    @Test
    void closeFromManyThreadsIsOneClose() throws Exception { // P-63, S-08
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (LocalCluster cluster = LocalCluster.builder().bookies(3).start();
                SystemHost host = SystemHost.start()) {
            MetadataStores stores = cluster.metadataStores();
            LedgerClient client = DaybookLedgerClient.open(
                    LedgerClientConfig.defaults(),
                    host,
                    stores,
                    stores.cluster().read().join().clusterId());
            LedgerWriter writer = client.create(CreateOptions.DEFAULT).join();

            List<List<CompletableFuture<Long>>> appends = fromEveryThread(threads, () -> {
                List<CompletableFuture<Long>> own = new ArrayList<>();
                for (int i = 0; i < APPENDS; i++) {
                    own.add(writer.append(Unpooled.copyLong(i)));
                }
                return own;
            });
            List<Long> ends = fromEveryThread(threads, () -> writer.close().get(WAIT_SECONDS, TimeUnit.SECONDS));

            long last = (long) THREADS * APPENDS - 1;
            assertThat(ends).hasSize(THREADS).containsOnly(last);
            List<Long> ids = new ArrayList<>();
            for (List<CompletableFuture<Long>> own : appends) {
                List<Long> acknowledged =
                        own.stream().map(CompletableFuture::join).toList();
                assertThat(acknowledged).as("in the order of the calls").isSorted();
                ids.addAll(acknowledged);
            }
            assertThat(ids).doesNotHaveDuplicates().hasSize(THREADS * APPENDS).contains(0L, last);
            assertThat(client.metadata(writer.ledgerId()).join().value().lastEntryId())
                    .isEqualTo(last);
            client.shutdown().join();
        } finally {
            threads.shutdownNow();
        }
    }
}
