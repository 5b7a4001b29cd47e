// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Disk;
import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.DiskFile.CommitHandler;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskFaults.Call;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What each fault of a disk does to the calls of a live process and to what is left after a crash. */
final class DiskFaultsTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedWorld world = new SimulatedWorld(3);
    private final SimulatedMachine machine = world.machine("a");
    private final SimulatedHost host = machine.start();
    private final EventLoop loop = host.newLoop("a-0", LoopKind.STORAGE);
    private final DiskDrive drive = machine.drive("/data");
    private final Disk disk = host.disk("/data");
    private final List<String> events = new ArrayList<>();

    private static ByteBuffer bytes(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return ByteBuffer.wrap(bytes);
    }

    private static byte[] read(DiskFile file) {
        ByteBuffer target = ByteBuffer.allocate((int) file.size());
        file.read(0, target);
        return target.array();
    }

    private DiskFile newFile(String path) {
        DiskFile file = disk.open(path, OpenMode.CREATE_NEW);
        disk.syncDirectory("");
        return file;
    }

    private static void assertFails(DiskException.Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DiskException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    private CommitHandler recording(String name) {
        return new CommitHandler() {
            @Override
            public void committed() {
                events.add(name);
            }

            @Override
            public void failed(DiskException failure) {
                events.add(name + " " + failure.kind());
            }
        };
    }

    @Test
    void failedSyncLeavesPagesCleanSoThatTheNextSyncSavesNothing() {
        DiskFile file = newFile("a");
        file.write(0, bytes(4, 1));
        file.sync();
        file.write(0, bytes(4, 2));
        drive.faults().failOnce(Call.SYNC, "a");

        assertFails(DiskException.Kind.IO, file::sync);
        file.sync();

        assertThat(read(file)).containsExactly(2, 2, 2, 2);
        machine.crash(CrashMode.KEEP_ALL);
        assertThat(read(machine.start().disk("/data").open("a", OpenMode.READ_ONLY)))
                .containsExactly(1, 1, 1, 1);
    }

    @Test
    void whatIsWrittenAfterAFailedSyncIsSavedByTheNext() {
        DiskFile file = newFile("a");
        file.write(0, bytes(512, 1));
        drive.faults().failOnce(Call.SYNC, "");
        assertFails(DiskException.Kind.IO, file::sync);
        file.write(512, bytes(512, 2));
        file.sync();

        machine.crash(CrashMode.LOSE_ALL);

        byte[] left = read(machine.start().disk("/data").open("a", OpenMode.READ_ONLY));
        assertThat(left).hasSize(1024);
        assertThat(left[0]).isZero();
        assertThat(left[512]).isEqualTo((byte) 2);
    }

    @Test
    void failedSyncOfADirectoryLeavesNamesAtRisk() {
        disk.open("a", OpenMode.CREATE_NEW);
        drive.faults().failOnce(Call.SYNC_DIRECTORY, "");

        assertFails(DiskException.Kind.IO, () -> disk.syncDirectory(""));
        machine.crash(CrashMode.LOSE_ALL);

        assertThat(machine.start().disk("/data").list("")).isEmpty();
    }

    @Test
    void readAndWriteErrorsComeOnceOrUntilHealed() {
        DiskFile file = newFile("a");
        file.write(0, bytes(4, 1));
        drive.faults().failOnce(Call.WRITE, "a");
        drive.faults().failAlways(Call.READ, "a");

        assertFails(DiskException.Kind.IO, () -> file.write(0, bytes(4, 2)));
        file.write(2, bytes(2, 3));
        assertFails(DiskException.Kind.IO, () -> read(file));
        assertFails(DiskException.Kind.IO, () -> read(file));
        drive.faults().heal();

        assertThat(read(file)).containsExactly(1, 1, 3, 3);
    }

    @Test
    void faultOfOnePathSparesTheOthers() {
        DiskFile good = newFile("good");
        DiskFile bad = newFile("bad");
        drive.faults().failAlways(Call.SYNC, "bad");

        good.sync();
        assertFails(DiskException.Kind.IO, bad::sync);
    }

    @Test
    void fullDiskTakesWholeSectorsOfAWriteAndHasRoomAgainAfterADelete() {
        drive.quality(DiskQuality.SOLID_STATE.withCapacity(3000));
        DiskFile file = newFile("a");
        file.write(0, bytes(1000, 1));
        assertThat(disk.usableBytes("")).isEqualTo(2000);

        assertFails(DiskException.Kind.FULL, () -> file.write(1000, bytes(2500, 2)));
        assertThat(file.size()).isEqualTo(1000 + 3 * 512);
        file.write(0, bytes(1000, 3));
        assertFails(DiskException.Kind.FULL, () -> file.truncate(4000));

        disk.delete("a");
        newFile("b").write(0, bytes(2500, 4));
    }

    @Test
    void commitsToAFullDiskFail() {
        drive.quality(DiskQuality.SOLID_STATE.withCapacity(1000));
        DiskFile file = newFile("a");
        loop.execute(() -> {
            file.commit(0, bytes(900, 1), loop, recording("first"));
            file.commit(900, bytes(900, 1), loop, recording("second"));
        });
        world.runFor(SECOND);

        assertThat(events).containsExactly("first", "second FULL");
        assertThat(file.size()).isEqualTo(900);
    }

    @Test
    void failedCommitIsSeenByReadsAndGoneAfterACrash() {
        DiskFile file = newFile("a");
        drive.faults().failOnce(Call.COMMIT, "a");
        loop.execute(() -> file.commit(0, bytes(100, 1), loop, recording("commit")));
        world.runFor(SECOND);
        assertThat(events).containsExactly("commit IO");
        assertThat(read(file)).hasSize(100);

        machine.crash(CrashMode.KEEP_ALL);

        assertThat(machine.start().disk("/data").open("a", OpenMode.READ_ONLY).size())
                .isZero();
    }

    @Test
    void stuckCommitsCompleteInOrderWhenReleased() {
        DiskFile file = newFile("a");
        drive.faults().stick();
        loop.execute(() -> {
            for (int i = 0; i < 4; i++) {
                file.commit(i, bytes(1, i), loop, recording("commit " + i));
            }
        });
        world.runFor(3600 * SECOND);
        assertThat(events).isEmpty();

        drive.faults().release();
        world.runFor(SECOND);
        assertThat(events).containsExactly("commit 0", "commit 1", "commit 2", "commit 3");
    }

    @Test
    void stalledDiskBlocksTheLoopThatCallsIt() {
        DiskFile file = newFile("a");
        drive.faults().stallFor(10 * SECOND);
        loop.execute(() -> {
            file.sync();
            loop.execute(() -> events.add("after the sync"));
        });

        world.runFor(9 * SECOND);
        assertThat(events).isEmpty();
        world.runFor(2 * SECOND);
        assertThat(events).containsExactly("after the sync");
    }

    @Test
    void rotChangesWhatIsReadAndWhatIsDurable() {
        DiskFile file = newFile("a");
        file.write(0, bytes(4, 1));
        file.sync();

        drive.corrupt("a", 2, 0x10);

        assertThat(read(file)).containsExactly(1, 1, 0x11, 1);
        assertThat(drive.image().durableBytes("a")).containsExactly(1, 1, 0x11, 1);
    }

    @Test
    void callerThatChangesTheBytesOfACommitIsReported() {
        DiskFile file = newFile("a");
        drive.faults().stick();
        world.onFailure((on, failure) -> events.add("failure"));
        ByteBuffer source = bytes(10, 1);
        loop.execute(() -> {
            file.commit(0, source, loop, recording("commit"));
            source.put(3, (byte) 9);
        });
        world.runFor(SECOND);
        drive.faults().release();
        world.runFor(SECOND);

        assertThat(events).containsExactly("failure");
    }
}
