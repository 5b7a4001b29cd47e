// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.testkit.cluster.LocalCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The way of an application to its streams, and what it sees when bookies come and go, on a real cluster. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NamespaceClusterTest {
    private LocalCluster cluster;

    @BeforeAll
    void startCluster() {
        cluster = LocalCluster.builder().bookies(3).start();
    }

    @AfterAll
    void closeCluster() {
        cluster.close();
    }

    @Test
    void applicationWritesAndReadsThroughTheApiAlone() {
        try (Namespace namespace = Namespace.open(cluster.uri().toString())) {
            LogStream orders =
                    namespace.openStream("orders", OpenMode.CREATE_IF_MISSING).join();
            DLSN where;
            try (LogWriter writer = orders.openWriter().join()) {
                where = writer.append(LogRecord.of(1, "first")).join();
            }
            try (LogReader reader = orders.openReader(StartPosition.earliest()).join()) {
                for (PositionedRecord record : reader.drain()) {
                    assertThat(record.position()).isEqualTo(where);
                    assertThat(record.payloadText()).isEqualTo("first");
                }
            }
        }
    }

    @Test
    void wrongAddressesAreToldInOneLine() {
        assertThatThrownBy(() -> Namespace.open("nowhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zk://host:port/path");
        assertThatThrownBy(() -> Namespace.open("ftp://localhost/x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Namespace.open("zk://127.0.0.1:1/daybook"))
                .isInstanceOf(StreamException.Unavailable.class)
                .hasMessageContaining("127.0.0.1:1");
        String elsewhere = cluster.uri().toString().replace("/daybook", "/elsewhere");
        assertThatThrownBy(() -> Namespace.open(elsewhere))
                .isInstanceOf(StreamException.Unavailable.class)
                .hasMessageContaining("/elsewhere")
                .hasMessageContaining("cluster init");
    }

    @Test
    void writerOutlivesABookieAndNothingIsLost() {
        try (Namespace namespace = Namespace.open(cluster.uri().toString())) {
            LogStream stream =
                    namespace.openStream("outlives", OpenMode.CREATE_NEW).join();
            List<CompletableFuture<DLSN>> appends = writeWhileABookieDies(stream);

            List<DLSN> read = new ArrayList<>();
            try (LogReader reader = stream.openReader(StartPosition.earliest()).join()) {
                reader.drain().forEach(record -> read.add(record.position()));
            }
            assertThat(read)
                    .isEqualTo(appends.stream().map(CompletableFuture::join).toList());
        }
    }

    /** S-41: two of three bookies are an ack quorum. */
    private List<CompletableFuture<DLSN>> writeWhileABookieDies(LogStream stream) {
        List<CompletableFuture<DLSN>> appends = new ArrayList<>();
        try (LogWriter writer = stream.openWriter().join()) {
            append(writer, 0, 1000, appends);
            appends.get(900).join();
            cluster.bookie(0).kill();
            append(writer, 1000, 3000, appends);
            writer.flush().join();
        } finally {
            cluster.bookie(0).restart();
        }
        return appends;
    }

    private static void append(LogWriter writer, int first, int end, List<CompletableFuture<DLSN>> into) {
        for (int i = first; i < end; i++) {
            into.add(writer.append(LogRecord.of(i, "record " + i)));
        }
    }
}
