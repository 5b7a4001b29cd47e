// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ledgers' entries a bookie gives up, and when (A1, S-14, S-20). */
final class CleanupTest {
    private final CleanupScene scene = new CleanupScene(11);

    // A1
    @Test
    void entriesOfADeletedLedgerAreGivenUpAfterASecondQuestionAGraceTimeLater() {
        scene.start();
        scene.createLedgers(1, 2);
        scene.fill(1, 20);
        scene.fill(2, 20);
        scene.recycleTheJournal();
        scene.metadata().delete(1).join();

        assertThat(scene.round().ledgersBuried()).isZero();
        scene.assertHeld(1, 20);
        scene.one.world.runFor(CleanupScene.GRACE_NANOS / 2);
        assertThat(scene.round().ledgersBuried()).isZero();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS / 2);
        assertThat(scene.round().ledgersBuried()).isEqualTo(1);

        scene.assertGone(1, 20);
        scene.assertHeld(2, 20);
        scene.one.crash(CrashMode.LOSE_ALL).start();
        scene.assertGone(1, 20);
        scene.assertHeld(2, 20);
    }

    // D11, B3, P-21, S-06: a writer that does not know that its ledger is gone cannot bring it back.
    @Test
    void anAddToALedgerThatWasGivenUpIsRefusedAlsoAfterARestart() {
        scene.start();
        scene.createLedgers(1);
        scene.fill(1, 5);
        scene.delete(1);

        assertThat(scene.client().addAndWait(1, 5, "late")).isEqualTo(StatusCode.FENCED);
        scene.one.crash(CrashMode.LOSE_ALL).start();
        assertThat(scene.client().addAndWait(1, 5, "late")).isEqualTo(StatusCode.FENCED);
        scene.recycleTheJournal();
        scene.one.crash(CrashMode.LOSE_ALL).start();
        assertThat(scene.client().addAndWait(1, 5, "late")).isEqualTo(StatusCode.FENCED);
    }

    // A1, S-14, D15, M7, P-94
    @Test
    void aListingThatFailsHalfWayOrNeverEndsProvesNothing() {
        scene.listing.failAfterPages(1);
        scene.start();
        scene.createLedgers(1, 2, 9_000_000_000L, 1_000_000_000_000_000_000L);
        for (long ledgerId : List.of(1L, 2L, 9_000_000_000L, 1_000_000_000_000_000_000L)) {
            scene.fill(ledgerId, 3);
        }
        for (int round = 0; round < 4; round++) {
            CleanupReport report = scene.round();
            scene.one.world.runFor(CleanupScene.GRACE_NANOS * 2);

            assertThat(report.ledgersWaiting()).isZero();
            assertThat(report.lastFailure()).contains("listed");
        }
        scene.listing.neverEnds();
        for (int round = 0; round < 4; round++) {
            assertThat(scene.round().ledgersWaiting()).isZero();
            scene.one.world.runFor(CleanupScene.GRACE_NANOS * 2);
        }
        scene.assertHeld(1_000_000_000_000_000_000L, 3);
    }

    // S-14, P-94: what one listing left out is there when that ledger is asked for.
    @Test
    void aLedgerThatAListingLeftOutIsKept() {
        scene.listing.leaveOut(2);
        scene.start();
        scene.createLedgers(1, 2);
        scene.fill(2, 5);

        for (int round = 0; round < 4; round++) {
            scene.round();
            scene.one.world.runFor(CleanupScene.GRACE_NANOS * 2);
        }

        scene.assertHeld(2, 5);
    }

    // D15, M3: the second question fails.
    @Test
    void aLedgerOfWhichItCannotBeReadWhetherItIsGoneIsKept() {
        scene.start();
        scene.createLedgers(1);
        scene.fill(1, 5);
        scene.metadata().delete(1).join();
        scene.listing.failReads(true);

        for (int round = 0; round < 3; round++) {
            scene.round();
            scene.one.world.runFor(CleanupScene.GRACE_NANOS * 2);
        }
        scene.assertHeld(1, 5);

        scene.listing.failReads(false);
        assertThat(scene.round().ledgersBuried()).isEqualTo(1);
    }

    // S-20 b
    @Test
    void surplusCopiesOfAClosedLedgerAreGivenUp() {
        scene.start();
        scene.createElsewhere(1, true);
        scene.fill(1, 5);

        scene.roundsOfGrace();

        scene.assertGone(1, 5);
        // Another bookie's loss may bring the ledger back here.
        assertThat(scene.client().addRecoveredAndWait(1, 3, "again")).isEqualTo(StatusCode.OK);
        assertThat(scene.client().readOne(1, 3).payloads()).containsExactly("again");
        scene.one.crash(CrashMode.LOSE_ALL).start();
        assertThat(scene.client().readOne(1, 3).payloads()).containsExactly("again");
        assertThat(scene.client().readOne(1, 2).header().status()).isEqualTo(StatusCode.NO_ENTRY);
    }

    // A2: a repair was told OK for copies that were here already, and relies on them.
    @Test
    void surplusCopiesThatWereOfferedAgainBetweenTheQuestionsAreKept() {
        scene.start();
        scene.createElsewhere(1, true);
        scene.createElsewhere(2, true);
        repair(1);
        scene.recycleTheJournal();
        repair(2);
        scene.round();
        repair(1);
        repair(2);
        scene.one.world.runFor(CleanupScene.GRACE_NANOS);

        assertThat(scene.round().ledgersBuried()).isZero();

        scene.assertHeld(1, 5);
        scene.assertHeld(2, 5);
    }

    private void repair(long ledgerId) {
        for (int entryId = 0; entryId < 5; entryId++) {
            assertThat(scene.client().addRecoveredAndWait(ledgerId, entryId, CleanupScene.payload(ledgerId, entryId)))
                    .isEqualTo(StatusCode.OK);
        }
    }

    // The recovery of an open ledger copies to bookies that metadata does not name yet.
    @Test
    void copiesOfALedgerThatIsNotClosedAreNeverSurplus() {
        scene.start();
        scene.createElsewhere(1, false);
        scene.fill(1, 5);

        scene.roundsOfGrace();
        scene.roundsOfGrace();

        scene.assertHeld(1, 5);
    }

    // D15, A3, P-90, P-95: somebody copies to this bookie between the two questions.
    @Test
    void copiesThatArriveBetweenTheTwoQuestionsAreKept() {
        scene.start();
        scene.createElsewhere(1, true);
        scene.fill(1, 5);
        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS * 2);
        assertThat(scene.client().addRecoveredAndWait(1, 7, "copied")).isEqualTo(StatusCode.OK);

        scene.round();

        scene.assertHeld(1, 5);
        assertThat(scene.client().readOne(1, 7).payloads()).containsExactly("copied");
    }

    // S-20 a, P-33
    @Test
    void entriesThatWereGivenUpBeforeTheFlushAreNeverWritten() {
        scene.start();
        scene.createLedgers(1, 2);
        TestClient writer = scene.one.client(LinkKind.APPEND);
        writer.addAndWait(1, 0, "to be deleted");
        writer.addAndWait(2, 0, "to stay");
        scene.delete(1);

        scene.recycleTheJournal();

        assertThat(scene.bytesOnDataDisk("to be deleted")).isZero();
        assertThat(scene.bytesOnDataDisk("to stay")).isEqualTo(1);
        scene.one.crash(CrashMode.LOSE_ALL).start();
        scene.assertGone(1, 1);
    }

    // S-20 a, P-33, P-121: the slab is on its way to the entry log when the ledger is given up.
    @Test
    void entriesThatAreBeingFlushedWhenTheyAreGivenUpDoNotComeBack() {
        scene.start();
        scene.createLedgers(1);
        scene.fill(1, 10);
        scene.metadata().delete(1).join();
        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS * 2);
        scene.one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(20));
        TestClient writer = scene.one.client(LinkKind.APPEND);
        int sent = scene.fillUntilStuck(writer);
        scene.beginRound();
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(60));

        one().until(() -> writer.acknowledged() == sent);
        scene.assertGone(1, 10);
        scene.one.crash(CrashMode.LOSE_ALL).start();
        scene.assertGone(1, 10);
    }

    private SimulatedBookie one() {
        return scene.one;
    }

    // P-33
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFenceAndTheEndOfALedgerMeetInEitherOrder(boolean isFencedFirst) {
        scene.start();
        scene.createLedgers(1);
        scene.fill(1, 5);
        scene.metadata().delete(1).join();
        scene.round();
        one().world.runFor(CleanupScene.GRACE_NANOS);
        TestClient recoverer = scene.client();
        one().journal().faults().stick();
        if (isFencedFirst) {
            recoverer.fence(1);
            one().world.runFor(TimeUnit.SECONDS.toNanos(1));
        }
        CompletableFuture<CleanupReport> round = scene.beginRound();
        one().world.runFor(TimeUnit.SECONDS.toNanos(1));
        if (!isFencedFirst) {
            recoverer.fence(1);
            one().world.runFor(TimeUnit.SECONDS.toNanos(1));
        }

        one().journal().faults().release();

        one().until(() -> round.isDone() && recoverer.fences.size() == 1);
        assertThat(recoverer.fences.get(0).status()).isEqualTo(StatusCode.OK);
        scene.assertGone(1, 5);
        scene.recycleTheJournal();
        one().crash(CrashMode.LOSE_ALL).start();
        scene.assertGone(1, 5);
        assertThat(scene.client().addAndWait(1, 5, "late")).isEqualTo(StatusCode.FENCED);
    }

    // P-95, A1: what is here is counted before the listing begins.
    @Test
    void aLedgerThatIsMadeWhileTheLedgersAreListedIsNotSuspected() {
        scene.start();
        scene.createLedgers(1);
        scene.fill(1, 5);
        scene.listing.hold();
        CompletableFuture<CleanupReport> round = scene.beginRound();
        one().world.runFor(TimeUnit.SECONDS.toNanos(1));
        scene.createLedgers(2);
        scene.fill(2, 5);

        scene.listing.release();

        one().until(round::isDone);
        assertThat(round.join().ledgersWaiting()).isZero();
        scene.roundsOfGrace();
        scene.assertHeld(2, 5);
    }

    // S-55: many ledgers are given up in one round, and share journal commits.
    @Test
    void aThousandDeletedLedgersAreGivenUpInOneRound() {
        scene.start();
        TestClient writer = scene.one.client(LinkKind.APPEND);
        for (long ledgerId = 1; ledgerId <= 1000; ledgerId++) {
            scene.createLedgers(ledgerId);
            writer.add(ledgerId, 0, "x");
        }
        one().until(() -> writer.acknowledged() == 1000);
        scene.createLedgers(2000);
        scene.fill(2000, 3);
        for (long ledgerId = 1; ledgerId <= 1000; ledgerId++) {
            scene.metadata().delete(ledgerId).join();
        }
        int incarnationsBefore = scene.logs().size();

        scene.roundsOfGrace();

        assertThat(scene.round().ledgersBuried()).isEqualTo(1000);
        scene.assertHeld(2000, 3);
        scene.assertGone(500, 1);
        assertThat(scene.logs().size()).isLessThan(incarnationsBefore + 20);
    }

    // S-46: what rounds ask of the metadata store has a bound and does not grow, whatever failed before.
    @Test
    void everyRoundAsksForPagesAndForALimitedNumberOfLedgers() {
        int ledgers = 5_000;
        int looksOfRound = 4_096;
        int pages = ledgers / 1_000;
        scene.start();
        TestClient writer = scene.one.client(LinkKind.APPEND);
        for (long ledgerId = 1; ledgerId <= ledgers; ledgerId++) {
            scene.createLedgers(ledgerId);
            writer.add(ledgerId, 0, "x");
        }
        one().until(() -> writer.acknowledged() == ledgers);
        scene.metadata().delete(7).join();

        for (int round = 0; round < 10; round++) {
            int listingsBefore = scene.listing.listings();
            int questionsBefore = scene.listing.questions();
            scene.listing.failReads(round % 3 == 1);
            scene.round();
            scene.one.world.runFor(CleanupScene.GRACE_NANOS);

            assertThat(scene.listing.listings() - listingsBefore).isEqualTo(pages);
            assertThat(scene.listing.questions() - questionsBefore).isBetween(looksOfRound, looksOfRound + 1);
        }

        assertThat(scene.round().ledgersWaiting()).isZero();
        scene.assertGone(7, 1);
    }

    // D11: the tombstone goes when no add of the old writer can be under way any more.
    @Test
    void aTombstoneIsForgottenInTheEnd() {
        scene.start();
        scene.createLedgers(1);
        scene.fill(1, 5);
        scene.delete(1);
        scene.recycleTheJournal();
        scene.round();
        scene.one.world.runFor(TimeUnit.HOURS.toNanos(25));
        scene.round();

        assertThat(scene.client().readOne(1, 0).header().status()).isEqualTo(StatusCode.NO_LEDGER);
    }
}
