// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.append;
import static io.daybook.ledger.LedgerClusterTest.checkAll;
import static io.daybook.ledger.LedgerClusterTest.payload;
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
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edges of the ledger layer on real bookies, under the simulator: sizes, damage on disks, deaths of all bookies, deleted ledgers. */
final class LedgerEdgesTest {
    private static final int ROOMY_SLAB_BYTES = 8 * 1024 * 1024;

    private static LedgerClient silentClient(SimulatedCluster cluster, String name) {
        return cluster.client(
                name,
                SimulatedCluster.settings(Duration.ofSeconds(10)),
                cluster.session(name).ledgers());
    }

    private static List<BookieId> ensemble(SimulatedCluster cluster, long ledgerId) {
        return cluster.await(cluster.session("operator").ledgers().read(ledgerId))
                .value()
                .lastFragment()
                .ensemble();
    }

    // ---- what is refused ----

    @Test
    void aBookieTwiceInOneEnsembleIsRefused() { // P-31
        BookieId bookie = new BookieId(1, 2);
        Fragment twice = new Fragment(0, List.of(bookie, new BookieId(1, 3), bookie));

        assertThatThrownBy(() -> new LedgerMetadata(
                        1,
                        Quorums.DEFAULT,
                        DigestType.CRC32C,
                        LedgerState.OPEN,
                        -1,
                        0,
                        List.of(twice),
                        Map.of(),
                        0,
                        new WriteToken(1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a bookie twice");
    }

    @Test
    void impossibleReadsAreRefusedAtOnce() { // P-81
        SimulatedCluster cluster = new SimulatedCluster(1, 3);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));

        assertThatThrownBy(() -> reader.read(-1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reader.read(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reader.readUnconfirmed(0, 1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reader.readTail(Long.MAX_VALUE, 1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRecoveryThatCannotEndSaysWhichBookieDidNotTakeACopyAndWhy() {
        SimulatedCluster cluster = new SimulatedCluster(5, 2);
        LedgerWriter writer =
                cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT.withQuorums(new Quorums(2, 2, 2))));
        cluster.await(writer.append(payload(0)));
        cluster.crash("writer");
        BookieId gone = ensemble(cluster, writer.ledgerId()).get(1);
        cluster.crashBookie(gone);

        assertThatThrownBy(() -> cluster.await(cluster.client("other").recover(writer.ledgerId(), OpenOptions.DEFAULT)))
                .hasCauseInstanceOf(LedgerException.NotEnoughBookies.class)
                .hasMessageContaining("entry 0 has 1 copies, bookie " + gone.shortText() + " answered DISCONNECTED");
    }

    // ---- sizes ----

    private static ByteBuf bytes(int size) {
        return Unpooled.buffer(size).writeZero(Math.max(0, size - 1)).writeBytes(new byte[Math.min(1, size)]);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void entriesAtTheSizeLimitAreWrittenReadAndRecovered(long seed) { // S-48, P-122
        SimulatedCluster cluster = new SimulatedCluster(seed, 4, ROOMY_SLAB_BYTES);
        LedgerWriter writer = cluster.await(silentClient(cluster, "writer").create(CreateOptions.DEFAULT));
        int[] sizes = {0, 1, Limits.ENTRY_PAYLOAD_BYTES_MAX - 1, Limits.ENTRY_PAYLOAD_BYTES_MAX};
        for (int i = 0; i < sizes.length; i++) {
            assertThat(cluster.await(writer.append(bytes(sizes[i])))).isEqualTo(i);
        }

        assertThatThrownBy(() -> cluster.await(writer.append(bytes(Limits.ENTRY_PAYLOAD_BYTES_MAX + 1))))
                .hasCauseInstanceOf(LedgerException.TooLarge.class);
        assertThat(cluster.await(writer.append(bytes(3)))).isEqualTo(sizes.length);

        // Recovery finds the largest ones and writes them back, to a bookie that has none of them too.
        cluster.crash("writer");
        cluster.crashBookie(ensemble(cluster, writer.ledgerId()).get(0));
        LedgerReader reader = cluster.await(cluster.client("other").recover(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(reader.lastAddConfirmed()).isEqualTo(sizes.length);
        assertThat(reader.metadata().lengthBytes()).isEqualTo(2L * Limits.ENTRY_PAYLOAD_BYTES_MAX + 3);
        for (int i = 0; i < sizes.length; i++) {
            try (LedgerEntries entries = cluster.await(reader.read(i, 1, 0))) {
                assertThat(entries.list()).hasSize(1);
                assertThat(entries.list().get(0).payload().readableBytes()).isEqualTo(sizes[i]);
            }
        }
    }

    @Test
    void aRangeOfTheLargestEntriesIsReadPieceByPiece() { // S-48
        SimulatedCluster cluster = new SimulatedCluster(3, 3, ROOMY_SLAB_BYTES);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        for (int i = 0; i < 6; i++) {
            cluster.await(writer.append(bytes(Limits.ENTRY_PAYLOAD_BYTES_MAX - i % 2)));
        }
        cluster.await(writer.close());
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));

        long next = 0;
        while (next < 6) {
            try (LedgerEntries entries = cluster.await(reader.read(next, 100, Integer.MAX_VALUE))) {
                assertThat(entries.list()).isNotEmpty();
                for (LedgerEntries.Entry entry : entries.list()) {
                    assertThat(entry.entryId()).isEqualTo(next);
                    assertThat(entry.payload().readableBytes())
                            .isEqualTo((int) (Limits.ENTRY_PAYLOAD_BYTES_MAX - next % 2));
                    next++;
                }
            }
        }
    }

    // ---- damage on disks ----

    /** Flips a bit of an entry where a bookie keeps it, and starts the bookie anew. */
    private static void damage(SimulatedCluster cluster, int bookie, String text) {
        cluster.crashBookie(bookie);
        DiskDrive data = cluster.data(bookie);
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        int found = 0;
        for (String file : data.image().files()) {
            byte[] bytes = data.image().durableBytes(file);
            for (int at = 0; at + wanted.length <= bytes.length; at++) {
                if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                    data.corrupt(file, at, 1);
                    found++;
                }
            }
        }
        assertThat(found).as("places with '%s'", text).isPositive();
        cluster.restartBookie(bookie);
    }

    @Test
    void aDamagedCopyInABookiesStoreIsReadFromAnother() { // S-12, P-75, B5
        SimulatedCluster cluster = new SimulatedCluster(4, 3);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        append(writer, 100);
        cluster.await(writer.close());
        cluster.world.runFor(5 * SECOND); // Everything is flushed.
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));

        damage(cluster, 0, "entry 50");
        for (int round = 0; round < 3; round++) {
            checkAll(cluster, reader, 99);
            try (LedgerEntries one = cluster.await(reader.read(50, 1, 100))) {
                assertThat(one.list().get(0).payload()).isEqualTo(payload(50));
            }
            try (LedgerEntries tail = cluster.await(reader.readTail(50, 10, 10_000, SECOND))) {
                assertThat(tail.list().get(0).payload()).isEqualTo(payload(50));
            }
        }
        assertThat(cluster.world.faults().reached()).containsKey(Situations.DAMAGED_COPY);

        damage(cluster, 1, "entry 50");
        damage(cluster, 2, "entry 50");
        cluster.world.runFor(SECOND);
        try (LedgerEntries before = cluster.await(reader.read(0, 100, 100_000))) {
            assertThat(before.list()).hasSize(50);
        }
        assertThatThrownBy(() -> cluster.await(reader.read(50, 10, 10_000)))
                .hasCauseInstanceOf(LedgerException.EntryCorrupt.class);
        try (LedgerEntries after = cluster.await(reader.read(51, 100, 100_000))) {
            assertThat(after.list()).hasSize(49);
        }
    }

    @Test
    void whoAsksIsToldOfEveryDamagedCopyThatIsMet() { // S-12
        SimulatedCluster cluster = new SimulatedCluster(4, 3);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        append(writer, 100);
        cluster.await(writer.close());
        cluster.world.runFor(5 * SECOND); // Everything is flushed.
        BookieId damagedBookie = cluster.idOf(0);
        damage(cluster, 0, "entry 50");
        Set<String> told = new TreeSet<>();
        List<Throwable> reported = new ArrayList<>();
        cluster.world.onFailure((loop, failure) -> reported.add(failure));
        LedgerClient other = cluster.client("reader");
        other.onDamage((ledgerId, entryId, bookie) -> other.list(-1, 1).join());
        other.onDamage((ledgerId, entryId, bookie) -> told.add(ledgerId + " " + entryId + " " + bookie));
        LedgerReader reader = cluster.await(other.open(writer.ledgerId(), OpenOptions.DEFAULT));

        for (int round = 0; round < 3; round++) {
            cluster.await(reader.read(50, 1, 100)).close();
        }

        assertThat(told).containsExactly(writer.ledgerId() + " 50 " + damagedBookie);
        assertThat(reported)
                .as("a listener that waits is refused and keeps no other from being told (S-29)")
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void recoveryPassesOverAnEntryThatOneBookieCannotRead() { // S-02
        SimulatedCluster cluster = new SimulatedCluster(5, 3);
        LedgerWriter writer = cluster.await(silentClient(cluster, "writer").create(CreateOptions.DEFAULT));
        cluster.await(append(writer, 10).get(9));
        cluster.world.runFor(1_000_000); // The third copies are stored too.
        cluster.crash("writer");
        cluster.world.runFor(5 * SECOND);
        damage(cluster, 0, "entry 5x");
        cluster.crashBookie(1);
        cluster.crashBookie(2);

        // One bookie that cannot read entry 5 decides nothing of it.
        CompletableFuture<LedgerReader> early = cluster.client("early").recover(writer.ledgerId(), OpenOptions.DEFAULT);
        assertThat(cluster.world.runUntil(early::isDone, 30 * SECOND)).isTrue();
        assertThatThrownBy(early::join).hasCauseInstanceOf(LedgerException.NotEnoughBookies.class);

        cluster.restartBookie(1);
        LedgerReader reader = cluster.await(cluster.client("late").recover(writer.ledgerId(), OpenOptions.DEFAULT));
        checkAll(cluster, reader, 9);
    }

    // ---- bookies that die ----

    private static void killAndRestartAll(SimulatedCluster cluster, int bookies) {
        for (int i = 0; i < bookies; i++) {
            cluster.crashBookie(i);
        }
        for (int i = 0; i < bookies; i++) {
            cluster.restartBookie(i);
        }
        cluster.world.runFor(SECOND);
    }

    /** Fences a ledger by a recovery that dies before it has closed it. */
    private static void fenceOnly(SimulatedCluster cluster, long ledgerId) {
        FaultyLedgerStore store = new FaultyLedgerStore(
                cluster.world, cluster.session("recoverer").ledgers(), 1_000_000);
        cluster.client("recoverer", SimulatedCluster.settings(), store).recover(ledgerId, OpenOptions.DEFAULT);
        assertThat(cluster.world.runUntil(() -> stateOf(cluster, ledgerId) == LedgerState.IN_RECOVERY, SECOND))
                .isTrue();
        store.mode(FaultyLedgerStore.Mode.STALLED);
        cluster.world.runFor(SECOND);
        cluster.crash("recoverer");
        assertThat(stateOf(cluster, ledgerId)).isEqualTo(LedgerState.IN_RECOVERY);
    }

    private static LedgerState stateOf(SimulatedCluster cluster, long ledgerId) {
        return cluster.session("operator")
                .ledgers()
                .read(ledgerId)
                .join()
                .value()
                .state();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void fencesAndPublishedPositionsOutliveTheDeathOfAllBookies(long seed) { // S-07 (a) and (b)
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT));
        cluster.await(append(writer, 10).get(9));
        LedgerReader before = cluster.await(cluster.client("before").open(writer.ledgerId(), OpenOptions.DEFAULT));
        cluster.await(before.readTail(9, 1, 100, SECOND)).close();

        killAndRestartAll(cluster, 3);

        LedgerReader after = cluster.await(cluster.client("after").open(writer.ledgerId(), OpenOptions.DEFAULT));
        checkAll(cluster, after, 9);
        assertThat(after.isClosed()).isFalse();

        fenceOnly(cluster, writer.ledgerId());
        killAndRestartAll(cluster, 3);

        assertThatThrownBy(() -> cluster.await(writer.append(payload(10))))
                .hasCauseInstanceOf(LedgerException.Fenced.class);
    }

    @Test
    void aFenceOutlivesThousandsOfOtherLedgers() { // S-07 (c)
        SimulatedCluster cluster = new SimulatedCluster(6, 3);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(0)));
        fenceOnly(cluster, writer.ledgerId());

        for (int i = 0; i < 100; i++) {
            List<CompletableFuture<Long>> others = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                others.add(client.create(CreateOptions.DEFAULT).thenCompose(other -> other.append(payload(0))));
            }
            others.forEach(cluster::await);
        }

        assertThatThrownBy(() -> cluster.await(writer.append(payload(1))))
                .hasCauseInstanceOf(LedgerException.Fenced.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void theWriterOfADeletedLedgerIsRefusedAlsoAfterRestarts(long seed) { // S-06
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(0)));
        LedgerClient other = cluster.client("other");
        cluster.await(other.recover(writer.ledgerId(), OpenOptions.DEFAULT));
        cluster.await(other.delete(writer.ledgerId()));
        if (seed % 2 == 0) {
            killAndRestartAll(cluster, 3);
        }

        assertThatThrownBy(() -> cluster.await(writer.append(payload(1))))
                .hasCauseInstanceOf(LedgerException.Fenced.class);
        assertThatThrownBy(() -> cluster.await(other.open(writer.ledgerId(), OpenOptions.DEFAULT)))
                .hasCauseInstanceOf(LedgerException.LedgerGone.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void fiveThousandAppendsOutliveTheDeathOfTwoBookies(long seed) { // S-08
        SimulatedCluster cluster = new SimulatedCluster(seed, 9);
        LedgerWriter writer =
                cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT.withQuorums(new Quorums(5, 3, 2))));
        List<Long> acknowledged = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            writer.append(payload(i)).thenAccept(acknowledged::add);
        }
        List<BookieId> first = ensemble(cluster, writer.ledgerId());
        cluster.world.runFor(cluster.world.random("when").below(20_000_000));
        cluster.crashBookie(first.get((int) seed));
        cluster.world.runFor(cluster.world.random("then").below(500_000_000));
        cluster.crashBookie(first.get((int) seed + 1));

        assertThat(cluster.await(writer.close())).isEqualTo(4_999);
        assertThat(acknowledged).hasSize(5_000);
        for (int i = 0; i < 5_000; i++) {
            assertThat(acknowledged.get(i)).isEqualTo(i);
        }
        LedgerReader reader = cluster.await(cluster.client("reader").open(writer.ledgerId(), OpenOptions.DEFAULT));
        checkAll(cluster, reader, 4_999);
    }

    // ---- reads ----

    @Test
    void sixtyFourReadsOfOneEntryAreEachAnsweredOnce() { // S-08
        SimulatedCluster cluster = new SimulatedCluster(7, 3);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        append(writer, 3);
        cluster.await(writer.close());
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        List<CompletableFuture<LedgerEntries>> reads = new ArrayList<>();
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            int number = i;
            CompletableFuture<LedgerEntries> read = reader.read(1, 1, 100);
            read.whenComplete((entries, failure) -> answers.add(number));
            reads.add(read);
        }

        for (CompletableFuture<LedgerEntries> read : reads) {
            try (LedgerEntries entries = cluster.await(read)) {
                assertThat(entries.list().get(0).payload()).isEqualTo(payload(1));
            }
        }
        assertThat(answers).doesNotHaveDuplicates().hasSize(64);
    }

    @Test
    void aBookieThatLeftTheRegistryIsStillRead() { // P-89
        SimulatedCluster cluster = new SimulatedCluster(8, 3);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        append(writer, 3);
        cluster.await(writer.close());
        cluster.crashBookie(0);
        cluster.crashBookie(1);
        cluster.endSession(SimulatedCluster.bookieName(2)); // The bookie itself is well.
        cluster.world.runFor(10 * SECOND);

        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));

        checkAll(cluster, reader, 2);
    }
}
