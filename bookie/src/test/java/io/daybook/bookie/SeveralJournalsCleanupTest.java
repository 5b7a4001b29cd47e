// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskFaults;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bookie with two journals: its space comes back, whichever of them it is of, and it stops in order. */
final class SeveralJournalsCleanupTest {
    private static final JournalCount JOURNALS = new JournalCount(2);
    private static final int KEPT_ENTRIES = 400;

    private final CleanupScene scene = new CleanupScene(32);
    private final SimulatedBookie one = scene.one;

    @BeforeEach
    void twoJournals() {
        one.config = one.config.withDirectories(List.of("/journal", "/journal-b"), List.of(SimulatedBookie.DATA));
        scene.start();
    }

    private static long ledgerOf(int journal, int number) {
        return LongStream.iterate(1, id -> id + 1)
                .filter(id -> JOURNALS.ofLedger(id) == journal)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    private void fillTogether(long kept, long dying) {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < KEPT_ENTRIES; i++) {
            writer.add(kept, i, CleanupScene.payload(kept, i));
            writer.add(dying, i, CleanupScene.payload(dying, i));
        }
        one.until(() -> writer.acknowledged() == 2 * KEPT_ENTRIES);
        writer.close();
    }

    // B14: there is no room to copy what is alive of one journal; the logs of the other are dead and can go.
    @Test
    void deadLogsOfOneJournalGoAlthoughNothingOfAnotherCanBeCopied() {
        for (int journal = 0; journal < JOURNALS.count(); journal++) {
            long kept = ledgerOf(journal, 2 * journal);
            long dying = ledgerOf(journal, 2 * journal + 1);
            long dead = ledgerOf(1 - journal, 2 * journal);
            scene.createLedgers(kept, dying, dead);
            fillTogether(kept, dying);
            scene.fill(dead, 500);
            one.close();
            one.endSession().start();
            scene.metadata().delete(dying).join();
            scene.metadata().delete(dead).join();
            scene.round();
            one.world.runFor(CleanupScene.GRACE_NANOS);
            long used = scene.data().list("").stream()
                    .mapToLong(name -> one.data().image().durableBytes(name).length)
                    .sum();
            one.data().quality(DiskQuality.SOLID_STATE.withCapacity(used + 24 * 1024));

            CleanupReport report = scene.majorRound();

            assertThat(report.logsRemoved()).as("kept in journal %d", journal).isPositive();
            one.data().quality(DiskQuality.SOLID_STATE);
            scene.assertHeld(kept, KEPT_ENTRIES);
            one.crash(CrashMode.LOSE_ALL).start();
            scene.assertHeld(kept, KEPT_ENTRIES);
            scene.assertGone(dead, 500);
            scene.majorRound();
        }
    }

    // S-19: the file of a journal was just left when the bookie stops; its last commit is on its way.
    @Test
    void orderlyStopLeavesNothingToReplayAlsoOfAFileThatIsLeftAtThatMoment() {
        one.close();
        one.config = one.config.withFlushAge(Duration.ofMillis(100));
        one.endSession().start();
        long ledgerId = ledgerOf(1, 0);
        one.machine.drive("/journal-b").faults().stick();
        TestClient writer = one.client(LinkKind.APPEND);
        writer.add(ledgerId, 0, CleanupScene.payload(ledgerId, 0));
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        CompletableFuture<Void> closing = one.bookie().close();
        one.world.runFor(TimeUnit.MILLISECONDS.toNanos(10));
        one.machine.drive("/journal-b").faults().release();
        one.until(closing::isDone);
        one.endSession();
        one.stores();

        List<Integer> files = new ArrayList<>();
        try (OfflineBookie offline = OfflineBookie.open(one.config, one.machine.host())) {
            offline.replay(new SeveralJournalsTest.Files(files));
        }

        assertThat(files).isEmpty();
        one.start();
        scene.createLedgers(ledgerId);
        scene.assertHeld(ledgerId, 1);
    }

    // B10: the other journal is stopped and flushed already.
    @Test
    void commitThatFailsWhileTheBookieStopsEndsTheProcessAndLosesNothing() {
        long first = ledgerOf(0, 0);
        long second = ledgerOf(1, 0);
        scene.createLedgers(first, second);
        scene.fill(first, 5);
        scene.fill(second, 5);
        one.machine.drive("/journal-b").faults().stick();
        one.machine.drive("/journal-b").faults().failOnce(DiskFaults.Call.COMMIT, "journal");
        TestClient writer = one.client(LinkKind.APPEND);
        writer.add(second, 5, CleanupScene.payload(second, 5));
        one.world.runFor(TimeUnit.MILLISECONDS.toNanos(100));
        CompletableFuture<Void> closing = one.bookie().close();
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(closing.isDone()).isFalse();

        one.machine.drive("/journal-b").faults().release();
        one.until(() -> !one.machine.isRunning());

        assertThat(Objects.requireNonNull(one.machine.lastHalt()).exitCode()).isEqualTo(ExitCode.JOURNAL_FAILED.code());
        assertThat(writer.acknowledged()).isZero();
        one.endSession().start();
        scene.assertHeld(first, 5);
        scene.assertHeld(second, 5);
    }
}
