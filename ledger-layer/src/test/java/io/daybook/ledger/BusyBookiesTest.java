// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.LedgerReport.Flaw;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.runtime.Failures;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** S-44: bookies that have too much to do to answer reads say so, and that says nothing of what they hold. */
final class BusyBookiesTest {
    private static final int ENTRIES = 5;

    private final StoredLedger stored = new StoredLedger(new Quorums(3, 3, 2), 0);
    private final LedgerClient client = stored.client("reader");
    private long ledgerId;

    @BeforeEach
    void closeTheLedger() {
        for (int slot = 0; slot < 3; slot++) {
            for (int entryId = 0; entryId < ENTRIES; entryId++) {
                stored.store(slot, entryId, entryId - 1);
            }
            stored.startMember(slot);
        }
        ledgerId = stored.recover("recoverer").join().ledgerId();
    }

    private void makeBusy(int... slots) {
        for (int slot : slots) {
            stored.bookie(slot).refuse("READ", StatusCode.BUSY);
        }
    }

    private <T> T await(CompletableFuture<T> future) {
        return stored.world().await(future, 300 * SECOND);
    }

    @Test
    void aVerificationAsksABusyBookieUntilItAnswers() {
        makeBusy(0, 1, 2);
        CompletableFuture<LedgerReport> report = client.verify(ledgerId, OpenOptions.DEFAULT);
        stored.world().runFor(10 * SECOND);
        assertThat(report).isNotDone();

        for (int slot = 0; slot < 3; slot++) {
            stored.bookie(slot).accept();
        }

        assertThat(await(report)).isEqualTo(new LedgerReport(ledgerId, 4, 15, 0, List.of()));
    }

    @Test
    void aVerificationEndsAlsoWhenABookieIsBusyForEver() { // V7
        makeBusy(1);

        LedgerReport report = await(client.verify(ledgerId, OpenOptions.DEFAULT));

        assertThat(report.soundCopies()).isEqualTo(10);
        assertThat(report.flawedCopies()).isEqualTo(5);
        assertThat(report.flaws())
                .containsExactly(new Flaw(
                        stored.metadata().lastFragment().ensemble().get(1), 0, 4, LedgerReport.Kind.UNREADABLE));
    }

    @Test
    void aVerificationOfAVeryLongLedgerWhoseBookiesAreAllGoneEndsSoon() {
        long length = 1L << 40;
        StoredLedger lost = new StoredLedger(new Quorums(5, 3, 2), length);
        lost.close(length - 1);

        LedgerReport report = lost.world()
                .await(lost.client("reader").verify(lost.metadata().ledgerId(), OpenOptions.DEFAULT), 300 * SECOND);

        assertThat(report.lastEntryId()).isEqualTo(length - 1);
        assertThat(report.soundCopies()).isZero();
        assertThat(report.flawedCopies()).isEqualTo(3 * length);
        assertThat(report.flaws()).hasSize(5).allMatch(flaw -> flaw.kind() == LedgerReport.Kind.UNREADABLE);
    }

    @Test
    void aSilentBookieOfManyFragmentsIsWaitedForAFewTimesInAll() {
        StoredLedger many = fragmented(900, 1);
        many.bookie(1).hold("READ");

        LedgerReport report = many.world()
                .await(many.client("reader").verify(many.metadata().ledgerId(), OpenOptions.DEFAULT), 300 * SECOND);

        assertThat(many.bookie(1).heldCount()).isBetween(1, 5);
        assertThat(report.soundCopies()).isEqualTo(2 * 900);
        assertThat(report.flawedCopies()).isEqualTo(900);
        BookieId silent = many.metadata().lastFragment().ensemble().get(1);
        assertThat(report.flaws())
                .hasSize(900)
                .allMatch(flaw -> flaw.bookie().equals(silent) && flaw.kind() == LedgerReport.Kind.UNREADABLE);
    }

    @Test
    void aBookieThatIsBusyForEverIsWaitedForOnceThoughItIsInManyFragments() { // V7
        StoredLedger many = fragmented(20, 2);
        many.bookie(1).refuse("READ", StatusCode.BUSY);

        LedgerReport report = many.world()
                .await(many.client("reader").verify(many.metadata().ledgerId(), OpenOptions.DEFAULT), 60 * SECOND);

        assertThat(report.soundCopies()).isEqualTo(2 * 40);
        assertThat(report.flawedCopies()).isEqualTo(40);
    }

    @Test
    void aBookieThatCannotBeReachedForAMomentIsAskedAgainInLaterFragments() {
        StoredLedger many = fragmented(900, 1);
        many.bookie(0).hold("READ 100");
        CompletableFuture<LedgerReport> report =
                many.client("reader").verify(many.metadata().ledgerId(), OpenOptions.DEFAULT);
        many.world().runUntil(() -> many.bookie(0).heldCount() > 0, 60 * SECOND);
        many.restartMember(1);
        many.bookie(0).release();

        LedgerReport found = many.world().await(report, 300 * SECOND);

        assertThat(found.soundCopies() + found.flawedCopies()).isEqualTo(3 * 900);
        assertThat(found.flawedCopies()).isLessThan(600);
    }

    @Test
    void aBookieThatAnswersInBetweenIsNotGivenUpForAFewTimeOuts() {
        StoredLedger many = fragmented(20, 2);
        IntStream.range(0, 5).forEach(i -> many.bookie(1).hold("READ " + 4 * i + "-" + (4 * i + 1)));

        LedgerReport report = many.world()
                .await(many.client("reader").verify(many.metadata().ledgerId(), OpenOptions.DEFAULT), 300 * SECOND);

        assertThat(report.flaws().stream().map(Flaw::firstEntryId)).containsExactly(0L, 4L, 8L, 12L, 16L);
        assertThat(report.flawedCopies()).isEqualTo(5);
    }

    @Test
    void whenAllBookiesOfVeryManyFragmentsAreGoneTheVerificationEndsAllTheSame() {
        StoredLedger lost = new StoredLedger(new Quorums(3, 3, 2), 0);
        lost.close(Limits.FRAGMENTS_MAX - 1, 1);

        LedgerReport report = lost.world()
                .await(lost.client("reader").verify(lost.metadata().ledgerId(), OpenOptions.DEFAULT), 60 * SECOND);

        assertThat(report.flawedCopies()).isEqualTo(3 * Limits.FRAGMENTS_MAX);
    }

    /** A closed ledger of so many fragments, of so many entries each, that all three bookies hold. */
    private static StoredLedger fragmented(int fragments, int entries) {
        StoredLedger many = new StoredLedger(new Quorums(3, 3, 2), 0);
        for (int slot = 0; slot < 3; slot++) {
            for (int entryId = 0; entryId < fragments * entries; entryId++) {
                many.store(slot, entryId, entryId - 1);
            }
            many.startMember(slot);
        }
        many.close((long) fragments * entries - 1, entries);
        return many;
    }

    @Test
    void aReadGoesOnToABookieThatIsNotBusy() {
        makeBusy(0, 2);
        LedgerReader reader = await(client.open(ledgerId, OpenOptions.DEFAULT));

        for (int i = 0; i < 3; i++) {
            try (LedgerEntries entries = await(reader.read(0, ENTRIES, 1 << 20))) {
                assertThat(entries.list()).hasSize(ENTRIES);
            }
        }
    }

    @Test
    void whenAllAreBusyAReadFailsAsOneThatMayBeTriedAgain() {
        makeBusy(0, 1, 2);
        LedgerReader reader = await(client.open(ledgerId, OpenOptions.DEFAULT));

        CompletableFuture<LedgerEntries> read = reader.read(0, 1, 1);
        stored.world().runUntil(read::isDone, 60 * SECOND);

        Throwable failure = Failures.rootOf(
                Objects.requireNonNull(read.handle((entries, thrown) -> thrown).join()));
        assertThat(failure).isInstanceOf(LedgerException.EntryUnreadable.class).hasMessageContaining("BUSY");
        assertThat(((LedgerException) failure).isRetryable()).isTrue();
    }

    @Test
    void readsThatMeetBusyBookiesOnlyDoNotLoadTheMetadataStoreToo() {
        LedgerReader reader = await(client.open(ledgerId, OpenOptions.DEFAULT));
        long before = stored.readings();

        makeBusy(0, 1, 2);
        CompletableFuture<LedgerEntries> busy = reader.read(0, 1, 1);
        stored.world().runUntil(busy::isDone, 60 * SECOND);
        assertThat(stored.readings()).isEqualTo(before);

        stored.bookie(1).refuse("READ", StatusCode.NO_ENTRY);
        CompletableFuture<LedgerEntries> absent = reader.read(0, 1, 1);
        stored.world().runUntil(absent::isDone, 60 * SECOND);
        assertThat(stored.readings()).isGreaterThan(before); // repair may have moved the copies
    }

    @Test
    void aBusyBookieIsNotAskedOnHowFarALedgerIsConfirmedWhenOthersHaveTold() {
        StoredLedger open = new StoredLedger(new Quorums(3, 3, 2), 0);
        for (int slot = 0; slot < 3; slot++) {
            open.store(slot, 0, -1);
            open.store(slot, 1, 0);
            open.startMember(slot);
        }
        open.bookie(2).refuse("QUESTION", StatusCode.BUSY);

        LedgerReader reader = open.world()
                .await(open.client("reader").open(open.metadata().ledgerId(), OpenOptions.DEFAULT), 300 * SECOND);
        assertThat(reader.lastAddConfirmed()).isZero();
        open.world().runFor(SECOND / 10);
        int before = open.bookie(2).questions();
        open.world().runFor(SECOND);

        assertThat(before).isPositive();
        assertThat(open.bookie(2).questions()).isEqualTo(before);
    }
}
