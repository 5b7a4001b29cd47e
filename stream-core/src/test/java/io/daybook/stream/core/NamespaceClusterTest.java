// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.daybook.ledger.LedgerClientConfig;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.Failures;
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
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import io.daybook.stream.core.maintenance.MaintenanceReport;
import io.daybook.testkit.cluster.LocalCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.LongStream;
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
        // D-140
        assertThatThrownBy(() -> Namespace.open("nowhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zk://host:port/path");
        assertThatThrownBy(() -> Namespace.open("memory:x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zk://host:port/path")
                .hasMessageContaining("standalone");
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

            // D-31
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

    @Test
    void ledgersOfAStreamHaveItsQuorums() {
        try (Namespace namespace = Namespace.open(cluster.uri().toString())) {
            LogStream two = namespace
                    .openStream("two", OpenMode.CREATE_NEW, StreamOptions.DEFAULT.withQuorums(2, 2, 1))
                    .join();
            LogStream three = namespace
                    .openStream("three", OpenMode.CREATE_NEW, StreamOptions.DEFAULT.withQuorums(3, 2, 2))
                    .join();
            for (LogStream stream : List.of(two, three)) {
                try (LogWriter writer = stream.openWriter().join()) {
                    writer.append(LogRecord.of(1, "one")).join();
                }
            }

            // D-19
            assertThat(quorumsOfTheLastSegment(two)).isEqualTo(new Quorums(2, 2, 1));
            assertThat(quorumsOfTheLastSegment(three)).isEqualTo(new Quorums(3, 2, 2));
            two.changeOptions(StreamOptions.DEFAULT.withQuorums(3, 3, 2)).join();
            two.openWriter().join().close();
            assertThat(quorumsOfTheLastSegment(two)).isEqualTo(new Quorums(3, 3, 2));
        }
    }

    @Test
    void streamWithAnHmacIsWrittenAndReadWithItsKeyOnly() {
        byte[] key = "a key of sixteen bytes or more".getBytes(StandardCharsets.UTF_8);
        byte[] otherKey = "another key of sixteen bytes or more".getBytes(StandardCharsets.UTF_8);
        String uri = cluster.uri().toString();
        try (Namespace with = Namespace.open(uri, key);
                Namespace without = Namespace.open(uri);
                Namespace another = Namespace.open(uri, otherKey)) {
            LogStream stream = with.openStream(
                            "signed",
                            OpenMode.CREATE_NEW,
                            StreamOptions.DEFAULT.withDigest(StreamOptions.Digest.HMAC_SHA256))
                    .join();
            requireRefused(without, LogStream::openWriter);
            for (int round = 0; round < 2; round++) {
                LogWriter writer =
                        stream.openWriter(WriterOptions.DEFAULT.takingOver()).join();
                writer.append(LogRecord.of(round, "record " + round)).join();
                // P-06: in progress first, completed then
                for (Namespace wrong : List.of(without, another)) {
                    requireRefused(wrong, wrongly -> wrongly.openWriter(WriterOptions.DEFAULT.takingOver()));
                    requireRefused(wrong, LogStream::lastRecord);
                    requireRefused(
                            wrong,
                            wrongly ->
                                    wrongly.openReader(StartPosition.earliest()).thenCompose(LogReader::next));
                }
                if (round == 0) {
                    writer.append(LogRecord.of(0, "more")).join();
                    writer.close();
                    requireRefused(another, LogStream::openWriter);
                } else {
                    writer.close();
                }
            }

            assertThat(stream.status().join().options().digest()).isEqualTo(StreamOptions.Digest.HMAC_SHA256);
            assertThat(Failures.rootOf(catchThrowable(stream.changeOptions(StreamOptions.DEFAULT)::join)))
                    .isInstanceOf(StreamException.InvalidOptions.class);
            List<String> read = new ArrayList<>();
            try (LogReader reader = stream.openReader(StartPosition.earliest()).join()) {
                reader.drain().forEach(record -> read.add(record.payloadText()));
            }
            assertThat(read).containsExactly("record 0", "more", "record 1");
            // Whoever has no key deletes it all the same.
            without.delete("signed").join();
        }
    }

    private static void requireRefused(Namespace wrong, Function<LogStream, CompletableFuture<?>> call) {
        LogStream stream = wrong.openStream("signed", OpenMode.MUST_EXIST).join();
        assertThat(Failures.rootOf(catchThrowable(call.apply(stream)::join)))
                .isInstanceOf(StreamException.WrongKey.class)
                .hasMessageContaining("signed")
                .hasMessageContaining("key");
    }

    private Quorums quorumsOfTheLastSegment(LogStream stream) {
        List<StreamStatus.Segment> segments = stream.status().join().segments();
        long ledgerId = segments.get(segments.size() - 1).ledgerId();
        return cluster.metadataStores()
                .ledgers()
                .read(ledgerId)
                .toCompletableFuture()
                .join()
                .value()
                .quorums();
    }

    @Test
    void writerFailsWithoutAnAckQuorumAndTheNextOneGoesOnBehindTheLastRecord() {
        try (Namespace namespace = Namespace.open(cluster.uri().toString())) {
            LogStream stream =
                    namespace.openStream("lost-quorum", OpenMode.CREATE_NEW).join();
            LogWriter writer = stream.openWriter().join();
            List<CompletableFuture<DLSN>> appends = new ArrayList<>();
            append(writer, 0, 100, appends);
            writer.flush().join();
            cluster.bookie(0).kill();
            cluster.bookie(1).kill();

            // D-31: too few bookies are left for the ledger, old or new
            assertThat(Failures.rootOf(catchThrowable(writer.append(LogRecord.of(100, "record 100"))::join)))
                    .isInstanceOf(StreamException.class);
            cluster.bookie(0).restart();
            cluster.bookie(1).restart();

            try (LogWriter next =
                    stream.openWriter(WriterOptions.DEFAULT.takingOver()).join()) {
                assertThat(next.lastTransactionId()).isBetween(99L, 100L);
                assertThat(next.append(LogRecord.of(101, "record 101")).join())
                        .isGreaterThan(appends.get(99).join());
            }
            List<Long> read = new ArrayList<>();
            try (LogReader reader = stream.openReader(StartPosition.earliest()).join()) {
                reader.drain().forEach(record -> read.add(record.transactionId()));
            }
            assertThat(read.subList(0, 100))
                    .isEqualTo(LongStream.range(0, 100).boxed().toList());
            assertThat(read.get(read.size() - 1)).isEqualTo(101);
        }
    }

    @Test
    void retentionLetsGoOfWhatIsTooMuch() {
        MaintenanceConfig often = new MaintenanceConfig(true, Duration.ofSeconds(1), Duration.ofDays(30));
        CompletableFuture<MaintenanceReport> truncated = new CompletableFuture<>();
        try (StreamsNamespace namespace = StreamNamespaceProvider.open(cluster.uri(), LedgerClientConfig.defaults())) {
            LogStream stream = namespace
                    .openStream(
                            "retained",
                            OpenMode.CREATE_NEW,
                            StreamOptions.DEFAULT
                                    .withSegmentBounds(Duration.ZERO, 1)
                                    .withRetention(Duration.ZERO, 1))
                    .join();
            List<DLSN> positions = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                try (LogWriter writer = stream.openWriter().join()) {
                    positions.add(writer.append(LogRecord.of(i, "record " + i)).join());
                }
            }
            long firstLedger = stream.status().join().segments().get(0).ledgerId();

            namespace.maintain(often, report -> {
                if (report.truncations() > 0) {
                    truncated.complete(report);
                }
            });
            truncated.join();

            // D-120, D-124
            assertThat(stream.status().join().firstKept()).isGreaterThan(positions.get(2));
            assertThat(stream.lastRecord().join().orElseThrow().position()).isEqualTo(positions.get(4));
            assertThat(catchThrowable(() -> cluster.metadataStores()
                            .ledgers()
                            .read(firstLedger)
                            .toCompletableFuture()
                            .join()))
                    .hasRootCauseInstanceOf(MetadataException.class);
        }
    }

    private static void append(LogWriter writer, int first, int end, List<CompletableFuture<DLSN>> into) {
        for (int i = first; i < end; i++) {
            into.add(writer.append(LogRecord.of(i, "record " + i)));
        }
    }
}
