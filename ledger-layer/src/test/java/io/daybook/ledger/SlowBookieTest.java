// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.handle.Situations;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.network.LinkQuality;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S-43, V9, P-68: bookies that acknowledge but are slower than the writer. */
final class SlowBookieTest {
    private static final int ENTRY_BYTES = 8 * 1024;
    private static final long WRITER_BYTES = 256 * 1024;
    private static final long BOOKIE_BYTES = 128 * 1024;
    private static final long MILLISECOND = 1_000_000;
    private static final long BYTES_PER_SECOND = 40_000;

    private static LedgerClient client(SimulatedCluster cluster) {
        Map<String, String> settings = Map.of(
                "ledger.writer-bytes-max", WRITER_BYTES + "B",
                "ledger.bookie-bytes-max", BOOKIE_BYTES + "B",
                "ledger.lag-timeout", "1s");
        return cluster.client(
                "writer",
                SimulatedCluster.settings(settings),
                cluster.session("writer").ledgers());
    }

    private static void slowDown(SimulatedCluster cluster, String bookie) {
        slowDown(cluster, bookie, BYTES_PER_SECOND);
    }

    private static void slowDown(SimulatedCluster cluster, String bookie, long bytesPerSecond) {
        cluster.world.network().quality("writer", bookie, new LinkQuality(30_000, 70_000, bytesPerSecond));
    }

    private static List<BookieId> ensemble(SimulatedCluster cluster, LedgerClient client, LedgerWriter writer) {
        return cluster.await(client.metadata(writer.ledgerId()))
                .value()
                .lastFragment()
                .ensemble();
    }

    private static LedgerWriter writerWithout(SimulatedCluster cluster, LedgerClient client, String bookie) {
        CreateOptions options = CreateOptions.DEFAULT.withQuorums(new Quorums(2, 2, 2));
        LedgerWriter writer = cluster.await(client.create(options));
        while (ensemble(cluster, client, writer).stream().map(cluster::nameOf).anyMatch(bookie::equals)) {
            cluster.await(writer.close());
            writer = cluster.await(client.create(options));
        }
        return writer;
    }

    /** An application that appends an entry every four milliseconds, when there is room, and never looks back. */
    private static final class Application {
        private final LedgerClient client;
        private final LedgerWriter writer;
        private final List<CompletableFuture<Long>> appends = new ArrayList<>();
        private long heldMax;

        private Application(LedgerClient client, LedgerWriter writer) {
            this.client = client;
            this.writer = writer;
            appendNext();
        }

        private void appendNext() {
            writer.loop().schedule(4 * MILLISECOND, () -> {
                heldMax = Math.max(heldMax, client.heldBytes());
                writer.ready().thenRun(() -> {
                    appends.add(writer.append(Unpooled.buffer(ENTRY_BYTES).writeZero(ENTRY_BYTES)));
                    appendNext();
                });
            });
        }

        private long acknowledged() {
            return writer.lastAddConfirmed() + 1;
        }
    }

    @ParameterizedTest
    @CsvSource({"1,3,3,2", "2,5,3,2", "3,3,2,1"})
    void oneSlowBookieHoldsUpTheWriterOnceAndMemoryStaysBounded(long seed, int size, int write, int ack) {
        SimulatedCluster cluster = new SimulatedCluster(seed, size);
        LedgerClient client = client(cluster);
        LedgerWriter writer =
                cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(new Quorums(size, write, ack))));
        List<BookieId> before = ensemble(cluster, client, writer);
        slowDown(cluster, "bookie-1");

        Application application = new Application(client, writer);
        cluster.world.runFor(10 * SECOND);
        long atTenSeconds = application.acknowledged();
        cluster.world.runFor(10 * SECOND);

        assertThat(cluster.world.faults().reached()).containsKey(Situations.MEMBER_TOO_SLOW);
        // Ten seconds at the pace of the application, though its bookie would take forty times as long for as much.
        assertThat(application.acknowledged() - atTenSeconds).isGreaterThan(2_200);
        assertThat(application.heldMax).isLessThan(WRITER_BYTES + BOOKIE_BYTES + 4 * ENTRY_BYTES);
        assertThat(writer.failure()).isNotDone();
        assertThat(ensemble(cluster, client, writer)).isEqualTo(before);
        long end = cluster.await(writer.close());
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        cluster.await(reader.read(end, 1, 1)).close();
    }

    @ParameterizedTest
    @CsvSource({"1,3,3,2", "2,3,3,3"})
    void aSlowBookieIsReplacedByASpare(long seed, int size, int write, int ack) {
        SimulatedCluster cluster = new SimulatedCluster(seed, size + 1);
        LedgerClient client = client(cluster);
        LedgerWriter writer =
                cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(new Quorums(size, write, ack))));
        BookieId slow = ensemble(cluster, client, writer).get(1);
        slowDown(cluster, cluster.nameOf(slow));

        Application application = new Application(client, writer);
        cluster.world.runFor(8 * SECOND);

        assertThat(ensemble(cluster, client, writer)).doesNotContain(slow);
        assertThat(application.acknowledged()).isGreaterThan(1_000);
        assertThat(writer.failure()).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsHeldForASlowBookieThatIsTriedAgainIsBoundedWhileTheOthersFallBehindToo(long seed) { // V10
        SimulatedCluster cluster = new SimulatedCluster(seed, 3);
        LedgerClient client = client(cluster);
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        slowDown(cluster, "bookie-1");
        Application application = new Application(client, writer);
        cluster.world.runFor(5 * SECOND);
        assertThat(cluster.world.faults().reached()).containsKey(Situations.MEMBER_TOO_SLOW);

        slowDown(cluster, "bookie-0", 45 * BYTES_PER_SECOND);
        slowDown(cluster, "bookie-2", 45 * BYTES_PER_SECOND);
        Application other = new Application(client, writerWithout(cluster, client, "bookie-1"));
        long before = application.acknowledged();
        cluster.world.runFor(20 * SECOND);

        assertThat(application.heldMax).isLessThan(2 * WRITER_BYTES + 3 * BOOKIE_BYTES + 4 * ENTRY_BYTES);
        assertThat(application.acknowledged() - before).isGreaterThan(1_000);
        assertThat(other.acknowledged()).isGreaterThan(1_000);
        assertThat(writer.failure()).isNotDone();
    }

    @Test
    void aSlowBookieThatFallsSilentIsUsedAgainWhenItIsBack() { // V10
        SimulatedCluster cluster = new SimulatedCluster(4, 3);
        LedgerClient client = client(cluster);
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        slowDown(cluster, "bookie-1");
        Application application = new Application(client, writer);
        cluster.world.runFor(5 * SECOND);
        assertThat(cluster.world.faults().reached()).containsKey(Situations.MEMBER_TOO_SLOW);
        cluster.world.network().halfOpen("writer", "bookie-1", 600 * SECOND);
        cluster.world.network().quality("writer", "bookie-1", LinkQuality.LOCAL);

        cluster.world.runFor(10 * SECOND);
        cluster.crashBookie(0); // Now bookie-1 is needed.
        long before = application.acknowledged();
        cluster.world.runFor(5 * SECOND);

        assertThat(application.acknowledged()).isGreaterThan(before + 500);
        assertThat(writer.failure()).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whenAllBookiesAreSlowTheWriterIsSlowAndNobodyIsReplaced(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 5);
        LedgerClient client = client(cluster);
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        List<BookieId> before = ensemble(cluster, client, writer);
        for (int i = 0; i < 5; i++) {
            slowDown(cluster, SimulatedCluster.bookieName(i));
        }

        Application application = new Application(client, writer);
        cluster.world.runFor(30 * SECOND);

        assertThat(cluster.world.faults().reached()).doesNotContainKey(Situations.MEMBER_TOO_SLOW);
        assertThat(ensemble(cluster, client, writer)).isEqualTo(before);
        assertThat(application.acknowledged()).isBetween(80L, 200L);
        assertThat(application.heldMax).isLessThan(WRITER_BYTES + 3 * BOOKIE_BYTES + 4 * ENTRY_BYTES);
        assertThat(writer.failure()).isNotDone();
    }

    @Test
    void whoNeverWaitsForRoomIsRefusedAnUnbrokenRunUntilHeWaits() {
        SimulatedCluster cluster = new SimulatedCluster(1, 3);
        LedgerClient client = client(cluster);
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            appends.add(writer.append(Unpooled.buffer(ENTRY_BYTES).writeZero(ENTRY_BYTES)));
        }

        cluster.await(writer.ready());
        long next = cluster.await(writer.append(Unpooled.buffer(1).writeZero(1)));

        int taken = (int) next;
        assertThat(taken).isBetween(44, 50);
        assertThat(appends.subList(0, taken))
                .allMatch(CompletableFuture::isDone)
                .noneMatch(each -> each.isCompletedExceptionally());
        for (CompletableFuture<Long> refused : appends.subList(taken, 200)) {
            assertThat(refused.handle((id, failure) -> Failures.rootOf(failure)).join())
                    .isInstanceOf(LedgerException.NoRoom.class);
        }
    }

    @Test
    void appendsThatWaitAreMadeBeforeTheLedgerIsClosed() {
        SimulatedCluster cluster = new SimulatedCluster(1, 3);
        LedgerClient client = client(cluster);
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            appends.add(writer.append(Unpooled.buffer(ENTRY_BYTES).writeZero(ENTRY_BYTES)));
        }

        CompletableFuture<Long> closed = writer.close();

        assertThat(cluster.await(closed)).isEqualTo(39);
        assertThat(cluster.world.faults().reached()).containsKey(Situations.APPEND_WAITED);
        assertThat(appends.get(39)).isCompletedWithValue(39L);
        assertThat(cluster.await(writer.ready())).isNull();
    }

    @Test
    void appendsThatWaitForRoomEndWithTheWriter() { // L14
        SimulatedCluster cluster = new SimulatedCluster(1, 3);
        LedgerClient client = client(cluster);
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            appends.add(writer.append(Unpooled.buffer(ENTRY_BYTES).writeZero(ENTRY_BYTES)));
        }

        cluster.await(client.shutdown());

        CompletableFuture<LedgerException.Outcome> last = appends.get(39)
                .handle((id, failure) -> failure instanceof LedgerException known ? known.outcome() : null);
        assertThat(last).isCompletedWithValue(LedgerException.Outcome.FAILED);
        assertThat(appends).allMatch(CompletableFuture::isDone);
        assertThat(client.heldBytes()).isZero();
    }
}
