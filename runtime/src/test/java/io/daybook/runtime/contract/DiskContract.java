// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Disk;
import io.daybook.runtime.Disk.DirectoryLock;
import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskException.Kind;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link Disk} promises while nothing crashes; {@link DurableFileContract} says more of files for journals. */
public abstract class DiskContract {
    private PortsUnderTest ports;
    private Turns turns;
    private EventLoop loop;
    private Disk disk;

    /** Makes the ports of one test. */
    protected abstract PortsUnderTest start();

    @BeforeEach
    void startPorts() {
        ports = start();
        turns = new Turns(ports);
        loop = ports.host().newLoop("storage", LoopKind.STORAGE);
        disk = ports.host().disk(ports.diskRoot());
    }

    @AfterEach
    void closePorts() {
        ports.close();
    }

    private void onLoop(Runnable action) {
        turns.run(loop, action);
    }

    private static void assertRefused(Kind kind, String named, ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        DiskException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(kind))
                .hasMessageContaining(named);
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    private static List<Integer> read(DiskFile file, long position, int count) {
        ByteBuffer target = ByteBuffer.allocateDirect(count);
        int read = file.read(position, target);
        assertThat(target.position()).isEqualTo(read);
        target.flip();
        return IntStream.range(0, read).mapToObj(i -> (int) target.get(i)).toList();
    }

    private DiskFile newFile(String path) {
        return disk.open(path, OpenMode.CREATE_NEW);
    }

    @Test
    void newFileIsEmptyAndKnowsItsPath() {
        onLoop(() -> {
            try (DiskFile file = newFile("a")) {
                assertThat(file.size()).isZero();
                assertThat(file.path()).isEqualTo("a");
                assertThat(disk.exists("a")).isTrue();
                assertThat(disk.exists("b")).isFalse();
            }
        });
    }

    @Test
    void createNewRefusesATakenName() {
        onLoop(() -> {
            newFile("taken").close();
            disk.createDirectories("directory");

            assertRefused(Kind.EXISTS, "taken", () -> newFile("taken"));
            assertRefused(Kind.EXISTS, "directory", () -> newFile("directory"));
        });
    }

    @Test
    void everyOtherModeNeedsTheFile() {
        onLoop(() -> {
            for (OpenMode mode : List.of(OpenMode.READ_WRITE, OpenMode.READ_WRITE_DURABLE, OpenMode.READ_ONLY)) {
                assertRefused(Kind.NOT_FOUND, "missing", () -> disk.open("missing", mode));
            }
            assertRefused(Kind.NOT_FOUND, "nowhere/file", () -> newFile("nowhere/file"));
            assertThat(disk.list("")).isEmpty();
        });
    }

    @Test
    void readOnlyFileRefusesToBeWritten() {
        onLoop(() -> {
            newFile("a").close();
            try (DiskFile file = disk.open("a", OpenMode.READ_ONLY)) {
                assertRefused(Kind.IO, "a", () -> file.write(0, bytes(1)));
                assertRefused(Kind.IO, "a", () -> file.truncate(10));
                assertThat(file.size()).isZero();
            }
        });
    }

    @Test
    void writtenBytesAreReadBackAtTheirPositions() {
        onLoop(() -> {
            try (DiskFile file = newFile("a")) {
                file.write(0, bytes(1, 2, 3, 4));
                file.write(2, bytes(30, 40, 50));
                file.sync();

                assertThat(read(file, 0, 5)).containsExactly(1, 2, 30, 40, 50);
                assertThat(read(file, 3, 1)).containsExactly(40);
                assertThat(file.size()).isEqualTo(5);
            }
            try (DiskFile file = disk.open("a", OpenMode.READ_ONLY)) {
                assertThat(read(file, 0, 5)).containsExactly(1, 2, 30, 40, 50);
            }
        });
    }

    @Test
    void writeTakesAllRemainingBytesOfDirectAndHeapBuffers() {
        onLoop(() -> {
            try (DiskFile file = newFile("a")) {
                ByteBuffer direct = bytes(9, 1, 2, 9).position(1).limit(3);
                ByteBuffer heap = ByteBuffer.wrap(new byte[] {9, 3, 4, 9}, 1, 2);
                ByteBuffer readOnly = ByteBuffer.wrap(new byte[] {5}).asReadOnlyBuffer();

                file.write(0, direct);
                file.write(2, heap);
                file.write(4, readOnly);
                file.write(5, bytes());

                assertThat(direct.hasRemaining() || heap.hasRemaining() || readOnly.hasRemaining())
                        .isFalse();
                assertThat(direct.limit()).isEqualTo(3);
                assertThat(read(file, 0, 10)).containsExactly(1, 2, 3, 4, 5);
            }
        });
    }

    @Test
    void readStopsAtTheEndOfTheFile() {
        onLoop(() -> {
            try (DiskFile file = newFile("a")) {
                file.write(0, bytes(1, 2, 3));

                assertThat(read(file, 1, 10)).containsExactly(2, 3);
                assertThat(read(file, 3, 10)).isEmpty();
                assertThat(read(file, 1000, 10)).isEmpty();
                assertThat(read(file, 0, 0)).isEmpty();
            }
        });
    }

    @Test
    void gapLeftByAWriteReadsAsZeros() {
        onLoop(() -> {
            try (DiskFile file = newFile("a")) {
                file.write(3, bytes(7));

                assertThat(read(file, 0, 10)).containsExactly(0, 0, 0, 7);
            }
        });
    }

    @Test
    void truncateCutsAndExtendsWithZeros() {
        onLoop(() -> {
            try (DiskFile file = newFile("a")) {
                file.write(0, bytes(1, 2, 3, 4));

                file.truncate(2);
                assertThat(file.size()).isEqualTo(2);
                file.truncate(5);

                assertThat(file.size()).isEqualTo(5);
                assertThat(read(file, 0, 10)).containsExactly(1, 2, 0, 0, 0);
                file.sync();
            }
        });
    }

    @Test
    void twoHandlesSeeTheSameFile() {
        onLoop(() -> {
            try (DiskFile writer = newFile("a");
                    DiskFile reader = disk.open("a", OpenMode.READ_ONLY)) {
                writer.write(0, bytes(1, 2, 3));

                assertThat(read(reader, 0, 10)).containsExactly(1, 2, 3);
                assertThat(reader.size()).isEqualTo(3);
            }
        });
    }

    @Test
    void fileIsReadFromSeveralLoopsAtOnce() {
        EventLoop other = ports.host().newLoop("reader", LoopKind.STORAGE);
        DiskFile file = turns.on(loop, () -> newFile("a"));
        onLoop(() -> file.write(0, bytes(1, 2, 3)));

        assertThat(turns.on(other, () -> read(file, 0, 3))).containsExactly(1, 2, 3);
        assertThat(turns.on(loop, () -> read(file, 1, 3))).containsExactly(2, 3);
    }

    @Test
    void closedFileRefusesEverythingAndClosesAgain() {
        onLoop(() -> {
            DiskFile file = newFile("a");
            file.close();
            file.close();

            assertRefused(Kind.IO, "a", () -> file.write(0, bytes(1)));
            assertRefused(Kind.IO, "a", () -> file.read(0, ByteBuffer.allocate(1)));
            assertRefused(Kind.IO, "a", file::sync);
        });
    }

    @Test
    void directoriesAreMadeWithTheirParentsAndListedSorted() {
        onLoop(() -> {
            disk.createDirectories("x/y/z");
            disk.createDirectories("x/y/z");
            disk.createDirectories("");
            newFile("x/y/c").close();
            newFile("x/y/B").close();
            newFile("x/y/a10").close();
            newFile("x/y/a9").close();

            assertThat(disk.list("x/y")).containsExactly("B", "a10", "a9", "c", "z");
            assertThat(disk.list("x/y/z")).isEmpty();
            assertThat(disk.list("")).containsExactly("x");
            assertThat(disk.exists("x/y/z")).isTrue();
            assertThat(disk.exists("")).isTrue();
            assertRefused(Kind.NOT_FOUND, "missing", () -> disk.list("x/missing"));
        });
    }

    @Test
    void directoryCannotReplaceAFile() {
        onLoop(() -> {
            newFile("file").close();

            assertRefused(Kind.EXISTS, "file", () -> disk.createDirectories("file"));
        });
    }

    @Test
    void renameReplacesTheTarget() {
        onLoop(() -> {
            try (DiskFile old = newFile("mark");
                    DiskFile fresh = newFile("mark.new")) {
                old.write(0, bytes(1));
                fresh.write(0, bytes(2));
                fresh.sync();
            }

            disk.rename("mark.new", "mark");
            disk.syncDirectory("");

            assertThat(disk.list("")).containsExactly("mark");
            try (DiskFile file = disk.open("mark", OpenMode.READ_ONLY)) {
                assertThat(read(file, 0, 10)).containsExactly(2);
            }
            assertRefused(Kind.NOT_FOUND, "missing", () -> disk.rename("missing", "mark"));
        });
    }

    @Test
    void deleteRemovesAFileAndRefusesAMissingOne() {
        onLoop(() -> {
            disk.createDirectories("d");
            newFile("d/a").close();

            disk.delete("d/a");
            disk.syncDirectory("d");

            assertThat(disk.exists("d/a")).isFalse();
            assertThat(disk.list("d")).isEmpty();
            assertRefused(Kind.NOT_FOUND, "d/a", () -> disk.delete("d/a"));
            newFile("d/a").close();
        });
    }

    @Test
    void deletedFileCanBeReadByWhoHasItOpen() {
        onLoop(() -> {
            try (DiskFile file = newFile("a")) {
                file.write(0, bytes(1, 2));
                disk.delete("a");

                assertThat(read(file, 0, 10)).containsExactly(1, 2);
            }
        });
    }

    @Test
    void missingDirectoryCannotBeSynced() {
        onLoop(() -> assertRefused(Kind.NOT_FOUND, "missing", () -> disk.syncDirectory("missing")));
    }

    @Test
    void blocksAreAPowerOfTwoAndSpaceIsCounted() {
        onLoop(() -> {
            assertThat(Integer.bitCount(disk.blockBytes())).isOne();
            assertThat(disk.usableBytes("")).isPositive().isLessThanOrEqualTo(disk.totalBytes(""));
        });
    }

    @Test
    void directoryIsLockedForOneOwner() {
        onLoop(() -> {
            disk.createDirectories("d");
            disk.createDirectories("e");
            Disk sameDisk = ports.host().disk(ports.diskRoot());

            DirectoryLock lock = disk.lock("d");
            DirectoryLock other = disk.lock("e");
            assertRefused(Kind.LOCKED, "d", () -> disk.lock("d"));
            assertRefused(Kind.LOCKED, "d", () -> sameDisk.lock("d"));
            other.close();
            sameDisk.lock("e").close();
            other.close();
            assertRefused(Kind.LOCKED, "d", () -> disk.lock("d"));
            lock.close();
            sameDisk.lock("d").close();
            assertRefused(Kind.NOT_FOUND, "missing", () -> disk.lock("missing"));
        });
    }

    @Test
    void lockLeavesNothingInTheListing() {
        onLoop(() -> {
            disk.createDirectories("d");
            DirectoryLock lock = disk.lock("d");

            assertThat(disk.list("d")).isEmpty();
            lock.close();
            assertThat(disk.list("d")).isEmpty();
        });
    }
}
