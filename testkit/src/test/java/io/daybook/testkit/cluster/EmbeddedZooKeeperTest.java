// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded ZooKeeper keeps its data and gives everything back. */
final class EmbeddedZooKeeperTest {
    @TempDir
    Path directory;

    @Test
    void valuesAreThereAfterRestartOnTheSamePort() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory, "127.0.0.1", 0)) {
            int port = zooKeeper.port();
            try (ZooKeeper client = connect(zooKeeper)) {
                client.create("/kept", "value".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }

            zooKeeper.stop();
            assertThat(zooKeeper.isRunning()).isFalse();
            zooKeeper.restart();

            assertThat(zooKeeper.port()).isEqualTo(port);
            assertThat(zooKeeper.isRunning()).isTrue();
            try (ZooKeeper client = connect(zooKeeper)) {
                assertThat(client.getData("/kept", false, null)).isEqualTo("value".getBytes(UTF_8));
            }
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> EmbeddedZooKeeper.start(directory, "127.0.0.1", taken.getLocalPort()))
                    .isInstanceOf(LocalClusterException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("choose another port");
        }
    }

    @Test
    void noThreadIsLeftBehind() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory, "127.0.0.1", 0);
                ZooKeeper client = connect(zooKeeper)) {
            assertThat(client.getState().isAlive()).isTrue();
        }

        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> !before.contains(thread))
                                .map(Thread::getName)
                                .filter(name -> !name.startsWith("awaitility"))
                                .collect(Collectors.toList()))
                        .isEmpty());
    }

    private static ZooKeeper connect(EmbeddedZooKeeper zooKeeper) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(zooKeeper.address(), 5000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        assertThat(connected.await(60, TimeUnit.SECONDS)).isTrue();
        return client;
    }
}
