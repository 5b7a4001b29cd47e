// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.bookie.disk.SpaceConfig;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.IndexFile;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskFaults;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One bookie with three data directories, each on a device of its own, of which one fills up or fails (S-18). */
final class SeveralDirectoriesTest {
    private static final int CAPACITY = 1024 * 1024;
    private static final List<String> PATHS = List.of("/data", "/data-b", "/data-c");
    private static final long LEDGER = 5;
    private static final int ENTRIES = 150;

    private final CleanupScene scene = new CleanupScene(71);
    private final SimulatedBookie one = scene.one;
    private int ballasts;
    private int stored;

    @BeforeEach
    void threeDevices() {
        drives().forEach(drive -> drive.quality(DiskQuality.SOLID_STATE.withCapacity(CAPACITY)));
        one.config = one.config.withSpace(new SpaceConfig(3)).withDirectories(List.of(SimulatedBookie.JOURNAL), PATHS);
        scene.start();
        scene.createLedgers(LEDGER);
        one.world.runFor(TimeUnit.SECONDS.toNanos(3));
    }

    private List<DiskDrive> drives() {
        return PATHS.stream().map(one.machine::drive).toList();
    }

    private Disk disk(int directory) {
        return one.machine.host().disk(PATHS.get(directory));
    }

    private List<String> logs(int directory) {
        return disk(directory).list("").stream()
                .filter(name -> EntryLogFormat.logId(name) != EntryLogFormat.NO_LOG)
                .toList();
    }

    private static String payload(int entryId) {
        return "entry " + entryId + "x".repeat(1000);
    }

    private void add(int entries) {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int end = stored + entries; stored < end; stored++) {
            assertThat(writer.addAndWait(LEDGER, stored, payload(stored))).isEqualTo(StatusCode.OK);
        }
        writer.close();
    }

    private void assertAllRead() {
        TestClient reader = one.client(LinkKind.OTHER);
        for (int i = 0; i < stored; i++) {
            assertThat(reader.readOne(LEDGER, i).payloads()).as("entry %d", i).containsExactly(payload(i));
        }
        assertThat(reader.readOne(LEDGER, stored).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        reader.close();
    }

    /** Somebody else fills a device to the last bytes. */
    private void fill(int directory) {
        for (int bytes = 64 * 1024; bytes >= 8; bytes /= 2) {
            while (disk(directory).usableBytes("") >= bytes) {
                try (DiskFile file = disk(directory).open("ballast-" + ballasts++, Disk.OpenMode.CREATE_NEW)) {
                    file.write(0, ByteBuffer.allocate(bytes));
                    file.sync();
                } catch (DiskException full) {
                    break;
                }
            }
        }
        disk(directory).syncDirectory("");
        assertThat(disk(directory).usableBytes("")).isLessThan(16);
    }

    private void unfill(int directory) {
        for (String name : disk(directory).list("")) {
            if (name.startsWith("ballast")) {
                disk(directory).delete(name);
            }
        }
        disk(directory).syncDirectory("");
    }

    private boolean isRegisteredReadOnly() {
        return one.stores().bookies().live().join().stream()
                .findFirst()
                .map(BookieRegistration::readOnly)
                .orElseThrow();
    }

    @Test
    void logsGoWhereMostSpaceIsAndAllAreFoundAgain() {
        add(ENTRIES);
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));

        for (int directory = 0; directory < PATHS.size(); directory++) {
            assertThat(logs(directory)).as(PATHS.get(directory)).isNotEmpty();
        }
        assertAllRead();
        one.crash(CrashMode.LOSE_ALL).start();
        assertAllRead();
        add(ENTRIES);
        one.close();
        one.endSession().start();
        assertAllRead();
    }

    // P-113; S-18 (a)
    @Test
    void fullDirectoryGetsNoWritesWhileTheOthersTakeThem() {
        add(60);
        fill(1);
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        List<String> logsBefore = logs(1);

        add(ENTRIES);

        one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(isRegisteredReadOnly()).isFalse();
        assertThat(logs(1)).isEqualTo(logsBefore);
        assertAllRead();
        one.crash(CrashMode.LOSE_ALL).start();
        assertAllRead();
    }

    // S-18 (a)
    @Test
    void cleanupGoesOnInAllDirectoriesWhileOneIsFull() {
        scene.createLedgers(6);
        add(ENTRIES);
        scene.fill(6, 200);
        fill(1);
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        long before = bytesOfLogs();
        assertThat(logs(1)).isNotEmpty();

        scene.metadata().delete(LEDGER).join();
        scene.roundsOfGrace();
        CleanupReport report = scene.majorRound();

        assertThat(report.lastFailure()).isEmpty();
        assertThat(report.logsRemoved()).isPositive();
        assertThat(bytesOfLogs()).isLessThan(before);
        assertThat(disk(1).usableBytes("")).as("of the full one too").isGreaterThan(512);
        scene.assertHeld(6, 200);
        one.crash(CrashMode.LOSE_ALL).start();
        scene.assertHeld(6, 200);
        scene.assertGone(LEDGER, ENTRIES);
    }

    private long bytesOfLogs() {
        long bytes = 0;
        for (int directory = 0; directory < PATHS.size(); directory++) {
            for (String name : logs(directory)) {
                bytes += one.machine.drive(PATHS.get(directory)).image().durableBytes(name).length;
            }
        }
        return bytes;
    }

    private List<String> allLogs() {
        List<String> all = new ArrayList<>();
        for (int directory = 0; directory < PATHS.size(); directory++) {
            all.addAll(logs(directory));
        }
        return all;
    }

    // S-18 (a), S-17
    @Test
    void itIsReadOnlyOnlyWhenAllAreFull() {
        add(20);
        fill(0);
        fill(1);
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(isRegisteredReadOnly()).isFalse();

        fill(2);
        one.until(this::isRegisteredReadOnly);
        assertAllRead();

        unfill(1);
        one.until(() -> !isRegisteredReadOnly());
        add(ENTRIES);
        assertAllRead();
    }

    // P-113; S-18 (b), D10
    @Test
    void entriesOfADirectoryThatCannotBeReadAreUnknownAndNeverAbsent() {
        add(ENTRIES);
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        one.close();
        one.endSession().start();
        one.machine.drive(PATHS.get(1)).faults().failAlways(DiskFaults.Call.READ, "");
        TestClient reader = one.client(LinkKind.OTHER);

        int unreadable = 0;
        for (int i = 0; i < stored; i++) {
            TestClient.Answered answer = reader.readOne(LEDGER, i);
            if (answer.header().status() == StatusCode.OK) {
                assertThat(answer.payloads()).containsExactly(payload(i));
            } else {
                assertThat(answer.header().status()).as("entry %d", i).isEqualTo(StatusCode.UNKNOWN_STATE);
                unreadable++;
            }
        }

        assertThat(unreadable).isBetween(1, stored - 1);
        add(20);
        one.machine.drive(PATHS.get(1)).faults().heal();
        assertAllRead();
    }

    // S-18 (c), D9, B6: the directory is the right one, but what was in it is gone.
    @Test
    void directoryThatKeptItsCookieAloneMakesNothingAbsent() {
        add(ENTRIES);
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        one.close();
        one.endSession();
        List<String> lost = disk(1).list("");
        assertThat(logs(1)).isNotEmpty();
        for (String name : lost) {
            if (!name.equals("cookie") && !name.equals("LOCK")) {
                disk(1).delete(name);
            }
        }
        disk(1).syncDirectory("");

        one.start();

        TestClient reader = one.client(LinkKind.OTHER);
        int unknown = 0;
        for (int i = 0; i < stored; i++) {
            TestClient.Answered answer = reader.readOne(LEDGER, i);
            assertThat(answer.header().status()).as("entry %d", i).isIn(StatusCode.OK, StatusCode.UNKNOWN_STATE);
            unknown += answer.header().status() == StatusCode.OK ? 0 : 1;
        }
        assertThat(unknown).isBetween(1, stored - 1);
        assertThat(reader.addAndWait(LEDGER, stored, "a fence may be lost as well"))
                .isIn(StatusCode.READ_ONLY, StatusCode.FENCED);
    }

    // S-18 (b), S-15: what cannot be read is kept, the rest is compacted.
    @Test
    void cleanupGoesOnAroundADirectoryThatCannotBeRead() {
        scene.createLedgers(6);
        add(ENTRIES);
        scene.fill(6, 200);
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        List<String> unreadable = logs(1);
        one.machine.drive(PATHS.get(1)).faults().failAlways(DiskFaults.Call.READ, "");

        scene.metadata().delete(LEDGER).join();
        scene.roundsOfGrace();
        CleanupReport report = scene.majorRound();

        assertThat(report.logsRemoved()).isPositive();
        assertThat(logs(1)).containsAll(unreadable);
        one.machine.drive(PATHS.get(1)).faults().heal();
        scene.assertHeld(6, 200);
    }

    // S-18 (b), B10: a failed write ends the process, and nothing acknowledged is lost.
    @Test
    void failedWriteToOneDirectoryEndsTheBookieWithItsExitCode() {
        add(60);
        drives().forEach(drive -> drive.faults().failOnce(DiskFaults.Call.WRITE, "entries"));
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = stored; i < stored + ENTRIES && one.machine.isRunning(); i++) {
            writer.add(LEDGER, i, payload(i));
            one.world.runFor(TimeUnit.MILLISECONDS.toNanos(5));
        }

        one.until(() -> !one.machine.isRunning());

        assertThat(Objects.requireNonNull(one.machine.lastHalt()).exitCode()).isEqualTo(ExitCode.STORAGE_FAILED.code());
        int acknowledged = writer.acknowledged();
        drives().forEach(drive -> drive.faults().heal());
        one.endSession().start();
        stored += acknowledged;
        TestClient reader = one.client(LinkKind.OTHER);
        for (int i = 0; i < stored; i++) {
            assertThat(reader.readOne(LEDGER, i).payloads()).as("entry %d", i).containsExactly(payload(i));
        }
    }

    // S-18 (c), B15
    @Test
    void directoryReplacedByAnEmptyOneRefusesTheStart() {
        add(60);
        one.close();
        one.endSession();
        one.machine.wipe(PATHS.get(1));

        StartTest.assertRefusal(one.tryStart(), ExitCode.IDENTITY, "/data-b (data-1) is empty");
    }

    // B15
    @Test
    void swappedDataDirectoriesRefuseTheStart() {
        one.close();
        one.endSession();
        one.config =
                one.config.withDirectories(List.of(SimulatedBookie.JOURNAL), List.of("/data", "/data-c", "/data-b"));

        StartTest.assertRefusal(
                one.tryStart(),
                ExitCode.IDENTITY,
                "/data-c (data-1) was formatted as data-2: the directories are swapped");
    }

    // B15
    @Test
    void dataDirectoryOfAnotherBookieRefusesTheStart() {
        one.close();
        one.endSession();
        SimulatedBookie other = new SimulatedBookie(4);
        other.config = other.config.withDirectories(List.of(SimulatedBookie.JOURNAL), PATHS);
        other.format();
        one.machine
                .drive(PATHS.get(2))
                .replace(other.machine.drive(PATHS.get(2)).image().copy());

        StartTest.assertRefusal(one.tryStart(), ExitCode.IDENTITY, "/data-c (data-2) belongs to bookie");
    }

    // B15
    @Test
    void directoryThatIsNotNamedAnyMoreRefusesTheStart() {
        one.close();
        one.endSession();
        one.config = one.config.withDirectories(List.of(SimulatedBookie.JOURNAL), PATHS.subList(0, 2));

        StartTest.assertRefusal(one.tryStart(), ExitCode.IDENTITY, "no directory is named for data-2");
    }

    // B15: the set of directories is that of the format.
    @Test
    void additionalDirectoryRefusesTheStart() {
        one.close();
        one.endSession();
        one.machine.host().disk("/data-d").createDirectories("");
        one.config = one.config.withDirectories(
                List.of(SimulatedBookie.JOURNAL), List.of("/data", "/data-b", "/data-c", "/data-d"));

        StartTest.assertRefusal(one.tryStart(), ExitCode.IDENTITY, "/data-d (data-3) is none of bookie");
    }

    // B15
    @Test
    void fileThatIsInTwoDirectoriesRefusesTheStart() {
        add(60);
        one.close();
        one.endSession();
        String name = logs(0).get(0);
        copy(name, 0, 1);

        StartTest.assertRefusal(one.tryStart(), ExitCode.IDENTITY, name + " is in two data directories");
        disk(1).delete(name);
        one.start();
        assertAllRead();
    }

    // B15: a log may be moved by hand; its index file is made again where that stands.
    @Test
    void logThatWasMovedWithoutItsDamagedIndexFileIsServedAfterEveryStart() {
        add(60);
        one.close();
        one.endSession();
        String name = logs(0).get(0);
        copy(name, 0, 1);
        disk(0).delete(name);
        disk(0).syncDirectory("");
        one.machine.drive(PATHS.get(0)).corrupt(IndexFile.name(EntryLogFormat.logId(name)), 60, 0x40);

        one.start();
        assertAllRead();
        one.close();
        one.endSession();
        one.start();
        assertAllRead();
    }

    private void copy(String name, int from, int to) {
        try (DiskFile origin = disk(from).open(name, Disk.OpenMode.READ_ONLY);
                DiskFile copy = disk(to).open(name, Disk.OpenMode.CREATE_NEW)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) origin.size());
            origin.read(0, bytes);
            copy.write(0, bytes.flip());
            copy.sync();
        }
        disk(to).syncDirectory("");
    }

    // S-24: an interrupted format is continued with the same set only.
    @Test
    void interruptedFormatIsNotContinuedWithOtherDirectories() {
        SimulatedBookie begun = new SimulatedBookie(3);
        begun.journal().replace(one.journal().image().copy());
        begun.stores();
        for (String name : begun.machine.host().disk(SimulatedBookie.JOURNAL).list("")) {
            if (!name.equals("cookie")) {
                begun.machine.host().disk(SimulatedBookie.JOURNAL).delete(name);
            }
        }
        var formatting = BookieFormat.format(begun.config, begun.machine.host(), begun.stores());
        begun.until(formatting::isDone);

        StartTest.assertRefusal(formatting, ExitCode.IDENTITY, "was begun with data-0, data-1, data-2, journal-0");
    }

    // B12, S-24: a crash at any operation of any device leaves what was acknowledged, and no log twice.
    @Test
    void crashAnywhereInAFlushLeavesEachLogInOneDirectory() {
        for (int nth = 1; nth <= 40; nth++) {
            TestClient writer = one.client(LinkKind.APPEND);
            int before = stored;
            one.machine.crashAtDiskOperation(nth * 7L, false);
            for (int i = 0; i < 40 && one.machine.isRunning(); i++) {
                writer.add(LEDGER, before + i, payload(before + i));
                one.world.runFor(TimeUnit.MILLISECONDS.toNanos(2));
            }
            int acknowledged = writer.acknowledged();
            if (one.machine.isRunning()) {
                one.crash(CrashMode.LOSE_ALL);
            }
            one.endSession().start();
            assertThat(allLogs()).doesNotHaveDuplicates();
            TestClient reader = one.client(LinkKind.OTHER);
            stored = before + acknowledged;
            for (int i = before; i < stored; i++) {
                assertThat(reader.readOne(LEDGER, i).payloads())
                        .as("crash %d entry %d", nth, i)
                        .containsExactly(payload(i));
            }
            while (reader.readOne(LEDGER, stored).header().status() == StatusCode.OK) {
                stored++;
            }
            reader.close();
        }
        assertThat(stored).isPositive();
    }
}
