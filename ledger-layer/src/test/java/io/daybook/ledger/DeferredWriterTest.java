// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.append;
import static io.daybook.ledger.LedgerClusterTest.checkAll;
import static io.daybook.ledger.LedgerClusterTest.payload;
import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.handle.Situations;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.Failures;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Writers that defer the sync, and force (P-72, B1, L2). The dialogues are in the transcripts {@code p72-….txt}. */
final class DeferredWriterTest {
    private static final CreateOptions DEFERRED = CreateOptions.DEFAULT.deferringSync();
    private static final int ENTRY_BYTES = 1_000;
    private static final int BOUND_BYTES = 64 * 1024;

    /** Slabs in which far more fits than the bounds of the client: nothing is synced for another reason. */
    private final SimulatedCluster cluster = new SimulatedCluster(7, 4, 1024 * 1024);

    private LedgerClient client(String bound) {
        Map<String, String> settings = Map.of(bound, BOUND_BYTES + "B", "ledger.loops", "1");
        return cluster.client(
                "bounded",
                SimulatedCluster.settings(settings),
                cluster.session("bounded").ledgers());
    }

    private List<CompletableFuture<Long>> fill(LedgerWriter writer, int count) {
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            appends.add(writer.append(Unpooled.buffer(ENTRY_BYTES).writeZero(ENTRY_BYTES)));
        }
        return appends;
    }

    @Test
    void appendsAreDoneBeforeTheyAreDurableAndConfirmedByAForce() {
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(DEFERRED));
        for (int i = 0; i < 20; i++) {
            assertThat(cluster.await(writer.append(payload(i)))).isEqualTo(i);
        }
        cluster.world.runFor(SECOND);
        assertThat(writer.lastAddConfirmed()).isEqualTo(-1);
        assertThat(writer.pendingBytes()).isPositive();

        assertThat(cluster.await(writer.force())).isEqualTo(19);

        assertThat(writer.lastAddConfirmed()).isEqualTo(19);
        assertThat(writer.pendingBytes()).isZero();
        cluster.world.runFor(SECOND);
        LedgerReader reader = cluster.await(cluster.client("reader").open(writer.ledgerId(), OpenOptions.DEFAULT));
        checkAll(cluster, reader, 19);
        assertThat(cluster.await(writer.close())).isEqualTo(19);
    }

    @Test
    void closingForcesFirst() {
        LedgerWriter writer = cluster.await(cluster.client("writer").create(DEFERRED));
        append(writer, 50);

        assertThat(cluster.await(writer.close())).isEqualTo(49);

        LedgerReader reader = cluster.await(cluster.client("reader").open(writer.ledgerId(), OpenOptions.DEFAULT));
        checkAll(cluster, reader, 49);
        assertThat(reader.metadata().lengthBytes()).isEqualTo(writer.lengthBytes());
        assertThat(cluster.await(writer.force())).isEqualTo(49);
    }

    @Test
    void whatWasForcedOutlivesTheCrashOfEveryBookieAtOnce() {
        LedgerWriter writer =
                cluster.await(cluster.client("writer").create(DEFERRED.withQuorums(new Quorums(3, 3, 2))));
        append(writer, 10);
        long forced = cluster.await(writer.force());
        for (int i = 10; i < 20; i++) {
            writer.append(payload(i));
        }
        cluster.world.runFor(SECOND / 10);

        cluster.crash("writer");
        for (int i = 0; i < 4; i++) {
            cluster.crashBookie(i);
        }
        for (int i = 0; i < 4; i++) {
            cluster.restartBookie(i);
        }

        LedgerReader reader = cluster.await(cluster.client("reader").recover(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(reader.lastAddConfirmed()).isGreaterThanOrEqualTo(forced);
        checkAll(cluster, reader, reader.lastAddConfirmed());
    }

    @Test
    void aForceIsNotDoneBeforeBookiesThatCrashedHaveTheEntriesAgain() {
        LedgerWriter writer =
                cluster.await(cluster.client("writer").create(DEFERRED.withQuorums(new Quorums(4, 4, 4))));
        append(writer, 10);
        cluster.world.runFor(SECOND / 10);
        cluster.crashBookie(0);
        cluster.crashBookie(1);

        CompletableFuture<Long> force = writer.force();
        cluster.world.runFor(SECOND);
        assertThat(force).isNotDone();
        cluster.restartBookie(0);
        cluster.restartBookie(1);

        assertThat(cluster.await(force)).isEqualTo(9);
        assertThat(cluster.world.faults().reached()).containsKey(Situations.ACCEPTED_IN_DOUBT);
        assertThat(cluster.await(cluster.client("reader").verify(writer.ledgerId(), OpenOptions.DEFAULT))
                        .isSound())
                .isTrue();
    }

    @Test
    void aWriterThatFillsItsBoundForcesByItself() {
        LedgerWriter writer = cluster.await(client("ledger.writer-bytes-max").create(DEFERRED));

        List<CompletableFuture<Long>> appends = fill(writer, BOUND_BYTES / ENTRY_BYTES * 3 / 2);
        cluster.world.runFor(10 * SECOND);

        assertThat(appends).allMatch(append -> append.isDone() && !append.isCompletedExceptionally());
        assertThat(writer.lastAddConfirmed()).isNotNegative();
        assertThat(cluster.world.faults().reached()).containsKey(Situations.FORCED_FOR_ROOM);
        assertThat(writer.pendingBytes()).isLessThan(BOUND_BYTES);
    }

    @Test
    void aWriterThatHoldsWhatOthersNeedForcesByItself() {
        LedgerClient client = client("ledger.client-bytes-max");
        LedgerWriter holder = cluster.await(client.create(DEFERRED));
        LedgerWriter other = cluster.await(client.create(CreateOptions.DEFAULT.on(holder.loop())));
        fill(holder, BOUND_BYTES / ENTRY_BYTES / 3);
        cluster.world.runFor(SECOND);

        List<CompletableFuture<Long>> appends = fill(other, 1_000);
        cluster.world.runFor(60 * SECOND);

        assertThat(appends).allMatch(append -> append.isDone() && !append.isCompletedExceptionally());
        assertThat(other.lastAddConfirmed()).isEqualTo(999);
    }

    @Test
    void aForceOfAnyOtherWriterWaitsForTheAppendsUnderWay() {
        LedgerWriter writer = cluster.await(cluster.client("writer").create(CreateOptions.DEFAULT));
        assertThat(cluster.await(writer.force())).isEqualTo(-1);
        append(writer, 5);

        assertThat(cluster.await(writer.force())).isEqualTo(4);
    }

    @Test
    void aForceFailsWithWhatMadeTheWriterFail() {
        LedgerWriter writer = cluster.await(cluster.client("writer").create(DEFERRED));
        cluster.await(writer.append(payload(0)));
        cluster.await(cluster.client("reader").recover(writer.ledgerId(), OpenOptions.DEFAULT));
        writer.append(payload(1));

        cluster.await(writer.failure());

        CompletableFuture<Long> force = writer.force();
        cluster.world.runFor(SECOND);
        assertThat(force).isCompletedExceptionally();
        assertThat(Failures.rootOf(force.handle((last, failure) -> failure).join()))
                .isInstanceOf(LedgerException.Fenced.class);
    }

    @Test
    void aWriterWithIdsOfItsCallerForcesUpToTheGap() { // P-71
        AdvancedLedgerWriter writer = cluster.await(cluster.client("writer").createAdvanced(DEFERRED));
        writer.append(1, payload(1));
        writer.append(0, payload(0));
        writer.append(3, payload(3));

        assertThat(cluster.await(writer.force())).isEqualTo(1);

        writer.append(2, payload(2));
        assertThat(cluster.await(writer.close())).isEqualTo(3);
    }
}
