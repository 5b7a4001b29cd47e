// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.journal.ReplayTarget;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskFaults;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One bookie with three journals, each on a device of its own (S-19, D13). */
final class SeveralJournalsTest {
    private static final List<String> PATHS = List.of("/journal", "/journal-b", "/journal-c");
    private static final List<String> DATA = List.of(SimulatedBookie.DATA);
    private static final JournalCount JOURNALS = new JournalCount(PATHS.size());

    /** A ledger of each journal. */
    private static final long[] LEDGERS = {ledgerOf(0, 0), ledgerOf(1, 0), ledgerOf(2, 0)};

    private final CleanupScene scene = new CleanupScene(31);
    private final SimulatedBookie one = scene.one;

    @BeforeEach
    void threeDevices() {
        one.config = one.config.withDirectories(PATHS, DATA);
        scene.start();
        scene.createLedgers(LEDGERS);
    }

    private static long ledgerOf(int journal, int number) {
        return LongStream.iterate(1, id -> id + 1)
                .filter(id -> JOURNALS.ofLedger(id) == journal)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    private DiskDrive drive(int journal) {
        return one.machine.drive(PATHS.get(journal));
    }

    private static String payload(long ledgerId, int entryId) {
        return CleanupScene.payload(ledgerId, entryId) + "-".repeat(800);
    }

    private void add(long ledgerId, int from, int to) {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = from; i < to; i++) {
            writer.add(ledgerId, i, payload(ledgerId, i));
        }
        one.until(() -> writer.acknowledged() == to - from);
        writer.close();
    }

    private void assertThere(long ledgerId, int entries) {
        TestClient reader = one.client(LinkKind.OTHER);
        for (int i = 0; i < entries; i++) {
            assertThat(reader.readOne(ledgerId, i).payloads())
                    .as("ledger %d entry %d", ledgerId, i)
                    .containsExactly(payload(ledgerId, i));
        }
        assertThat(reader.readOne(ledgerId, entries).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        reader.close();
    }

    private SimulatedBookie startAgain() {
        one.close();
        one.endSession();
        return one.start();
    }

    // S-19, D13, P-113: journal 1 is flushed again and again, the others never; then the other way round.
    @ParameterizedTest
    @EnumSource(CrashMode.class)
    void markOfOneJournalSaysNothingOfTheOthers(CrashMode mode) {
        add(LEDGERS[0], 0, 2);
        add(LEDGERS[1], 0, 150);
        add(LEDGERS[2], 0, 1);
        scene.client().fenceAndWait(ledgerOf(2, 1));
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(scene.logs()).hasSizeGreaterThan(2);

        one.crash(mode).start();
        add(LEDGERS[0], 2, 150);
        add(LEDGERS[1], 150, 151);
        one.crash(mode).start();

        assertThere(LEDGERS[0], 150);
        assertThere(LEDGERS[1], 151);
        assertThere(LEDGERS[2], 1);
        assertThat(one.client(LinkKind.APPEND).addAndWait(ledgerOf(2, 1), 0, "late"))
                .isEqualTo(StatusCode.FENCED);
    }

    // P-124
    @Test
    void eachLedgerStandsInTheJournalThatItsIdSays() {
        for (int journal = 0; journal < LEDGERS.length; journal++) {
            long before = commits(journal);
            add(LEDGERS[journal], 0, 3);
            assertThat(commits(journal)).isGreaterThan(before);
        }

        long before = commits(0) + commits(2);
        add(LEDGERS[1], 3, 20);
        assertThat(commits(0) + commits(2)).isEqualTo(before);
    }

    private long commits(int journal) {
        int bytes = 0;
        byte[] image = drive(journal).image().durableBytes("journal-0000.ring");
        for (byte each : image) {
            bytes += each == 0 ? 0 : 1;
        }
        return bytes;
    }

    @Test
    void orderlyStopLeavesNothingToReplayInAnyJournal() {
        for (long ledgerId : LEDGERS) {
            add(ledgerId, 0, 5);
        }
        one.close();
        one.endSession();
        one.stores();

        List<Integer> files = new ArrayList<>();
        try (OfflineBookie offline = OfflineBookie.open(one.config, one.machine.host())) {
            offline.replay(new Files(files));
            assertThat(offline.journalMarks()).hasSize(3).allMatch(mark -> mark.ringFiles() == 3);
        }

        assertThat(files).isEmpty();
        one.start();
        for (long ledgerId : LEDGERS) {
            assertThere(ledgerId, 5);
        }
    }

    @Test
    void whatWouldBeReplayedIsToldOfEachJournal() {
        for (long ledgerId : LEDGERS) {
            add(ledgerId, 0, 1);
        }
        one.crash(CrashMode.LOSE_ALL);
        one.endSession();
        one.stores();

        List<Integer> files = new ArrayList<>();
        try (OfflineBookie offline = OfflineBookie.open(one.config, one.machine.host())) {
            offline.replay(new Files(files));
        }

        assertThat(files.stream().map(JOURNALS::ofIncarnation).toList()).containsExactly(0, 1, 2);
    }

    // ---- devices that are slow or fail ----

    @Test
    void journalsCommitForThemselves() {
        drive(1).faults().stick();
        TestClient writer = one.client(LinkKind.APPEND);
        writer.add(LEDGERS[1], 0, payload(LEDGERS[1], 0));

        assertThat(writer.addAndWait(LEDGERS[0], 0, payload(LEDGERS[0], 0))).isEqualTo(StatusCode.OK);
        assertThat(writer.addAndWait(LEDGERS[2], 0, payload(LEDGERS[2], 0))).isEqualTo(StatusCode.OK);
        assertThat(writer.acknowledged()).isEqualTo(2);

        drive(1).faults().release();
        one.until(() -> writer.acknowledged() == 3);
    }

    // B14, S-41: one journal without room stops appends, and neither reads nor the fences of the others.
    @Test
    void stuckJournalHoldsUpNeitherReadsNorFencesOfOthers() {
        add(LEDGERS[0], 0, 10);
        drive(1).faults().stick();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 200; i++) {
            writer.add(LEDGERS[1], i, payload(LEDGERS[1], i));
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        TestClient other = one.client(LinkKind.OTHER);
        for (int i = 0; i < 3_000; i++) {
            other.fence(ledgerOf(1, 1) + 1_000_000L + i);
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));

        assertThere(LEDGERS[0], 10);
        TestClient fencer = one.client(LinkKind.OTHER);
        FenceAnswer answer = fencer.fenceAndWait(LEDGERS[0]);
        assertThat(answer.lastEntryId()).isEqualTo(9);
        fencer.fence(LEDGERS[1]);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(fencer.fences).hasSize(1);
        assertThat(writer.acknowledged()).isZero();

        drive(1).faults().release();
        one.until(() -> fencer.fences.size() == 2 && other.fences.size() == 3_000);
        int stored = writer.acknowledged();
        assertThat(writer.answeredWith(StatusCode.FENCED)).isEqualTo(200 - stored);
        assertThere(LEDGERS[1], stored);
    }

    @Test
    void appendsGoOnWhenAStuckJournalHasRoomAgain() {
        drive(1).faults().stick();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 200; i++) {
            writer.add(LEDGERS[1], i, payload(LEDGERS[1], i));
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < 50; i++) {
            writer.add(LEDGERS[2], i, payload(LEDGERS[2], i));
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(writer.acknowledged()).isLessThan(50);

        drive(1).faults().release();

        one.until(() -> writer.acknowledged() == 250);
        assertThere(LEDGERS[1], 200);
        assertThere(LEDGERS[2], 50);
    }

    // B10, S-21
    @Test
    void failedCommitOfAnyJournalEndsTheProcessAndLosesNothing() {
        for (int journal = 0; journal < LEDGERS.length; journal++) {
            long ledgerId = ledgerOf(journal, 2);
            long other = ledgerOf((journal + 1) % 3, 2);
            add(ledgerId, 0, 1);
            drive(journal).faults().failOnce(DiskFaults.Call.COMMIT, "journal");
            TestClient writer = one.client(LinkKind.APPEND);
            writer.add(ledgerId, 1, payload(ledgerId, 1));
            writer.add(other, 0, payload(other, 0));
            one.until(() -> !one.machine.isRunning());

            assertThat(Objects.requireNonNull(one.machine.lastHalt()).exitCode())
                    .isEqualTo(ExitCode.JOURNAL_FAILED.code());
            assertThat(writer.acknowledged()).isLessThanOrEqualTo(1);
            one.endSession().start();
            assertThat(scene.client().readOne(ledgerId, 0).payloads()).containsExactly(payload(ledgerId, 0));
        }
    }

    // ---- damage ----

    private List<String> rings(int journal) {
        return drive(journal).image().files().stream()
                .filter(name -> name.endsWith(".ring"))
                .toList();
    }

    // B9: the file of incarnations in the middle of journal 1 is gone.
    @Test
    void lostFileOfOneJournalIsNoticedAndItsDirectoryNamed() {
        add(LEDGERS[0], 0, 5);
        add(LEDGERS[1], 0, 5);
        one.crash(CrashMode.LOSE_ALL);
        one.endSession();
        drive(1).lose(rings(1).get(0));

        StartTest.assertRefusal(
                one.tryStart(), ExitCode.JOURNAL_DAMAGED, "in /journal-b: the journal of 3 files lacks");
    }

    // D9, B6: which of the journals lost something is not told apart.
    @Test
    void afterDamageOfOneJournalIsAcceptedNothingIsCalledAbsent() {
        add(LEDGERS[0], 0, 5);
        add(LEDGERS[1], 0, 5);
        one.crash(CrashMode.LOSE_ALL);
        one.endSession();
        rings(1).forEach(name -> drive(1).lose(name));
        one.stores();
        try (OfflineBookie offline = OfflineBookie.open(one.config, one.machine.host())) {
            offline.acceptDamage();
        }

        one.start();

        TestClient reader = scene.client();
        one.until(() -> one.stores().bookies().live().join().stream().noneMatch(BookieRegistration::readOnly));
        assertThat(reader.readOne(LEDGERS[0], 0).payloads()).containsExactly(payload(LEDGERS[0], 0));
        assertThat(reader.readOne(LEDGERS[1], 0).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
        assertThat(reader.readOne(LEDGERS[2], 0).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
        assertThat(one.client(LinkKind.APPEND).addAndWait(LEDGERS[1], 9, "late"))
                .isEqualTo(StatusCode.FENCED);
    }

    // ---- compaction ----

    // B13: journal 0 is far ahead of journal 1 when ledgers of that are copied, and when one of them is given up.
    @Test
    void ledgerThatWasGivenUpInASlowJournalStaysGoneAndWhatIsAddedLaterStays() {
        long gone = ledgerOf(1, 3);
        long kept = ledgerOf(1, 4);
        long dying = ledgerOf(1, 5);
        scene.createLedgers(gone, kept, dying);
        for (int round = 0; round < 10; round++) {
            add(gone, round, round + 1);
            add(kept, 5 * round, 5 * round + 5);
            add(dying, 20 * round, 20 * round + 20);
        }
        add(LEDGERS[0], 0, 600);
        startAgain();
        scene.delete(dying);
        assertThat(compactedLogs()).isNotEmpty();

        List<String> before = compactedLogs();
        scene.delete(gone);
        assertThat(compactedLogs()).containsAll(before);
        add(kept, 50, 52);
        for (int starts = 0; starts < 2; starts++) {
            one.crash(CrashMode.LOSE_ALL).start();

            scene.assertGone(gone, 10);
            assertThere(kept, 52);
            assertThere(LEDGERS[0], 600);
            scene.majorRound();
        }
    }

    private List<String> compactedLogs() {
        return scene.logs().stream()
                .filter(name -> EntryLogFormat.isCompacted(EntryLogFormat.logId(name)))
                .toList();
    }

    // ---- directories (B15, S-32) ----

    private void stopped() {
        one.close();
        one.endSession();
    }

    @Test
    void swappedJournalsRefuseTheStart() {
        stopped();
        one.config = one.config.withDirectories(List.of("/journal", "/journal-c", "/journal-b"), DATA);

        StartTest.assertRefusal(
                one.tryStart(),
                ExitCode.IDENTITY,
                "/journal-c (journal-1) was formatted as journal-2: the directories are swapped");
    }

    @Test
    void emptyJournalRefusesTheStart() {
        stopped();
        one.machine.wipe(PATHS.get(1));

        StartTest.assertRefusal(one.tryStart(), ExitCode.IDENTITY, "/journal-b (journal-1) is empty");
    }

    @Test
    void journalOfAnotherBookieRefusesTheStart() {
        stopped();
        SimulatedBookie other = new SimulatedBookie(4);
        other.config = other.config.withDirectories(PATHS, DATA);
        other.format();
        drive(2).replace(other.machine.drive(PATHS.get(2)).image().copy());

        StartTest.assertRefusal(one.tryStart(), ExitCode.IDENTITY, "/journal-c (journal-2) belongs to bookie");
    }

    // P-124
    @Test
    void journalThatIsNotNamedAnyMoreRefusesTheStart() {
        stopped();
        one.config = one.config.withDirectories(PATHS.subList(0, 2), DATA);

        StartTest.assertRefusal(
                one.tryStart(),
                ExitCode.IDENTITY,
                "no directory is named for journal-2: name all of them in bookie.journal-directories");
    }

    // P-124
    @Test
    void additionalJournalRefusesTheStart() {
        stopped();
        one.machine.host().disk("/journal-d").createDirectories("");
        one.config = one.config.withDirectories(List.of("/journal", "/journal-b", "/journal-c", "/journal-d"), DATA);

        StartTest.assertRefusal(
                one.tryStart(),
                ExitCode.IDENTITY,
                "/journal-d (journal-3) is none of bookie",
                "take it out of bookie.journal-directories");
    }

    @Test
    void checkpointIsReadWhileOneCopyIsLeft() {
        add(LEDGERS[0], 0, 60);
        add(LEDGERS[1], 0, 2);
        one.crash(CrashMode.LOSE_ALL);
        one.endSession();
        one.stores();
        for (String path : List.of("/data", "/journal", "/journal-b")) {
            Disk disk = one.machine.host().disk(path);
            disk.delete("checkpoint");
            disk.syncDirectory("");
        }

        one.start();

        assertThere(LEDGERS[0], 60);
        assertThere(LEDGERS[1], 2);
    }

    /** Notes the incarnations of the files that would be replayed. */
    record Files(List<Integer> incarnations) implements ReplayTarget {
        @Override
        public void fileBegins(int incarnation, ByteBuffer image) {
            incarnations.add(incarnation);
        }

        @Override
        public void entry(int offset) {}

        @Override
        public void fence(long ledgerId) {}

        @Override
        public void limbo(long ledgerId, int limbo) {}

        @Override
        public void published(long ledgerId, long lastAddConfirmed) {}

        @Override
        public void buried(long ledgerId) {}

        @Override
        public void fileEnds(long nextSequence) {}
    }
}
