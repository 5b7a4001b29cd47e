// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.MergedIndex;
import io.daybook.bookie.index.pages.PageFile;
import io.daybook.bookie.limbo.DamageNotes;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskFaults;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of which little is alive are copied and removed (B13, S-15, S-16, S-20). */
final class CompactionTest {
    private static final int LEDGERS = 10;
    private static final int ENTRIES = 12;

    private final CleanupScene scene = new CleanupScene(21);

    /** Ledgers 1 to 10 over many logs; all but 1 and 2 are deleted and given up. */
    private static void mostlyDeleted(CleanupScene scene) {
        scene.start();
        spreadOverLogs(scene);
        for (long ledgerId = 3; ledgerId <= LEDGERS; ledgerId++) {
            scene.metadata().delete(ledgerId).join();
        }
    }

    private static void spreadOverLogs(CleanupScene scene) {
        TestClient writer = scene.one.client(LinkKind.APPEND);
        for (long ledgerId = 1; ledgerId <= LEDGERS; ledgerId++) {
            scene.createLedgers(ledgerId);
        }
        int sent = 0;
        for (int entryId = 0; entryId < ENTRIES; entryId++) {
            for (long ledgerId = 1; ledgerId <= LEDGERS; ledgerId++) {
                writer.add(ledgerId, entryId, CleanupScene.payload(ledgerId, entryId) + "-".repeat(700));
                sent++;
            }
        }
        int expected = sent;
        scene.one.until(() -> writer.acknowledged() == expected);
        scene.one.client(LinkKind.OTHER).fenceAndWait(77);
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(1));
    }

    private static void assertAlive(CleanupScene scene) {
        TestClient reader = scene.client();
        for (long ledgerId = 1; ledgerId <= 2; ledgerId++) {
            for (int entryId = 0; entryId < ENTRIES; entryId++) {
                assertThat(reader.readOne(ledgerId, entryId).payloads())
                        .as("ledger %d entry %d", ledgerId, entryId)
                        .containsExactly(CleanupScene.payload(ledgerId, entryId) + "-".repeat(700));
            }
            assertThat(reader.readOne(ledgerId, ENTRIES).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        }
        assertThat(reader.addAndWait(77, 0, "late")).isEqualTo(StatusCode.FENCED);
        reader.close();
    }

    // S-20 c
    @Test
    void spaceOfDeletedLedgersComesBackAndWhatIsAliveStaysReadable() {
        mostlyDeleted(scene);
        long before = scene.bytesOfLogs();
        int logsBefore = scene.logs().size();

        scene.roundsOfGrace();

        assertAlive(scene);
        assertThat(scene.bytesOfLogs()).isLessThan(before / 2);
        assertThat(scene.logs()).hasSizeLessThan(logsBefore);
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(5));
        scene.round();
        assertThat(scene.data().list("")).noneMatch(EntryLogFormat::isTrash);
        for (int starts = 0; starts < 2; starts++) {
            scene.one.crash(CrashMode.LOSE_ALL).start();
            assertAlive(scene);
            scene.assertGone(3, ENTRIES);
        }
    }

    @Test
    void replacedLogsStayInTheTrashForTheirTime() {
        scene.one.config = scene.one.config.withCleanup(scene.one
                .config
                .cleanup()
                .withTimes(Duration.ofDays(300), Duration.ofNanos(CleanupScene.GRACE_NANOS), Duration.ofHours(1)));
        mostlyDeleted(scene);
        scene.roundsOfGrace();
        long inTrash = trash();
        assertThat(inTrash).isPositive();

        scene.one.world.runFor(TimeUnit.MINUTES.toNanos(50));
        scene.round();
        assertThat(trash()).isEqualTo(inTrash);
        scene.one.close();
        scene.one.endSession().start();
        scene.one.world.runFor(TimeUnit.MINUTES.toNanos(61));
        scene.round();

        assertThat(trash()).isZero();
    }

    private long trash() {
        return scene.data().list("").stream().filter(EntryLogFormat::isTrash).count();
    }

    @Test
    void compactionIsMinorByDefaultAndMajorWhenItIsDueOrAskedFor() {
        scene.start();
        spreadOverLogs(scene);
        for (long ledgerId = 6; ledgerId <= LEDGERS; ledgerId++) {
            scene.metadata().delete(ledgerId).join();
        }
        scene.roundsOfGrace();
        assertThat(scene.round().logsRemoved()).as("half is alive").isZero();

        assertThat(scene.majorRound().logsRemoved()).isPositive();

        assertAlive(scene);
    }

    // Bytes read and written by compaction are spread over time (S-55).
    @Test
    void compactionIsSlowedDownToItsBound() {
        scene.one.config =
                scene.one.config.withCleanup(scene.one.config.cleanup().withBytesPerSecondMax(1024));
        mostlyDeleted(scene);
        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS);
        long begun = scene.one.world.nanoTime();

        CleanupReport report = scene.round();

        assertThat(report.bytesCopied()).isPositive();
        long seconds = TimeUnit.NANOSECONDS.toSeconds(scene.one.world.nanoTime() - begun);
        assertThat(seconds).isBetween(2 * report.bytesCopied() / 1024 - 1, 2 * report.bytesCopied() / 1024 + 60);
    }

    @Test
    void manySmallLogsBecomeOneAndNotAgainAndAgain() {
        scene.one.config = scene.one.config.withFlushAge(Duration.ofSeconds(1));
        scene.start();
        scene.createLedgers(1);
        TestClient writer = scene.one.client(LinkKind.APPEND);
        for (int i = 0; i < 10; i++) {
            writer.addAndWait(1, i, CleanupScene.payload(1, i));
            scene.one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        }
        assertThat(scene.logs()).hasSize(10);

        assertThat(scene.round().logsRemoved()).isEqualTo(10);
        assertThat(scene.logs()).hasSize(1);
        assertThat(scene.round().logsRemoved()).isEqualTo(10);

        scene.assertHeld(1, 10);
        scene.one.crash(CrashMode.LOSE_ALL).start();
        scene.assertHeld(1, 10);
    }

    // B6: what compaction removed without a successor is not missed later.
    @Test
    void theNewestLogThatWasRemovedIsNotTakenForLostAfterTwoStarts() {
        scene.one.config = scene.one.config.withFlushAge(Duration.ofSeconds(1));
        scene.start();
        scene.createLedgers(1, 2);
        for (long ledgerId = 1; ledgerId <= 2; ledgerId++) {
            scene.fill(ledgerId, 3);
            scene.one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        }
        // Facts alone of ledgers that are gone, in seven logs; their tombstones are the eighth.
        for (long ledgerId = 11; ledgerId <= 17; ledgerId++) {
            scene.client().fenceAndWait(ledgerId);
            scene.one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        }
        scene.roundsOfGrace();
        scene.one.world.runFor(TimeUnit.HOURS.toNanos(25));
        scene.round();
        assertThat(scene.logs()).hasSize(2);
        scene.one.crash(CrashMode.LOSE_ALL).start();
        scene.delete(1);
        assertThat(scene.round().logsRemoved()).isPositive();

        scene.one.crash(CrashMode.LOSE_ALL).start();

        assertThat(scene.client().addAndWait(2, 3, "next")).isEqualTo(StatusCode.OK);
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(scene.data().exists(DamageNotes.NAME)).isFalse();
    }

    // B6: what was noted of a lost log must not be taken to be about another one.
    @Test
    void theIdOfALogThatWasLostIsNotGivenAgain() {
        mostlyDeleted(scene);
        scene.roundsOfGrace();
        List<String> lost = scene.logs().stream()
                .filter(name -> EntryLogFormat.isCompacted(EntryLogFormat.logId(name)))
                .toList();
        assertThat(lost).isNotEmpty();
        scene.one.crash(CrashMode.LOSE_ALL);
        scene.one.machine.start();
        for (String name : lost) {
            scene.data().delete(name);
            scene.data().delete(IndexFile.name(EntryLogFormat.logId(name)));
        }
        scene.data().syncDirectory("");
        scene.one.config = scene.one.config.withFlushAge(Duration.ofSeconds(1));
        for (int starts = 0; starts < 2; starts++) {
            scene.one.start();
            scene.one.world.runFor(TimeUnit.SECONDS.toNanos(5));
            assertThat(scene.data().exists(DamageNotes.NAME)).isTrue();
            long ledgerId = 100L + starts;
            scene.createLedgers(ledgerId);
            scene.fill(ledgerId, 20);
            scene.one.world.runFor(TimeUnit.SECONDS.toNanos(5));
            scene.delete(ledgerId);

            assertThat(scene.round().logsRemoved()).isPositive();

            assertThat(scene.logs())
                    .anyMatch(name -> EntryLogFormat.isCompacted(EntryLogFormat.logId(name)))
                    .doesNotContainAnyElementsOf(lost);
            scene.one.crash(CrashMode.LOSE_ALL);
        }
    }

    // S-15
    // S-15: an error of the device that passes is no damage.
    @Test
    void aLogThatCouldNotBeReadForAWhileIsCompactedInALaterMajorRound() {
        mostlyDeleted(scene);
        String unreadable = logWith("ledger 1 entry 3-");
        scene.one.data().faults().failAlways(DiskFaults.Call.READ, unreadable);
        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS);
        assertThat(scene.round().logsKept()).containsExactly(Integer.toHexString(EntryLogFormat.logId(unreadable)));
        scene.one.data().faults().heal();
        assertThat(scene.round().logsKept()).as("a minor round").hasSize(1);

        CleanupReport report = scene.majorRound();

        assertThat(report.logsKept()).isEmpty();
        assertThat(scene.logs()).doesNotContain(unreadable);
        assertAlive(scene);
    }

    // P-120
    @Test
    void aDamagedLogIsKeptAndReportedAndTheOthersAreCompacted() {
        mostlyDeleted(scene);
        String damaged = logWith("ledger 1 entry 3-");
        scene.one.data().corrupt(damaged, indexOf(damaged, "ledger 1 entry 3-"), 1);
        List<String> others = new ArrayList<>(scene.logs());
        others.remove(damaged);

        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS);
        CleanupReport report = scene.round();

        assertThat(report.logsKept()).containsExactly(Integer.toHexString(EntryLogFormat.logId(damaged)));
        assertThat(scene.logs()).contains(damaged).doesNotContainAnyElementsOf(others);
        assertThat(scene.client().readOne(1, 3).header().status()).isEqualTo(StatusCode.CORRUPT);
        assertThat(scene.client().readOne(1, 4).entries()).hasSize(1);
        scene.one.crash(CrashMode.LOSE_ALL).start();
        assertThat(scene.client().readOne(1, 3).header().status()).isEqualTo(StatusCode.CORRUPT);
        assertThat(scene.client().readOne(2, ENTRIES - 1).entries()).hasSize(1);
    }

    // P-120: what is alive is copied, as the index file says or, without it, a scan of the log.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLogWhoseHeaderIsDamagedLosesNothing(boolean isIndexLost) {
        mostlyDeleted(scene);
        String damaged = logWith("ledger 1 entry 3-");
        scene.one.data().corrupt(damaged, EntryLogFormat.RECORD_HEADER_BYTES, 4);
        if (isIndexLost) {
            scene.data().delete(IndexFile.name(EntryLogFormat.logId(damaged)));
            scene.one.crash(CrashMode.LOSE_ALL).start();
        }

        scene.roundsOfGrace();
        scene.one.crash(CrashMode.LOSE_ALL).start();

        for (int entryId = 0; entryId < ENTRIES; entryId++) {
            assertThat(scene.client().readOne(1, entryId).entries()).hasSize(1);
        }
    }

    private String logWith(String text) {
        return scene.logs().stream()
                .filter(name -> text(name).contains(text))
                .findFirst()
                .orElseThrow();
    }

    private int indexOf(String name, String text) {
        return text(name).indexOf(text);
    }

    private String text(String name) {
        return new String(scene.one.data().image().durableBytes(name), java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    // S-15, B13: an index file is not believed because it is there.
    @Test
    void aLogWhoseIndexFileIsDamagedIsCompactedByWhatStandsInTheLog() {
        mostlyDeleted(scene);
        for (String name : scene.logs()) {
            scene.one.data().corrupt(IndexFile.name(EntryLogFormat.logId(name)), 20, 1);
        }

        scene.roundsOfGrace();

        assertAlive(scene);
        scene.one.crash(CrashMode.LOSE_ALL).start();
        assertAlive(scene);
    }

    // S-15: every kind of failed write, once; the next round does what this one could not.
    @Test
    void aFailedWriteEndsTheRoundAndTheNextOneSucceeds() {
        for (DiskFaults.Call call : List.of(DiskFaults.Call.WRITE, DiskFaults.Call.SYNC)) {
            for (String part : List.of("entries-8", "index-8", "catalog")) {
                assertOvercome(call, part);
            }
        }
        assertOvercome(DiskFaults.Call.READ, "index-0");
        assertOvercome(DiskFaults.Call.SYNC_DIRECTORY, "");
    }

    private static void assertOvercome(DiskFaults.Call call, String part) {
        CleanupScene one = new CleanupScene(22);
        one.one.config = one.one.config.withCleanup(one.one.config.cleanup().withShares(0, 80, Duration.ofDays(300)));
        mostlyDeleted(one);
        one.roundsOfGrace();
        one.one.data().faults().failOnce(call, part);
        CleanupReport failed = one.majorRound();
        one.one.data().faults().heal();
        assertAlive(one);

        CleanupReport report = one.majorRound();

        assertThat(report.logsRemoved()).as(call + " of " + part).isPositive();
        assertThat(failed.lastFailure().isEmpty()).as(call + " of " + part).isEqualTo(call == DiskFaults.Call.READ);
        assertAlive(one);
        one.one.crash(CrashMode.LOSE_ALL).start();
        assertAlive(one);
    }

    // B14: what is dead goes first, and needs no room but for facts.
    @Test
    void aDiskWithoutRoomForACopyIsFreedOfDeadLogsAndThenOfTheOthers() {
        scene.start();
        scene.createLedgers(1, 2);
        scene.fill(1, 10);
        scene.fill(2, 500);
        scene.one.client(LinkKind.OTHER).fenceAndWait(77);
        scene.recycleTheJournal();
        scene.metadata().delete(2).join();
        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS);
        long used = scene.data().list("").stream()
                .mapToLong(name -> scene.one.data().image().durableBytes(name).length)
                .sum();
        scene.one.data().quality(DiskQuality.SOLID_STATE.withCapacity(used + 24 * 1024));
        assertThat(scene.data().usableBytes("")).isLessThan(SimulatedBookie.SLAB_BYTES);

        CleanupReport report = scene.majorRound();

        assertThat(report.logsRemoved()).isPositive();
        scene.assertHeld(1, 10);
        assertThat(scene.data().usableBytes("")).isGreaterThan(SimulatedBookie.SLAB_BYTES);
        assertThat(scene.client().addAndWait(77, 0, "late")).isEqualTo(StatusCode.FENCED);
    }

    // S-16, D14, B12, P-118, P-119: a crash at every disk operation of a round with deletion and compaction.
    @ParameterizedTest
    @EnumSource(
            value = CrashMode.class,
            names = {"LOSE_ALL", "KEEP_ALL", "ANY_SUBSET", "TEAR_ALL", "LOSE_NAMES"})
    void aCrashAtAnyDiskOperationOfARoundLosesNothingAndLeaksNothing(CrashMode mode) {
        boolean crashed = true;
        int points = 0;
        for (int nth = 1; crashed; nth += 1 + nth / 30) {
            CleanupScene one = small(nth);
            mostlyDeleted(one);
            one.round();
            one.one.world.runFor(CleanupScene.GRACE_NANOS);
            one.one.machine.crashAtDiskOperation(nth, nth % 2 == 0);
            one.beginRound();
            one.one.world.runFor(TimeUnit.MINUTES.toNanos(2));
            crashed = !one.one.machine.isRunning();
            one.one.crash(mode).start();
            assertAlive(one);
            one.roundsOfGrace();
            assertAlive(one);
            one.one.world.runFor(TimeUnit.SECONDS.toNanos(5));
            one.round();
            assertThat(filesWithoutPurpose(one))
                    .as("crash at operation %d", nth)
                    .isEmpty();
            points++;
        }
        assertThat(points).isGreaterThan(20);
    }

    private static CleanupScene small(long seed) {
        CleanupScene one = new CleanupScene(seed);
        one.one.journal().quality(DiskQuality.SOLID_STATE.withBlock(512));
        one.one.data().quality(DiskQuality.SOLID_STATE.withBlock(512));
        one.one.config = one.one.config.withSlabs(16 * 1024, 3);
        return one;
    }

    private static List<String> filesWithoutPurpose(CleanupScene one) {
        List<String> names = new ArrayList<>(one.data().list(""));
        List<String> logs = one.logs();
        names.removeIf(name -> List.of("cookie", "checkpoint", "catalog", "tenure", "scrub", "LOCK", PageFile.NAME)
                        .contains(name)
                || name.startsWith("reserve")
                || isOfLogs(one, name, logs)
                || logs.contains(name)
                || logs.contains(EntryLogFormat.name(IndexFile.logId(name))));
        return names;
    }

    private static boolean isOfLogs(CleanupScene one, String name, List<String> logs) {
        return MergedIndex.isName(name)
                && MergedIndex.logIds(one.data(), name).stream()
                        .allMatch(logId -> logs.contains(EntryLogFormat.name(logId)));
    }

    // S-16, P-119: 100 repetitions; numbers of files beyond one digit, and no growth.
    @Test
    void diskUseDoesNotGrowOverManyRoundsAndRestarts() {
        CleanupScene one = small(5);
        mostlyDeleted(one);
        one.roundsOfGrace();
        List<Long> sizes = new ArrayList<>();
        for (int repetition = 0; repetition < 100; repetition++) {
            long ledgerId = 100L + repetition;
            one.createLedgers(ledgerId);
            one.fill(ledgerId, 60);
            one.delete(ledgerId);
            if (repetition % 10 == 9) {
                one.one
                        .crash(repetition % 20 == 9 ? CrashMode.LOSE_ALL : CrashMode.KEEP_ALL)
                        .start();
                one.one.world.runFor(TimeUnit.SECONDS.toNanos(5));
                one.roundsOfGrace();
                sizes.add(one.bytesOfLogs());
            }
        }
        assertAlive(one);
        assertThat(sizes.get(9)).isLessThan(2 * sizes.get(0));
    }

    // D14, P-84: a reader that planned its read before the log was replaced.
    @Test
    void readsUnderWayWhileLogsAreReplacedAreAnswered() {
        mostlyDeleted(scene);
        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS);
        TestClient reader = scene.client();
        java.util.concurrent.CompletableFuture<CleanupReport> round = scene.beginRound();
        int asked = 0;
        while (!round.isDone()) {
            reader.read(1 + asked % 2, asked % ENTRIES, 1, io.daybook.protocol.wire.ReadRequest.FLAG_UNCONFIRMED, 0);
            asked++;
            scene.one.world.runFor(300_000);
        }
        int expected = asked;
        scene.one.until(() -> reader.reads.size() == expected);

        assertThat(round.join().logsRemoved()).isPositive();
        assertThat(reader.reads.stream().filter(answer -> answer.entries().size() != 1))
                .isEmpty();
    }
}
