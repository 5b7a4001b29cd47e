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

    /** Its appends wait for their turn on the loop, where the force is called. */
    @Test
    void forceOnTheLoopIsForWhatOthersHaveAppendedBefore() {
        LedgerWriter writer = cluster.await(cluster.client("writer").create(DEFERRED));
        CompletableFuture<Long> forced = new CompletableFuture<>();
        writer.loop().execute(() -> writer.force().thenAccept(forced::complete));
        append(writer, 5);
        assertThat(cluster.await(forced)).isEqualTo(4);

        AdvancedLedgerWriter advanced = cluster.await(cluster.client("giver").createAdvanced(DEFERRED));
        CompletableFuture<Long> forcedToo = new CompletableFuture<>();
        advanced.loop().execute(() -> advanced.force().thenAccept(forcedToo::complete));
        for (int i = 4; i >= 0; i--) {
            advanced.append(i, payload(i));
        }
        assertThat(cluster.await(forcedToo)).isEqualTo(4);
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
    void aWriterThatForcesForOthersNoticesThatItsBookieIsSilent() {
        LedgerClient client = client("ledger.client-bytes-max");
        CreateOptions single = CreateOptions.DEFAULT.withQuorums(new Quorums(1, 1, 1));
        LedgerWriter holder = cluster.await(client.create(single.deferringSync()));
        LedgerWriter other = cluster.await(client.create(single.on(holder.loop())));
        LedgerClient looker = cluster.client("looker");
        while (bookieOf(other, looker).equals(bookieOf(holder, looker))) {
            other = cluster.await(client.create(single.on(holder.loop())));
        }
        String silent = bookieOf(holder, looker);
        fill(holder, 10);
        cluster.world.runFor(SECOND);
        assertThat(holder.pendingBytes()).isPositive();

        cluster.world.network().clog(silent, "bounded");
        fill(other, BOUND_BYTES / ENTRY_BYTES);
        cluster.world.runFor(30 * SECOND);

        assertThat(holder.pendingBytes()).isZero();
    }

    private String bookieOf(LedgerWriter writer, LedgerClient looker) {
        LedgerReader reader = cluster.await(looker.open(writer.ledgerId(), OpenOptions.DEFAULT));
        return cluster.nameOf(reader.metadata().lastFragment().ensemble().get(0));
    }

    @Test
    void whatABookieHadNotTakenWhenItsLinkWasLostIsSentAgain() { // L2
        SimulatedCluster three = new SimulatedCluster(7, 3, 1024 * 1024);
        LedgerWriter writer = three.await(three.client("writer").create(DEFERRED.withQuorums(new Quorums(3, 3, 2))));
        three.await(writer.append(payload(0)));
        three.world.runFor(SECOND / 20);
        three.journal(2).faults().stick();
        three.await(writer.force());
        three.world.runFor(SECOND / 20);
        three.world.network().clog("writer", "bookie-2");
        three.await(writer.append(payload(1)));
        assertThat(writer.lastAddConfirmed()).isZero();
        // Its answer for entry 0 is its last: entry 1 does not reach it before the crash, and two others suffice.
        three.journal(2).faults().release();
        three.world.runFor(SECOND / 20);
        three.crashBookie(2);
        three.world.network().heal();
        three.restartBookie(2);
        three.world.runFor(SECOND);
        three.await(writer.append(payload(2)));
        three.world.runFor(5 * SECOND);

        assertThat(three.await(writer.force())).isEqualTo(2);
        three.world.runFor(SECOND);

        assertThat(three.await(three.client("reader").verify(writer.ledgerId(), OpenOptions.DEFAULT))
                        .soundCopies())
                .isEqualTo(9);
    }

    @Test
    void aForceOfBookiesThatHaveNothingToAnswerDoesNotHoldUpTheEnd() {
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(DEFERRED.withQuorums(new Quorums(4, 2, 2))));
        cluster.await(writer.append(payload(0)));
        cluster.await(writer.force());
        cluster.world.runFor(SECOND);

        cluster.world.await(client.shutdown(), SECOND / 10);
    }

    @Test
    void aClientThatShutsDownHasWhatWasTakenSynced() {
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(DEFERRED.withQuorums(new Quorums(3, 3, 2))));
        append(writer, 10);
        cluster.world.runFor(SECOND / 20);

        cluster.world.await(client.shutdown(), SECOND / 10);
        for (int i = 0; i < 4; i++) {
            cluster.crashBookie(i);
        }
        for (int i = 0; i < 4; i++) {
            cluster.restartBookie(i);
        }

        LedgerReader reader = cluster.await(cluster.client("reader").recover(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(reader.lastAddConfirmed()).isEqualTo(9);
    }

    @Test
    void answersToDeferredAddsDoNotCountForCopiesOfOthersThatAreUnderWay() {
        SimulatedCluster two = new SimulatedCluster(7, 2, 1024 * 1024);
        LedgerClient client = two.client("writer");
        Quorums quorums = new Quorums(2, 2, 1);
        LedgerWriter deferred = two.await(client.create(DEFERRED.withQuorums(quorums)));
        LedgerWriter other = two.await(
                client.create(CreateOptions.DEFAULT.withQuorums(quorums).on(deferred.loop())));
        append(deferred, 5);
        two.world.runFor(SECOND / 20);
        two.journal(1).faults().stick();
        two.await(deferred.force());
        two.world.network().clog("writer", "bookie-1");
        two.await(other.append(payload(0)));
        two.await(other.close());

        CompletableFuture<Void> shutdown = client.shutdown();
        two.journal(1).faults().release();
        two.world.runFor(SECOND / 20);
        assertThat(shutdown).isNotDone();
        two.world.network().heal();
        two.await(shutdown);

        assertThat(two.await(two.client("reader").verify(other.ledgerId(), OpenOptions.DEFAULT))
                        .soundCopies())
                .isEqualTo(2);
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
