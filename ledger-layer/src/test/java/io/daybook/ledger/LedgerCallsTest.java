// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.append;
import static io.daybook.ledger.LedgerClusterTest.checkAll;
import static io.daybook.ledger.LedgerClusterTest.payload;
import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.api.WaitFor;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Failures;
import io.netty.buffer.Unpooled;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a ledger client can be asked for, beyond plain writing and reading. */
final class LedgerCallsTest {
    private static final long LONG_WAIT = 100_000 * SECOND;

    private final SimulatedCluster cluster = new SimulatedCluster(5, 5);
    private final LedgerClient client = cluster.client("writer");

    private static <T> Throwable failureOf(CompletableFuture<T> call) {
        assertThat(call).isDone();
        return Objects.requireNonNull(
                Failures.rootOf(call.handle((value, failure) -> failure).join()));
    }

    private List<BookieId> ensemble(long ledgerId) {
        return cluster.await(client.metadata(ledgerId)).value().lastFragment().ensemble();
    }

    // ---- ids given by the caller ----

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void entriesGivenInAnyOrderAreAcknowledgedInTheOrderOfTheirIds(long seed) { // P-71
        AdvancedLedgerWriter writer = cluster.await(client.createAdvanced(CreateOptions.DEFAULT));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(seed));
        List<Long> acknowledged = new ArrayList<>();
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int id : order) {
            CompletableFuture<Long> append = writer.append(id, payload(id));
            append.thenAccept(acknowledged::add);
            appends.add(append);
        }

        assertThat(cluster.await(writer.close())).isEqualTo(99);

        assertThat(acknowledged).hasSize(100).isSorted();
        assertThat(appends).allMatch(CompletableFuture::isDone);
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        checkAll(cluster, reader, 99);
        assertThat(reader.metadata().lengthBytes()).isEqualTo(writer.lengthBytes());
    }

    @Test
    void aGapHoldsBackWhatFollowsAndClosingDropsIt() { // P-71
        AdvancedLedgerWriter writer = cluster.await(client.createAdvanced(CreateOptions.DEFAULT));
        CompletableFuture<Long> first = writer.append(0, payload(0));
        CompletableFuture<Long> beyond = writer.append(2, payload(2));
        cluster.world.runFor(SECOND);
        assertThat(first).isCompletedWithValue(0L);
        assertThat(beyond).isNotDone();

        assertThat(cluster.await(writer.close())).isZero();

        cluster.world.runFor(SECOND);
        assertThat(failureOf(beyond))
                .isInstanceOfSatisfying(
                        LedgerException.HandleClosed.class,
                        closed -> assertThat(closed.outcome()).isEqualTo(Outcome.FAILED));
    }

    @Test
    void anIdIsTakenOnceAndARefusalHarmsNobody() { // P-71
        AdvancedLedgerWriter writer = cluster.await(client.createAdvanced(CreateOptions.DEFAULT));
        cluster.await(writer.append(0, payload(0)));
        CompletableFuture<Long> waiting = writer.append(2, payload(2));

        CompletableFuture<Long> acknowledgedAgain = writer.append(0, payload(7));
        CompletableFuture<Long> waitingAgain = writer.append(2, payload(7));
        CompletableFuture<Long> tooLarge =
                writer.append(1, Unpooled.buffer(3_000_000).writeZero(3_000_000));
        cluster.world.runFor(SECOND);

        assertThat(failureOf(acknowledgedAgain)).isInstanceOf(LedgerException.DuplicateEntry.class);
        assertThat(failureOf(waitingAgain)).isInstanceOf(LedgerException.DuplicateEntry.class);
        assertThat(failureOf(tooLarge)).isInstanceOf(LedgerException.TooLarge.class);
        cluster.await(writer.append(1, payload(1)));
        assertThat(cluster.await(waiting)).isEqualTo(2);
        assertThatThrownBy(() -> writer.append(-1, payload(1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void beyondAGapOnlySoMuchIsHeldAsAWriterMayHold() {
        LedgerClient small = cluster.client(
                "small",
                SimulatedCluster.settings(Map.of("ledger.writer-bytes-max", "64KiB")),
                cluster.session("small").ledgers());
        AdvancedLedgerWriter writer = cluster.await(small.createAdvanced(CreateOptions.DEFAULT));
        int bytes = 4 * 1024;
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            appends.add(writer.append(i, Unpooled.buffer(bytes).writeZero(bytes)));
        }
        cluster.world.runFor(SECOND);

        assertThat(appends.subList(0, 16)).noneMatch(CompletableFuture::isDone);
        assertThat(failureOf(appends.get(16))).isInstanceOf(LedgerException.NoRoom.class);
        cluster.await(writer.ready());
        cluster.await(writer.append(0, payload(0)));
        assertThat(cluster.await(appends.get(15))).isEqualTo(16);
    }

    @Test
    void whatWaitsBeyondAGapEndsWithTheWriter() {
        AdvancedLedgerWriter writer = cluster.await(client.createAdvanced(CreateOptions.DEFAULT));
        CompletableFuture<Long> beyond = writer.append(2, payload(2));
        cluster.await(cluster.client("other").fence(writer.ledgerId()));

        CompletableFuture<Long> refused = writer.append(0, payload(0));
        cluster.world.runFor(SECOND);

        assertThat(failureOf(refused)).isInstanceOf(LedgerException.Fenced.class);
        assertThat(failureOf(beyond))
                .isInstanceOfSatisfying(
                        LedgerException.Fenced.class,
                        fenced -> assertThat(fenced.outcome()).isEqualTo(Outcome.FAILED));
    }

    // ---- the id of the ledger ----

    @Test
    void aLedgerGetsTheIdThatIsWantedAndNoOtherLedgerEverDoes() { // L13
        long wanted = 1L << 53;
        CreateOptions options = CreateOptions.DEFAULT.withLedgerId(wanted);
        LedgerWriter writer = cluster.await(client.create(options));
        assertThat(writer.ledgerId()).isEqualTo(wanted);
        cluster.await(writer.close());
        CompletableFuture<LedgerWriter> second = client.create(options);
        cluster.world.runFor(SECOND);
        assertThat(failureOf(second)).isInstanceOf(LedgerException.LedgerExists.class);

        cluster.await(client.delete(wanted));

        CompletableFuture<LedgerWriter> third = client.create(options);
        cluster.world.runFor(SECOND);
        assertThat(failureOf(third)).isInstanceOf(LedgerException.LedgerExists.class);
        assertThatThrownBy(() -> CreateOptions.DEFAULT.withLedgerId(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- waiting for all copies ----

    @Test
    void aWriterThatWaitsForAllCopiesIsAcknowledgedWhenASpareHasThem() { // D20
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT.waitingFor(WaitFor.WRITE_QUORUM)));
        cluster.await(writer.append(payload(0)));
        BookieId lost = ensemble(writer.ledgerId()).get(1);
        cluster.crashBookie(lost);

        assertThat(cluster.await(writer.append(payload(1)))).isEqualTo(1);

        assertThat(ensemble(writer.ledgerId())).doesNotContain(lost);
        assertThat(cluster.await(writer.close())).isEqualTo(1);
        LedgerReport report = cluster.await(client.verify(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(report.flaws()).allMatch(flaw -> flaw.bookie().equals(lost));
    }

    @Test
    void anOpenLedgerIsNotVerifiedWhileTooFewBookiesTellHowFarItGoes() { // S-02
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        for (int i = 0; i < 10; i++) {
            cluster.await(writer.append(payload(i)));
        }
        ensemble(writer.ledgerId()).forEach(cluster::crashBookie);

        CompletableFuture<LedgerReport> report =
                cluster.client("verifier").verify(writer.ledgerId(), OpenOptions.DEFAULT);
        cluster.world.runFor(20 * SECOND);

        assertThat(failureOf(report)).isInstanceOf(LedgerException.NotEnoughBookies.class);
    }

    @Test
    void withoutASpareItDoesNotSettleForFewerCopies() { // D20
        Quorums all = new Quorums(5, 5, 2);
        LedgerWriter writer = cluster.await(
                client.create(CreateOptions.DEFAULT.withQuorums(all).waitingFor(WaitFor.WRITE_QUORUM)));
        cluster.await(writer.append(payload(0)));
        cluster.crashBookie(3);

        CompletableFuture<Long> append = writer.append(payload(1));
        cluster.world.runFor(20 * SECOND);

        assertThat(failureOf(append)).isInstanceOf(LedgerException.NotEnoughBookies.class);
        LedgerReader reader = cluster.await(cluster.client("reader").recover(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(reader.lastAddConfirmed()).isEqualTo(1); // Four copies there are.
    }

    // ---- fencing and verifying ----

    @Test
    void aFencedWriterAcknowledgesNothingMoreAndTheEndIsDecidedLater() { // L5
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        append(writer, 10);
        cluster.await(writer.append(payload(10)));
        LedgerClient other = cluster.client("other");

        cluster.await(other.fence(writer.ledgerId()));

        CompletableFuture<Long> append = writer.append(payload(11));
        cluster.world.runFor(SECOND);
        assertThat(failureOf(append)).isInstanceOf(LedgerException.Fenced.class);
        LedgerReader reader = cluster.await(other.recover(writer.ledgerId(), OpenOptions.DEFAULT));
        checkAll(cluster, reader, 10);
        cluster.await(other.fence(writer.ledgerId())); // Of a closed ledger nothing changes.
        assertThat(cluster.await(other.metadata(writer.ledgerId())).value().lastEntryId())
                .isEqualTo(10);
        CompletableFuture<Void> ofNone = other.fence(777);
        cluster.world.runFor(SECOND);
        assertThat(failureOf(ofNone)).isInstanceOf(LedgerException.LedgerGone.class);
    }

    @Test
    void fencingFailsInTimeWhenTooFewBookiesAnswer() { // V7
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(0)));
        ensemble(writer.ledgerId()).subList(0, 2).forEach(cluster::crashBookie);

        CompletableFuture<Void> fence = cluster.client("other").fence(writer.ledgerId());
        cluster.world.runFor(20 * SECOND);

        assertThat(failureOf(fence))
                .isInstanceOf(LedgerException.NotEnoughBookies.class)
                .hasMessageContaining("1 of 3");
    }

    @Test
    void verifyingNamesTheBookieAndTheEntriesThatItLacks() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(new Quorums(3, 2, 2))));
        append(writer, 30);
        cluster.await(writer.close());
        LedgerReport sound = cluster.await(client.verify(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThat(sound.isSound()).isTrue();
        assertThat(sound.soundCopies()).isEqualTo(60);
        assertThat(sound.lastEntryId()).isEqualTo(29);
        List<BookieId> members = ensemble(writer.ledgerId());
        cluster.crashBookie(members.get(2));

        LedgerReport report = cluster.await(client.verify(writer.ledgerId(), OpenOptions.DEFAULT));

        assertThat(report.soundCopies()).isEqualTo(40);
        assertThat(report.flawedCopies()).isEqualTo(20);
        assertThat(report.flaws()).hasSize(1);
        assertThat(report.flaws().get(0))
                .isEqualTo(new LedgerReport.Flaw(members.get(2), 1, 29, LedgerReport.Kind.UNREADABLE));
    }

    // ---- handles ----

    @Test
    void aReaderFollowsAnEnsembleThatWasRepaired() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        append(writer, 20);
        cluster.await(writer.close());
        LedgerClient other = cluster.client("reader");
        LedgerReader reader = cluster.await(other.open(writer.ledgerId(), OpenOptions.DEFAULT));
        LedgerWriter copy = cluster.await(client.create(CreateOptions.DEFAULT));
        Versioned<LedgerMetadata> before = cluster.await(client.metadata(writer.ledgerId()));
        List<BookieId> members = before.value().lastFragment().ensemble();
        List<BookieId> spares = ensemble(copy.ledgerId()).stream()
                .filter(each -> !members.contains(each))
                .toList();

        // As repair does, but for the copying: the member that is left holds everything.
        List<BookieId> repaired = List.of(spares.get(0), members.get(1), members.get(2));
        LedgerMetadata after = before.value()
                .withClosed(19, before.value().lengthBytes(), List.of(new Fragment(0, repaired)), new WriteToken(1, 1));
        cluster.await(cluster.session("operator").ledgers().replace(after, before.version()));
        cluster.crashBookie(members.get(0));

        checkAll(cluster, reader, 19);
        cluster.crashBookie(members.get(1));
        checkAll(cluster, reader, 19);
    }

    @Test
    void aTailReadThatIsCancelledIsForgotten() throws InterruptedException {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        WeakReference<CompletableFuture<LedgerEntries>> cancelled = cancelledTail(reader);

        cluster.world.runFor(5 * SECOND);

        for (int i = 0; i < 100 && cancelled.get() != null; i++) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(cancelled.get()).isNull();
        assertThat(reader.lastAddConfirmed()).isEqualTo(-1);
    }

    private WeakReference<CompletableFuture<LedgerEntries>> cancelledTail(LedgerReader reader) {
        CompletableFuture<LedgerEntries> tail = reader.readTail(0, 1, 100, LONG_WAIT);
        cluster.world.runFor(SECOND);
        tail.cancel(false);
        return new WeakReference<>(tail);
    }

    // ---- how far a ledger is confirmed ----

    @Test
    void aRefreshSaysHowFarTheLedgerIsConfirmedOrThatTooFewBookiesAnswer() { // L10
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        append(writer, 20);
        cluster.world.runFor(SECOND);
        List<BookieId> ensemble = ensemble(writer.ledgerId());
        LedgerClient other = cluster.client("reader");
        LedgerReader reader = cluster.await(other.open(writer.ledgerId(), OpenOptions.DEFAULT));
        cluster.crash("writer");

        cluster.crashBookie(ensemble.get(0));
        assertThat(cluster.await(reader.refresh())).isEqualTo(19);
        cluster.crashBookie(ensemble.get(1));

        assertThatThrownBy(() -> cluster.await(reader.refresh()))
                .hasCauseInstanceOf(LedgerException.NotEnoughBookies.class)
                .hasMessageContaining("at least up to 19");
        LedgerReader late = cluster.await(other.open(writer.ledgerId(), OpenOptions.DEFAULT));
        checkAll(cluster, late, 19); // What the last one knows can be read all the same.
    }

    @Test
    void aRefreshAsksNoMoreBookiesThanTheWriterNeeds() { // V3: Qa = 1
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(new Quorums(5, 5, 1))));
        List<BookieId> ensemble = ensemble(writer.ledgerId());
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        ensemble.subList(1, 5).forEach(cluster::crashBookie);

        List<CompletableFuture<Long>> appends = append(writer, 20);
        cluster.await(appends.get(19));
        cluster.world.runFor(SECOND);

        assertThat(cluster.await(reader.refresh())).isEqualTo(19);
    }

    @Test
    void callsEndInTimeThoughMetadataNeverAnswers() { // V7
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(0)));
        FaultyLedgerStore store =
                new FaultyLedgerStore(cluster.world, cluster.session("mute").ledgers(), 1_000_000);
        LedgerClient mute = cluster.client("mute", SimulatedCluster.settings(), store);
        LedgerWriter other = cluster.await(mute.create(CreateOptions.DEFAULT));
        store.mode(FaultyLedgerStore.Mode.STALLED);

        List<CompletableFuture<?>> changes = List.of(
                mute.recover(writer.ledgerId(), OpenOptions.DEFAULT), mute.fence(writer.ledgerId()), other.close());
        cluster.world.runFor(25 * SECOND);

        for (CompletableFuture<?> change : changes) {
            assertThat(failureOf(change)).isInstanceOf(LedgerException.class);
        }
    }

    @Test
    void anEntryThatNoBookieTakesEndsTheWriterAtOnce() { // S-48: different limits on client and bookie
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(0)));

        CompletableFuture<Long> append = writer.append(Unpooled.buffer(200_000).writeZero(200_000));
        cluster.world.runFor(SECOND);

        assertThat(failureOf(append))
                .isInstanceOf(LedgerException.TooLarge.class)
                .hasMessageContaining("slab-bytes");
    }
}
