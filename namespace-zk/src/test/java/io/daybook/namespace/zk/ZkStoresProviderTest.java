// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a URI opens, and how one that opens nothing is refused. */
final class ZkStoresProviderTest {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    @Test
    void uriOpensTheStores() {
        URI uri = URI.create("zk://" + ZOOKEEPER.servers() + ZOOKEEPER.newRoot());

        try (MetadataStores stores = MetadataStoresProvider.connect(uri, 30_000)) {
            assertThat(stores.ledgerIds().next().join()).isNotNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zk://localhost:2181",
                "zk://localhost:2181/",
                "zk:///daybook",
                "zk://localhost:port/daybook",
                "zk://localhost:99999/daybook",
                "zk://localhost:2181,/daybook",
                "zk://localhost:2181//daybook",
                "zk://localhost:2181/daybook/",
                "zk://localhost:2181/a/../b",
                "zk://localhost:2181/daybook?x=y",
                "zk://localhost:2181/zookeeper/x",
                "zk:localhost"
            })
    void uriOfAnotherFormIsRefusedWithTheRightForm(String uri) {
        assertThatThrownBy(() -> MetadataStoresProvider.connect(URI.create(uri), 1_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + uri + "'")
                .hasMessageContaining("zk://127.0.0.1:2181/daybook")
                .hasMessageNotContaining("\n");
    }

    @Test
    void serverThatIsNotThereIsNamedInTimeAndNothingIsLeftBehind() throws Exception {
        Set<Thread> before = zooKeeperThreads();
        int freePort;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            freePort = taken.getLocalPort();
        }
        String server = "127.0.0.1:" + freePort;
        long startNanos = System.nanoTime();

        MetadataException refused = catchThrowableOfType(
                MetadataException.class,
                () -> MetadataStoresProvider.connect(URI.create("zk://" + server + "/daybook"), 1_000));

        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(20));
        assertThat(refused.code()).isEqualTo(MetadataException.Code.UNAVAILABLE);
        assertThat(refused)
                .hasMessageContaining(server)
                .hasMessageContaining("check")
                .hasMessageNotContaining("\n");
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> before.containsAll(zooKeeperThreads()));
    }

    private static Set<Thread> zooKeeperThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches(".*(SendThread|EventThread|Curator|daybook-zk).*"))
                .collect(Collectors.toSet());
    }
}
