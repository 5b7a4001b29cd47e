// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.protocol.BookieId;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters start, last, break and leave nothing behind. */
final class LocalClusterTest {
    @TempDir
    Path directory;

    @Test
    void aTemporaryClusterLeavesNoThreadAndNoFile() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Path kept;

        try (LocalCluster cluster = LocalCluster.builder().start()) {
            kept = cluster.directory();
            assertThat(kept).isDirectory();
            assertThat(liveIds(cluster)).hasSize(3);
        }

        assertThat(Files.exists(kept)).isFalse();
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> !before.contains(thread))
                                .map(Thread::getName)
                                .filter(name -> !name.startsWith("awaitility"))
                                .collect(Collectors.toList()))
                        .isEmpty());
    }

    @Test
    void aKeptClusterIsTheSameAfterRestart() {
        ClusterInfo cluster;
        List<BookieId> ids;
        try (LocalCluster first =
                LocalCluster.builder().directory(directory).bookies(2).start()) {
            first.addBookie();
            cluster = first.metadataStores().cluster().read().join();
            ids = first.bookies().stream().map(LocalBookie::id).toList();
        }

        try (LocalCluster second =
                LocalCluster.builder().directory(directory).bookies(1).start()) {
            assertThat(second.metadataStores().cluster().read().join()).isEqualTo(cluster);
            assertThat(second.bookies().stream().map(LocalBookie::id))
                    .isEqualTo(ids)
                    .hasSize(3);
        }
    }

    @Test
    void aDirectoryServesOneClusterAtATime() {
        try (LocalCluster first =
                LocalCluster.builder().directory(directory).bookies(0).start()) {
            assertThat(first.bookies()).isEmpty();
            assertThatThrownBy(() -> LocalCluster.builder().directory(directory).start())
                    .isInstanceOf(LocalClusterException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("stop that cluster or name another directory");
        }
    }

    @Test
    void aBookiePortInUseEndsTheStartWithoutLeftovers() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LocalCluster.Builder builder =
                    LocalCluster.builder().directory(directory).bookies(1).bookiePort(taken.getLocalPort());

            assertThatThrownBy(builder::start)
                    .isInstanceOf(LocalClusterException.class)
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()))
                    .hasMessageContaining("in use");
        }
        try (LocalCluster again =
                LocalCluster.builder().directory(directory).bookies(1).start()) {
            assertThat(again.bookie(0).state()).isEqualTo(LocalBookie.State.RUNNING);
        }
    }

    @Test
    void aKilledBookieIsGoneForOthersAndComesBackAsItself() {
        try (LocalCluster cluster = LocalCluster.builder().bookies(2).start()) {
            LocalBookie bookie = cluster.bookie(0);
            BookieId id = bookie.id();

            bookie.kill();

            assertThat(bookie.state()).isEqualTo(LocalBookie.State.KILLED);
            assertThatThrownBy(bookie::endpoint).isInstanceOf(IllegalStateException.class);
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(liveIds(cluster)).doesNotContain(id));
            for (int i = 0; i < 3; i++) {
                bookie.restart();
                assertThat(bookie.id()).isEqualTo(id);
                assertThat(liveIds(cluster)).contains(id);
                bookie.kill();
            }
            bookie.restart();
            bookie.stop();
            assertThat(bookie.state()).isEqualTo(LocalBookie.State.STOPPED);
        }
    }

    @Test
    void metadataComesBackWithZooKeeper() {
        try (LocalCluster cluster = LocalCluster.builder().bookies(1).start()) {
            ClusterInfo info = cluster.metadataStores().cluster().read().join();

            cluster.zooKeeper().stop();
            cluster.zooKeeper().restart();

            assertThat(cluster.metadataStores().cluster().read().join()).isEqualTo(info);
        }
    }

    private static List<BookieId> liveIds(LocalCluster cluster) {
        return cluster.metadataStores().bookies().live().join().stream()
                .map(BookieRegistration::bookieId)
                .toList();
    }
}
