// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.system.SystemHost;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bookie on real threads, sockets and files. */
final class RealBookieTest {
    private static final ClusterId CLUSTER = new ClusterId(1, 2);

    @TempDir
    private Path directory = Path.of("");

    private final SystemHost host = SystemHost.start();
    private final MemoryMetadataStores stores = new MemoryMetadataStores(new MemoryMetadata());
    private BookieConfig config = BookieConfig.defaults();

    @BeforeEach
    void cluster() {
        config = BookieConfig.embedded(
                        "b0",
                        directory.resolve("journal").toString(),
                        directory.resolve("data").toString())
                .withSlabs(1024 * 1024, 3);
        stores.cluster().initialize(new ClusterInfo(CLUSTER, 1)).join();
    }

    @AfterEach
    void end() {
        host.close();
    }

    @Test
    void entriesFencesAndWaitsWorkAndSurviveACleanStopAndASuddenOne() throws Exception {
        BookieCookie cookie = BookieFormat.format(config, host, stores).get(60, TimeUnit.SECONDS);
        Bookie bookie = started();
        TestClient writer = connect(bookie).hello(CLUSTER, cookie.bookieId(), LinkKind.APPEND);
        int count = 5_000;
        for (int i = 0; i < count; i++) {
            writer.add(i % 3, i / 3, payload(i));
        }
        until(() -> writer.acknowledged() == count);
        writer.fenceAndWait(9);
        assertRead(bookie, cookie, count);

        bookie.abort().get(60, TimeUnit.SECONDS);
        bookie = started();
        assertRead(bookie, cookie, count);

        bookie.close().get(60, TimeUnit.SECONDS);
        bookie = started();
        assertRead(bookie, cookie, count);
        TestClient late = connect(bookie).hello(CLUSTER, cookie.bookieId(), LinkKind.APPEND);
        assertThat(late.addAndWait(9, 0, "late")).isEqualTo(StatusCode.FENCED);
        bookie.close().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aSecondStartOnTheSameDirectoriesIsRefused() throws Exception {
        BookieFormat.format(config, host, stores).get(60, TimeUnit.SECONDS);
        Bookie bookie = started();

        CompletableFuture<Bookie> second = Bookie.start(config, host, stores);

        assertThat(second)
                .failsWithin(java.time.Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("in use by another process");
        bookie.close().get(60, TimeUnit.SECONDS);
    }

    private Bookie started() throws Exception {
        return Bookie.start(config, host, stores).get(60, TimeUnit.SECONDS);
    }

    private TestClient connect(Bookie bookie) {
        return TestClient.connect(host, bookie.endpoint(), RealBookieTest::until);
    }

    private static String payload(int i) {
        return "entry " + i + " " + "y".repeat(600);
    }

    private void assertRead(Bookie bookie, BookieCookie cookie, int count) {
        TestClient reader = connect(bookie).hello(CLUSTER, cookie.bookieId(), LinkKind.OTHER);
        for (int ledgerId = 0; ledgerId < 3; ledgerId++) {
            int entries = (count - ledgerId + 2) / 3;
            int next = 0;
            while (next < entries) {
                TestClient.Answered answer = reader.readAndWait(ledgerId, next, 1000, ReadRequest.FLAG_UNCONFIRMED);
                assertThat(answer.header().status()).isEqualTo(StatusCode.OK);
                for (String payload : answer.payloads()) {
                    assertThat(payload).isEqualTo(payload(next++ * 3 + ledgerId));
                }
            }
        }
        reader.close();
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(200_000);
        }
    }
}
