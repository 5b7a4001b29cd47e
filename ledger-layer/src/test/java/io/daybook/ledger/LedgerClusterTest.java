// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.handle.Situations;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.Limits;
import io.daybook.runtime.simulated.network.NetworkConditions.PartitionMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ledgers on real bookies, under the simulator. */
final class LedgerClusterTest {
    private static final long SEEDS = Long.getLong("daybook.seeds", 4);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    static ByteBuf payload(long id) {
        return Unpooled.copiedBuffer("entry " + id + "x".repeat((int) (id % 50)), StandardCharsets.UTF_8);
    }

    static List<CompletableFuture<Long>> append(LedgerWriter writer, int count) {
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            appends.add(writer.append(payload(i)));
        }
        return appends;
    }

    /** Reads a whole ledger up to the last add confirmed and checks every byte. */
    static void checkAll(SimulatedCluster cluster, LedgerReader reader, long end) {
        assertThat(reader.lastAddConfirmed()).isEqualTo(end);
        long next = 0;
        while (next <= end) {
            try (LedgerEntries entries = cluster.await(reader.read(next, 100, 4096))) {
                assertThat(entries.list()).isNotEmpty();
                for (LedgerEntries.Entry entry : entries.list()) {
                    assertThat(entry.entryId()).isEqualTo(next);
                    assertThat(entry.payload()).isEqualTo(payload(next));
                    next++;
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasAppendedIsReadBack(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 5);
        LedgerClient client = cluster.client("writer");
        for (Quorums quorums : List.of(new Quorums(3, 3, 2), new Quorums(5, 3, 2), new Quorums(1, 1, 1))) {
            LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(quorums)));
            List<CompletableFuture<Long>> appends = append(writer, 200);

            assertThat(cluster.await(writer.close())).isEqualTo(199);
            for (int i = 0; i < 200; i++) {
                assertThat(appends.get(i)).isCompletedWithValue((long) i);
            }
            LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
            assertThat(reader.isClosed()).isTrue();
            checkAll(cluster, reader, 199);
            assertThatThrownBy(() -> cluster.await(reader.read(200, 1, 1)))
                    .hasCauseInstanceOf(LedgerException.EntryAbsent.class);
        }
        cluster.await(client.shutdown());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theFirstReadSucceedsThoughTheRegistryAnswersLate(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT));
        append(writer, 20);
        cluster.await(writer.close());
        LedgerClient late = cluster.lateClient("reader", SECOND);

        LedgerReader reader = cluster.await(late.open(writer.ledgerId(), OpenOptions.DEFAULT));

        checkAll(cluster, reader, 19);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void losingOneOfThreeBookiesFailsNoAppend(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        append(writer, 20);
        cluster.world.runFor(cluster.world.random("when").below(3_000_000));
        cluster.crashBookie(1);

        List<CompletableFuture<Long>> more = append(writer, 100);
        cluster.await(more.get(99));

        assertThat(cluster.await(writer.close())).isEqualTo(119);
        assertThat(cluster.world.faults().reached()).containsKey(Situations.NO_SPARE);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aFailedBookieIsReplacedByASpare(long seed) { // P-59
        SimulatedCluster cluster = new SimulatedCluster(seed, 6);
        LedgerClient client = cluster.client("writer");
        Quorums quorums = seed % 2 == 0 ? new Quorums(3, 3, 2) : new Quorums(4, 3, 2);
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(quorums)));
        List<CompletableFuture<Long>> appends = append(writer, 50);
        cluster.world.runFor(cluster.world.random("when").below(1_000_000));
        var ensemble = cluster.await(client.metadata(writer.ledgerId()))
                .value()
                .lastFragment()
                .ensemble();
        cluster.crashBookie(ensemble.get(0));
        cluster.world.runFor(cluster.world.random("then").below(3_000_000));
        cluster.crashBookie(ensemble.get(2));
        appends.addAll(append(writer, 50));

        cluster.await(appends.get(99));
        assertThat(cluster.await(writer.close())).isEqualTo(99);
        assertThat(appends).allSatisfy(append -> assertThat(append).isCompleted());
        assertThat(cluster.world.faults().reached()).containsKey(Situations.ENSEMBLE_CHANGED);
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        long next = 0;
        while (next < 100) {
            try (LedgerEntries entries = cluster.await(reader.read(next, 100, 4096))) {
                for (LedgerEntries.Entry entry : entries.list()) {
                    assertThat(entry.payload()).isEqualTo(payload(next % 50));
                    next++;
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void recoveryKeepsEveryAcknowledgedEntryOfACrashedWriter(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 5);
        LedgerClient client = cluster.client("writer");
        Quorums quorums = List.of(new Quorums(3, 3, 2), new Quorums(5, 3, 2), new Quorums(3, 2, 2))
                .get((int) (seed % 3));
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(quorums)));
        List<CompletableFuture<Long>> appends = append(writer, 100);
        cluster.world.runFor(cluster.world.random("when").below(2_000_000));
        long acked = appends.stream().filter(CompletableFuture::isDone).count();
        cluster.crash("writer");
        if (quorums.ackQuorum() > 1 && quorums.writeQuorum() > 2) {
            cluster.crashBookie((int) (seed % 5));
        }

        LedgerClient other = cluster.client("other");
        LedgerReader reader = cluster.await(other.recover(writer.ledgerId(), OpenOptions.DEFAULT));

        assertThat(reader.isClosed()).isTrue();
        assertThat(reader.lastAddConfirmed()).isGreaterThanOrEqualTo(acked - 1).isLessThan(100);
        checkAll(cluster, reader, reader.lastAddConfirmed());
        LedgerReader again = cluster.await(other.recover(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(again.lastAddConfirmed()).isEqualTo(reader.lastAddConfirmed());
        assertThat(again.metadata().lengthBytes()).isEqualTo(reader.metadata().lengthBytes());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aWriterIsFencedByRecoveryAndTellsTheTruth(long seed) { // P-08
        SimulatedCluster cluster = new SimulatedCluster(seed, 4);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT));
        List<CompletableFuture<Long>> appends = append(writer, 60);
        cluster.world.runFor(cluster.world.random("when").below(1_000_000));

        CompletableFuture<LedgerReader> one = cluster.client("one").recover(writer.ledgerId(), OpenOptions.DEFAULT);
        CompletableFuture<LedgerReader> two = cluster.client("two").recover(writer.ledgerId(), OpenOptions.DEFAULT);
        List<CompletableFuture<Long>> late = new ArrayList<>();
        while (!one.isDone() || !two.isDone()) {
            late.add(writer.append(payload(60 + late.size())));
            cluster.world.runFor(100_000);
        }
        CompletableFuture<Long> after = writer.append(payload(0));
        cluster.world.runUntil(after::isDone, SECOND);

        long end = cluster.await(one).lastAddConfirmed();
        assertThat(cluster.await(two).lastAddConfirmed()).isEqualTo(end);
        assertThat(after).isCompletedExceptionally();
        appends.addAll(late);
        for (int i = 0; i < appends.size(); i++) {
            assertThat(appends.get(i)).isDone();
            if (!appends.get(i).isCompletedExceptionally()) {
                assertThat((long) i).isLessThanOrEqualTo(end);
            }
        }
        LedgerException why = cluster.await(writer.failure());
        assertThat(why).isInstanceOf(LedgerException.Fenced.class);
        assertThatThrownBy(() -> cluster.await(writer.close())).hasCauseInstanceOf(LedgerException.Fenced.class);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aTailReaderSeesEachEntrySoonAlsoWhenTheWriterIsIdle(long seed) { // S-11, V3
        SimulatedCluster cluster = new SimulatedCluster(seed, 5);
        Quorums quorums = seed % 2 == 0 ? new Quorums(3, 3, 2) : new Quorums(5, 2, 2);
        LedgerWriter writer =
                cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT.withQuorums(quorums)));
        LedgerReader reader = cluster.await(cluster.client("reader").open(writer.ledgerId(), OpenOptions.DEFAULT));
        for (long id = 0; id < 20; id++) {
            CompletableFuture<LedgerEntries> tail = reader.readTail(id, 10, 4096, 60 * SECOND);
            cluster.world.runFor(200_000_000);
            assertThat(tail).isNotDone();
            cluster.await(writer.append(payload(id)));

            boolean seen = cluster.world.runUntil(tail::isDone, 10_000_000);

            assertThat(seen).isTrue();
            try (LedgerEntries entries = tail.join()) {
                assertThat(entries.list()).hasSize(1);
                assertThat(entries.list().get(0).payload()).isEqualTo(payload(id));
                assertThat(entries.lastAddConfirmed()).isEqualTo(id);
            }
        }
        CompletableFuture<LedgerEntries> last = reader.readTail(20, 10, 4096, 60 * SECOND);
        cluster.await(writer.close());
        try (LedgerEntries none = world(cluster, last)) {
            assertThat(none.list()).isEmpty();
            assertThat(reader.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aTailReaderIsNeverFarBehindASteadyWriter(long seed) { // S-11, V3, P-70
        SimulatedCluster cluster = new SimulatedCluster(seed, 10);
        Quorums quorums = seed % 2 == 0 ? new Quorums(3, 3, 2) : new Quorums(10, 2, 2);
        LedgerWriter writer =
                cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT.withQuorums(quorums)));
        LedgerReader reader = cluster.await(cluster.client("reader").open(writer.ledgerId(), OpenOptions.DEFAULT));
        List<CompletableFuture<LedgerEntries>> tails = new ArrayList<>();
        for (long id = 0; id < 100; id++) {
            tails.add(reader.readTail(id, 1, 4096, 60 * SECOND));
        }
        for (int id = 0; id < 100; id++) {
            cluster.await(writer.append(payload(id)));
            cluster.world.runFor(1_500_000);

            if (id >= 10) {
                assertThat(tails.get(id - 10)).as("entry %d", id - 10).isDone();
            }
        }
        assertThat(cluster.world.runUntil(tails.get(99)::isDone, 10_000_000)).isTrue();
        tails.forEach(tail -> cluster.await(tail).close());
    }

    private static LedgerEntries world(SimulatedCluster cluster, CompletableFuture<LedgerEntries> tail) {
        return cluster.world.await(tail, 10 * SECOND);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSilentBookieIsFoundAndReplacedWithinASecond(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 4);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(0)));
        var ensemble = cluster.await(cluster.session("operator").ledgers().read(writer.ledgerId()))
                .value()
                .lastFragment()
                .ensemble();
        String silent = cluster.nameOf(ensemble.get(1));
        cluster.world.network().partition(List.of("writer"), List.of(silent), PartitionMode.HOLD);

        CompletableFuture<Long> append = writer.append(payload(1));
        assertThat(cluster.world.runUntil(append::isDone, 20_000_000)).isTrue();
        cluster.world.runFor(SECOND);

        assertThat(cluster.world.faults().reached()).containsKey(Situations.ENSEMBLE_CHANGED);
        cluster.await(writer.append(payload(2)));
        assertThat(cluster.await(writer.close())).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void recoveryWithTooFewBookiesFailsAndSucceedsLater(long seed) { // S-09, P-30, P-25
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT));
        append(writer, 10);
        cluster.await(writer.append(payload(10)));
        cluster.crash("writer");
        cluster.crashBookie(0);
        cluster.crashBookie(1);
        LedgerClient other = cluster.client("other");

        CompletableFuture<LedgerReader> early = other.recover(writer.ledgerId(), OpenOptions.DEFAULT);
        assertThat(cluster.world.runUntil(early::isDone, 30 * SECOND)).isTrue();
        assertThatThrownBy(early::join).hasCauseInstanceOf(LedgerException.NotEnoughBookies.class);

        cluster.restartBookie(0);
        LedgerReader reader = cluster.await(other.recover(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(reader.lastAddConfirmed()).isEqualTo(10);
    }

    @Test
    void ledgersAreListedAndDeletedAndThenGone() {
        SimulatedCluster cluster = new SimulatedCluster(6, 3);
        LedgerClient client = cluster.client("writer");
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
            ids.add(writer.ledgerId());
            cluster.await(writer.close());
        }

        cluster.await(client.delete(ids.get(2)));
        cluster.await(client.delete(ids.get(2)));

        ids.remove(2);
        assertThat(cluster.await(client.list(-1, 3)).items()).isEqualTo(ids.subList(0, 3));
        assertThat(cluster.await(client.list(ids.get(2), 3)).items()).isEqualTo(ids.subList(3, 4));
        assertThatThrownBy(() -> cluster.await(client.open(2, OpenOptions.DEFAULT)))
                .hasCauseInstanceOf(LedgerException.LedgerGone.class);
        assertThatThrownBy(() -> cluster.await(client.recover(2, OpenOptions.DEFAULT)))
                .hasCauseInstanceOf(LedgerException.LedgerGone.class);
    }

    @Test
    void anEntryThatIsTooLargeIsRefusedAndHarmsNothing() {
        SimulatedCluster cluster = new SimulatedCluster(7, 3);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT));
        ByteBuf tooLarge = Unpooled.buffer().writeZero(Limits.ENTRY_PAYLOAD_BYTES_MAX + 1);

        assertThatThrownBy(() -> cluster.await(writer.append(tooLarge)))
                .hasCauseInstanceOf(LedgerException.TooLarge.class);

        assertThat(tooLarge.refCnt()).isZero();
        assertThat(cluster.await(writer.append(payload(0)))).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shutdownEndsEveryCallExactlyOnce(long seed) { // S-08, P-61
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        List<CompletableFuture<Long>> appends = append(writer, 50);
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        appends.addAll(append(writer, 50));
        CompletableFuture<LedgerEntries> tail = reader.readTail(500, 1, 1, 60 * SECOND);
        CompletableFuture<Long> close = writer.close();
        CompletableFuture<LedgerReader> recovery = client.recover(writer.ledgerId(), OpenOptions.DEFAULT);

        cluster.await(client.shutdown());

        assertThat(appends).allMatch(CompletableFuture::isDone);
        assertThat(List.of(tail, close, recovery)).allMatch(CompletableFuture::isDone);
        assertThatThrownBy(() -> client.create(CreateOptions.DEFAULT).getNow(null))
                .hasCauseInstanceOf(LedgerException.HandleClosed.class);
    }
}
