// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.append;
import static io.daybook.ledger.LedgerClusterTest.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.handle.Situations;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.wire.MessageType;
import io.daybook.runtime.simulated.network.LinkQuality;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S-56, P-28, P-88: reads when bookies are slow to answer. */
final class HedgedReadTest {
    private static final int ENTRIES = 200;
    private static final int READS = 600;
    private static final long MILLISECOND = 1_000_000;

    private static LedgerReader written(SimulatedCluster cluster, Quorums quorums) {
        LedgerWriter writer =
                cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT.withQuorums(quorums)));
        append(writer, ENTRIES);
        cluster.await(writer.close());
        return cluster.await(cluster.client("reader").open(writer.ledgerId(), OpenOptions.DEFAULT));
    }

    private static void delay(SimulatedCluster cluster, int bookie) {
        LinkQuality slow = new LinkQuality(200 * MILLISECOND, 70_000, 0);
        cluster.world.network().quality("reader", SimulatedCluster.bookieName(bookie), slow);
    }

    /** Reads one entry after the other at random and returns how long each took, in rising order. */
    private static List<Long> read(SimulatedCluster cluster, LedgerReader reader) {
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            int entry = cluster.world.random("entry" + i).below(ENTRIES);
            long start = cluster.world.nanoTime();
            try (LedgerEntries entries = cluster.await(reader.read(entry, 1, 1))) {
                assertThat(entries.list().get(0).payload()).isEqualTo(payload(entry));
            }
            nanos.add(cluster.world.nanoTime() - start);
        }
        return nanos.stream().sorted().toList();
    }

    /** Reads from the first entry to the last, a page at a time, again and again, and returns how long each page took, in rising order. */
    private static List<Long> readOn(SimulatedCluster cluster, LedgerReader reader, int page) {
        List<Long> nanos = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < READS; i++) {
            long start = cluster.world.nanoTime();
            try (LedgerEntries entries = cluster.await(reader.read(next, page, 1 << 20))) {
                for (LedgerEntries.Entry entry : entries.list()) {
                    assertThat(entry.payload()).isEqualTo(payload(next));
                    next++;
                }
            }
            nanos.add(cluster.world.nanoTime() - start);
            next %= ENTRIES;
        }
        return nanos.stream().sorted().toList();
    }

    private static long hedges(SimulatedCluster cluster) {
        return cluster.world.faults().reached().getOrDefault(Situations.READ_HEDGED, 0L);
    }

    @ParameterizedTest
    @CsvSource({"1,3,3", "2,3,3", "3,5,3"})
    void oneSlowBookieDoesNotSlowReadsAndCostsFewRequestsMore(long seed, int size, int copies) { // S-56
        SimulatedCluster cluster = new SimulatedCluster(seed, size);
        LedgerReader reader = written(cluster, new Quorums(size, copies, 2));
        delay(cluster, 1);

        List<Long> nanos = read(cluster, reader);

        assertThat(nanos.get(READS * 99 / 100)).isLessThan(30 * MILLISECOND);
        assertThat(hedges(cluster)).isBetween(1L, READS / 10 + 2L);
    }

    @ParameterizedTest
    @CsvSource({"1,3,3,1", "2,3,3,20", "3,5,3,1", "4,5,3,20", "5,4,2,50"})
    void oneSlowBookieDoesNotSlowWhoReadsOnNorALedgerThatIsStriped( // S-56
            long seed, int size, int copies, int page) {
        SimulatedCluster cluster = new SimulatedCluster(seed, size);
        LedgerReader reader = written(cluster, new Quorums(size, copies, 2));
        delay(cluster, 1);
        long[] requests = new long[1];
        cluster.world.network().watch((from, to, bytes, nanos) -> {
            boolean isRead = MessageType.of(Unpooled.wrappedBuffer(bytes)) == MessageType.READ;
            requests[0] += isRead && from.equals("reader") ? 1 : 0;
        });

        List<Long> nanos = readOn(cluster, reader, page);

        assertThat(nanos.get(READS * 99 / 100)).isLessThan(30 * MILLISECOND);
        assertThat(hedges(cluster)).isLessThan(requests[0] / 11 + 3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whenAllBookiesAreSlowHardlyAnyRequestIsMadeTwice(long seed) { // S-56
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerReader reader = written(cluster, Quorums.DEFAULT);
        for (int i = 0; i < 3; i++) {
            delay(cluster, i);
        }

        List<Long> nanos = read(cluster, reader);

        assertThat(nanos.get(0)).isGreaterThan(200 * MILLISECOND);
        assertThat(hedges(cluster)).isLessThan(READS / 10 + 2L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aBookieThatHangsIsLeftBehindLongBeforeTheReadTimeout(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerReader reader = written(cluster, Quorums.DEFAULT);
        read(cluster, reader);
        cluster.world.network().clog("reader", "bookie-2");

        List<Long> nanos = read(cluster, reader);

        assertThat(nanos.get(READS * 99 / 100)).isLessThan(100 * MILLISECOND);
    }
}
