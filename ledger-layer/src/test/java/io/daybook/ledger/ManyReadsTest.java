// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.wire.MessageType;
import io.daybook.runtime.Failures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S-44: more reads at once than a bookie takes from one client. */
final class ManyReadsTest {
    private static final int READS = 2_000;
    private static final int ENTRY_BYTES = 1_000;

    private static ByteBuf payload(long id) {
        return Unpooled.buffer(ENTRY_BYTES).writeLong(id).writeZero(ENTRY_BYTES - Long.BYTES);
    }

    private final List<SimulatedCluster> clusters = new ArrayList<>();

    private SimulatedCluster cluster(long seed, int bookies, int readsInFlightMax) {
        SimulatedCluster cluster =
                new SimulatedCluster(seed, bookies, config -> config.withClientBounds(readsInFlightMax, 100));
        clusters.add(cluster);
        return cluster;
    }

    @AfterEach
    void close() {
        clusters.forEach(SimulatedCluster::shutDownClients);
    }

    /** A closed ledger that no bookie has in memory any more. */
    private static long written(SimulatedCluster cluster, Quorums quorums) {
        LedgerWriter writer =
                cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT.withQuorums(quorums)));
        for (int i = 0; i < READS; i++) {
            writer.append(payload(i));
        }
        cluster.await(writer.close());
        cluster.world.runFor(10 * SECOND);
        return writer.ledgerId();
    }

    private static List<CompletableFuture<LedgerEntries>> readAll(LedgerReader reader) {
        List<CompletableFuture<LedgerEntries>> reads = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            reads.add(reader.read(i, 1, 1));
        }
        return reads;
    }

    private static void check(LedgerEntries read, long id) {
        try (LedgerEntries entries = read) {
            assertThat(entries.list().get(0).payload()).isEqualTo(payload(id));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,3,256", "2,5,256", "3,3,3", "4,3,1"})
    void allReadsThatAreAskedForAtOnceSucceed(long seed, int size, int readsInFlightMax) {
        SimulatedCluster cluster = cluster(seed, size, readsInFlightMax);
        long ledgerId = written(cluster, new Quorums(size, 3, 2));
        LedgerReader reader = cluster.await(cluster.client("reader").open(ledgerId, OpenOptions.DEFAULT));

        List<CompletableFuture<LedgerEntries>> reads = readAll(reader);

        for (int i = 0; i < READS; i++) {
            check(cluster.await(reads.get(i)), i);
        }
    }

    @Test
    void aVerificationBesideManyReadsTakesNoBookieForUnreadable() {
        SimulatedCluster cluster = cluster(5, 3, 8);
        long ledgerId = written(cluster, Quorums.DEFAULT);
        LedgerClient client = cluster.client("reader");
        LedgerReader reader = cluster.await(client.open(ledgerId, OpenOptions.DEFAULT));

        List<CompletableFuture<LedgerEntries>> reads = readAll(reader);

        assertThat(cluster.await(client.verify(ledgerId, OpenOptions.DEFAULT)).flaws())
                .isEmpty();
        reads.forEach(read -> cluster.await(read).close());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void tailReadsDoNotWaitBehindThoseThatCatchUp(long seed) {
        SimulatedCluster cluster = cluster(seed, 3, 256);
        long old = written(cluster, Quorums.DEFAULT);
        LedgerWriter writer = cluster.await(cluster.client("writer-2").create(CreateOptions.DEFAULT));
        LedgerClient client = cluster.client("reader");
        LedgerReader tail = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        LedgerReader reader = cluster.await(client.open(old, OpenOptions.DEFAULT));
        List<CompletableFuture<LedgerEntries>> waiting = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            waiting.add(tail.readTail(0, 1, 1, 30 * SECOND));
        }
        cluster.world.runFor(SECOND);

        List<CompletableFuture<LedgerEntries>> reads = readAll(reader);
        writer.append(payload(7));
        CompletableFuture<LedgerEntries> next = tail.readTail(1, 1, 1, 30 * SECOND);
        writer.append(payload(8));

        check(cluster.await(next), 8);
        for (CompletableFuture<LedgerEntries> read : waiting) {
            check(cluster.await(read), 7);
        }
        for (int i = 0; i < READS; i++) {
            check(cluster.await(reads.get(i)), i);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,256", "2,256", "3,8", "4,1"})
    void whoOpensALedgerOrAsksHowFarItIsConfirmedDoesNotWaitBehindReads(long seed, int readsInFlightMax) {
        SimulatedCluster cluster = cluster(seed, 3, readsInFlightMax);
        long old = written(cluster, Quorums.DEFAULT);
        LedgerWriter writer = cluster.await(cluster.client("writer-2").create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(7)));
        cluster.world.runFor(SECOND);
        LedgerClient client = cluster.client("reader");
        LedgerReader known = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        LedgerReader reader = cluster.await(client.open(old, OpenOptions.DEFAULT));
        List<CompletableFuture<LedgerEntries>> reads = readAll(reader);
        cluster.world.runFor(SECOND / 50);

        CompletableFuture<LedgerReader> opened = client.open(writer.ledgerId(), OpenOptions.DEFAULT);
        CompletableFuture<Long> confirmed = known.refresh();

        assertThat(cluster.await(opened).lastAddConfirmed()).isZero();
        assertThat(cluster.await(confirmed)).isZero();
        assertThat(reads.stream().filter(CompletableFuture::isDone).count()).isLessThan(READS / 2);
        reads.forEach(read -> cluster.await(read).close());
    }

    @Test
    void aReaderThatIsClosedEndsItsReadsAtOnceAlsoThoseThatWait() {
        SimulatedCluster cluster = cluster(6, 3, 2);
        long ledgerId = written(cluster, Quorums.DEFAULT);
        LedgerReader reader = cluster.await(cluster.client("reader").open(ledgerId, OpenOptions.DEFAULT));
        List<CompletableFuture<LedgerEntries>> reads = readAll(reader);
        cluster.world.runFor(SECOND / 50);
        long[] asked = new long[1];
        cluster.world.network().watch((from, to, bytes, nanos) -> {
            boolean isRead = MessageType.of(Unpooled.wrappedBuffer(bytes)) == MessageType.READ;
            asked[0] += isRead && from.equals("reader") ? 1 : 0;
        });

        reader.close();
        cluster.world.runFor(SECOND / 100);

        assertThat(reads.stream().filter(CompletableFuture::isDone).count()).isEqualTo(READS);
        assertThat(Failures.rootOf(Objects.requireNonNull(reads.get(READS - 1)
                        .handle((entries, failure) -> failure)
                        .join())))
                .isInstanceOf(LedgerException.HandleClosed.class);
        cluster.world.runFor(10 * SECOND);
        assertThat(asked[0]).isZero();
        reads.stream()
                .filter(read -> !read.isCompletedExceptionally())
                .forEach(read -> read.join().close());
    }
}
