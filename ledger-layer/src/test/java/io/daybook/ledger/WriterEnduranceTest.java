// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.payload;
import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.simulated.network.LinkQuality;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writers on bookies that are slow, or out of reach for a while, and of which none can be spared. */
final class WriterEnduranceTest {
    private static final CreateOptions ONE_COPY = CreateOptions.DEFAULT.withQuorums(new Quorums(1, 1, 1));

    /** Every way takes so long that no answer comes within the silence time-out. */
    private static void slowDown(SimulatedCluster cluster) {
        cluster.world.network().quality(new LinkQuality(350_000_000, 10_000_000, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theFirstAppendOutlastsAHandshakeThatIsSlowerThanTheSilenceTimeout(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 1);
        LedgerWriter writer = cluster.await(cluster.client(
                        "writer",
                        LedgerClientConfig.defaults(),
                        cluster.session("writer").ledgers())
                .create(ONE_COPY));
        slowDown(cluster);

        CompletableFuture<Long> first = writer.append(payload(0));

        assertThat(cluster.await(first)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void appendsAreAcknowledgedByABookieThatBecameSlow(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 1);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(ONE_COPY));
        cluster.await(writer.append(payload(0)));
        slowDown(cluster);

        List<CompletableFuture<Long>> appends = LedgerClusterTest.append(writer, 30);

        assertThat(cluster.await(appends.get(29))).isEqualTo(30);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatWasConfirmedLastIsSeenThoughItsPublicationWasLost(long seed) { // V3
        SimulatedCluster cluster = new SimulatedCluster(seed, 1);
        LedgerWriter writer = cluster.await(cluster.client("writer").create(ONE_COPY));
        CompletableFuture<Long> append = writer.append(payload(0));
        append.thenAccept(id -> cluster.world.network().clog("writer", "bookie-0"));
        cluster.await(append);
        cluster.world.network().reset("writer", "bookie-0");
        cluster.world.network().heal();
        LedgerReader reader = cluster.await(cluster.client("reader").open(writer.ledgerId(), OpenOptions.DEFAULT));

        var entries = cluster.await(reader.readTail(0, 1, 100, 5 * SECOND));

        assertThat(entries.list()).hasSize(1);
        entries.close();
    }

    /** A closed ledger of two entries; one copy of the second cannot reach its bookie. */
    private static LedgerWriter twoCopiesWithOneUnderWay(SimulatedCluster cluster, LedgerClient client) {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(new Quorums(2, 2, 1))));
        cluster.await(writer.append(payload(0)));
        cluster.world.runFor(SECOND);
        cluster.world.network().clog("writer", "bookie-1");
        cluster.await(writer.append(payload(1)));
        cluster.await(writer.close());
        return writer;
    }

    /** A program that appends, closes and ends at once. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aClientThatShutsDownLeavesEveryCopy(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 2);
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = twoCopiesWithOneUnderWay(cluster, client);

        CompletableFuture<Void> shutdown = client.shutdown();
        cluster.world.runFor(100_000_000L);
        assertThat(shutdown).isNotDone();
        cluster.world.network().heal();
        cluster.await(shutdown);

        LedgerReport report = cluster.await(cluster.client("reader").verify(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(report.flaws()).isEmpty();
        assertThat(report.soundCopies()).isEqualTo(4);
    }

    @Test
    void aClientThatShutsDownWaitsForNoBookieThatStaysSilent() {
        SimulatedCluster cluster = new SimulatedCluster(4, 2);
        LedgerClient client = cluster.client("writer");
        twoCopiesWithOneUnderWay(cluster, client);

        CompletableFuture<Void> shutdown = client.shutdown();

        cluster.world.await(shutdown, 2 * SECOND);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void linksThatCarryNothingAnyMoreAreGivenUp(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 1);
        LedgerClientConfig config = LedgerClientConfig.defaults();
        LedgerClient client =
                cluster.client("writer", config, cluster.session("writer").ledgers());
        LedgerWriter writer = cluster.await(client.create(ONE_COPY));
        cluster.await(writer.append(payload(0)));
        cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT)); // So that there is a link for reads too.
        cluster.world.network().halfOpen("writer", "bookie-0", 600 * SECOND);

        CompletableFuture<Long> append = writer.append(payload(1));

        assertThat(cluster.await(append)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void closeEndsInTimeThoughMetadataIsGoneDuringAnEnsembleChange(long seed) { // V7
        SimulatedCluster cluster = new SimulatedCluster(seed, 4);
        FaultyLedgerStore store =
                new FaultyLedgerStore(cluster.world, cluster.session("writer").ledgers(), 1_000_000);
        LedgerClient client = cluster.client("writer", SimulatedCluster.settings(), store);
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(0)));
        var ensemble = cluster.await(client.metadata(writer.ledgerId()))
                .value()
                .lastFragment()
                .ensemble();
        store.mode(FaultyLedgerStore.Mode.STALLED);
        CompletableFuture<Long> append = writer.append(payload(1));
        append.whenComplete((id, failure) -> cluster.crashBookie(ensemble.get(0)));
        cluster.await(append);
        writer.append(payload(2));
        cluster.world.runFor(SECOND);

        CompletableFuture<Long> closed = writer.close();

        assertThat(cluster.world.runUntil(closed::isDone, 10 * SECOND)).isTrue();
    }
}
