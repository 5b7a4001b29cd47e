// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Disk.DirectoryLock;
import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskException.Kind;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.DiskFile.CommitHandler;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.system.SystemHost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only the real file system can show: direct writes, a full device, locks between processes. */
final class FileDiskTest {
    @TempDir
    Path directory;

    private FileDisk disk;

    @BeforeEach
    void openDisk() {
        disk = new FileDisk(directory, true);
    }

    private static Kind kindOf(Runnable action) {
        try {
            action.run();
        } catch (DiskException refusal) {
            return refusal.kind();
        }
        throw new AssertionError("not refused");
    }

    private ByteBuffer block(int value) {
        int bytes = disk.blockBytes();
        ByteBuffer block =
                ByteBuffer.allocateDirect(2 * bytes).alignedSlice(bytes).limit(bytes);
        while (block.hasRemaining()) {
            block.put((byte) value);
        }
        return block.flip();
    }

    @Test
    void whatCannotBeToldToExistIsNotCalledAbsent() {
        assertThat(disk.exists("absent")).isFalse();
        assertThat(disk.exists("absent/within")).isFalse();
        assertThatThrownBy(() -> disk.exists("n".repeat(1_000)))
                .isInstanceOfSatisfying(
                        DiskException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.IO))
                .hasMessageContaining("file name too long")
                .hasRootCauseInstanceOf(FileSystemException.class);
    }

    @Test
    void missingRootIsMadeWithItsParents() {
        FileDisk deep = new FileDisk(directory.resolve("a/b/c"), true);
        assertThat(deep.exists("")).isFalse();
        assertThat(kindOf(() -> deep.list(""))).isEqualTo(Kind.NOT_FOUND);

        deep.createDirectories("");

        assertThat(deep.list("")).isEmpty();
        assertThat(Files.isDirectory(directory.resolve("a/b/c"))).isTrue();
    }

    @Test
    void pathsLeadNowhereElse() {
        assertThatThrownBy(() -> disk.exists("../x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> disk.open("/etc/passwd", OpenMode.READ_ONLY))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> disk.delete("a/../../x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void directoryIsNoFile() {
        disk.createDirectories("d");

        assertThat(kindOf(() -> disk.open("d", OpenMode.READ_ONLY))).isEqualTo(Kind.IO);
        assertThat(kindOf(() -> disk.delete("d"))).isEqualTo(Kind.IO);
        assertThat(disk.exists("d")).isTrue();
    }

    @Test
    void durableWritesAreSeenByReadsOfAnyAlignment() {
        disk.open("journal", OpenMode.CREATE_NEW).close();
        try (DiskFile file = disk.open("journal", OpenMode.READ_WRITE_DURABLE)) {
            ByteBuffer three = ByteBuffer.allocate(3);
            for (int value = 1; value < 20; value++) {
                file.write(0, block(value));

                assertThat(file.read(value, three.clear())).isEqualTo(3);
                assertThat(three.get(1)).isEqualTo((byte) value);
            }
            file.truncate(3L * disk.blockBytes());
            assertThat(file.size()).isEqualTo(3L * disk.blockBytes());
            file.truncate(10);
            assertThat(file.read(8, three.clear())).isEqualTo(2);
        }
    }

    @Test
    void durableWriteFromAMisalignedBufferIsRefused() {
        disk.open("journal", OpenMode.CREATE_NEW).close();
        int bytes = disk.blockBytes();
        ByteBuffer shifted = ByteBuffer.allocateDirect(3 * bytes).alignedSlice(bytes);
        try (DiskFile file = disk.open("journal", OpenMode.READ_WRITE_DURABLE)) {
            assertThatThrownBy(() -> file.write(0, shifted.position(8).limit(8 + bytes)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("journal")
                    .hasMessageContaining(Integer.toString(bytes));
        }
    }

    /** {@code /dev/full} takes no byte, like a full disk. */
    @Test
    void fullDiskIsSaidToBeFull() {
        FileDisk devices = new FileDisk(Path.of("/dev"), true);
        try (DiskFile full = devices.open("full", OpenMode.READ_WRITE)) {
            assertThatThrownBy(() -> full.write(0, ByteBuffer.wrap(new byte[10])))
                    .isInstanceOfSatisfying(
                            DiskException.class,
                            refusal -> assertThat(refusal.kind()).isEqualTo(Kind.FULL))
                    .hasMessage("cannot write /dev/full: no space left on device");
        }
    }

    // B14: what is written into the lock is for people. A full device refuses it, as this file of the process does;
    // whoever locks a device locks it for the whole machine.
    @Test
    void directoryWhoseHolderCannotBeNotedIsLocked() throws IOException {
        disk.createDirectories("d");
        Path refusing = Path.of("/proc/self/setgroups");
        assertThatThrownBy(() -> Files.writeString(refusing, "1")).isInstanceOf(IOException.class);
        Files.createSymbolicLink(directory.resolve("d/LOCK"), refusing);

        try (DirectoryLock lock = disk.lock("d")) {
            assertThat(lock).isNotNull();
            assertThat(kindOf(() -> disk.lock("d"))).isEqualTo(Kind.LOCKED);
        }
        Files.delete(directory.resolve("d/LOCK"));
    }

    @Test
    void fileWhoseCommitFailedTakesNothingMore() {
        try (SystemHost host = SystemHost.start();
                DiskFile full = new FileDisk(Path.of("/dev"), true).open("full", OpenMode.READ_WRITE)) {
            List<DiskException> failures = new ArrayList<>();
            CommitHandler handler = new CommitHandler() {
                @Override
                public void committed() {
                    throw new AssertionError();
                }

                @Override
                public void failed(DiskException failure) {
                    failures.add(failure);
                }
            };
            for (int i = 0; i < 2; i++) {
                full.commit(0, ByteBuffer.wrap(new byte[10]), host.newLoop("loop", LoopKind.STORAGE), handler);
            }

            assertThat(failures).extracting(DiskException::kind).containsExactly(Kind.FULL, Kind.IO);
            assertThat(failures.get(1)).hasMessageContaining("it failed before");
            assertThat(kindOf(full::sync)).isEqualTo(Kind.IO);
            assertThat(kindOf(() -> full.truncate(0))).isEqualTo(Kind.IO);
            assertThat(kindOf(() -> full.write(0, ByteBuffer.wrap(new byte[0]))))
                    .isEqualTo(Kind.IO);
        }
    }

    @Test
    void directoryIsLockedByWhateverNameItIsReached() throws IOException {
        disk.createDirectories("d");
        Files.createSymbolicLink(directory.resolve("alias"), directory.resolve("d"));

        try (DirectoryLock lock = disk.lock("d")) {
            assertThat(lock).isNotNull();
            assertThat(kindOf(() -> disk.lock("alias"))).isEqualTo(Kind.LOCKED);
            assertThat(kindOf(() -> new FileDisk(directory.resolve("d"), true).lock("")))
                    .isEqualTo(Kind.LOCKED);
        }
        disk.lock("alias").close();
    }

    @Test
    void refusedOwnerDoesNotBreakTheLockForOtherProcesses() throws IOException, InterruptedException {
        disk.createDirectories("d");
        try (DirectoryLock lock = disk.lock("d")) {
            assertThat(lock).isNotNull();
            assertThat(kindOf(() -> disk.lock("d"))).isEqualTo(Kind.LOCKED);

            Process other = lockInAnotherProcess("d");

            String answer = new String(other.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(answer)
                    .contains("is held by process " + ProcessHandle.current().pid());
            assertThat(other.waitFor()).isEqualTo(1);
        }
    }

    @Test
    void lockOfAKilledProcessIsFree() throws IOException, InterruptedException {
        disk.createDirectories("d");
        Process other = lockInAnotherProcess("d");
        assertThat(other.getInputStream().read()).isEqualTo('L');
        assertThatThrownBy(() -> disk.lock("d")).hasMessageContaining("is held by process " + other.pid());

        other.destroyForcibly().waitFor();

        disk.lock("d").close();
    }

    // S-27 c, S-32 d: by its lock's place a process knows what a dead one left in the same directory from what is in a
    // copy.
    @Test
    void lockOfACopyIsInAnotherPlace() throws IOException {
        disk.createDirectories("d");
        disk.createDirectories("copy");
        String place;
        try (DirectoryLock lock = disk.lock("d")) {
            place = lock.place();
        }
        Files.copy(directory.resolve("d/LOCK"), directory.resolve("copy/LOCK"), StandardCopyOption.COPY_ATTRIBUTES);

        try (DirectoryLock again = disk.lock("d");
                DirectoryLock copy = disk.lock("copy")) {
            assertThat(place).contains("boot=", "device=", "inode=");
            assertThat(again.place()).isEqualTo(place);
            assertThat(copy.place()).isNotEqualTo(place);
        }
    }

    @Test
    void lockFileThatWasRemovedWhileItIsHeldComesBackInAnotherPlace() throws IOException {
        disk.createDirectories("d");
        try (DirectoryLock lock = disk.lock("d")) {
            Files.delete(directory.resolve("d/LOCK"));
            Files.createFile(directory.resolve("d/LOCK"));

            assertThat(LockPlace.of(directory.resolve("d/LOCK"))).isNotEqualTo(lock.place());
        }
    }

    private Process lockInAnotherProcess(String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        directory.toString(),
                        name)
                .redirectErrorStream(true)
                .start();
    }

    /** A process that takes a directory, says {@code L}, and holds it until it is killed. */
    static final class LockHolder {
        private LockHolder() {}

        public static void main(String[] arguments) throws IOException {
            try (DirectoryLock lock = new FileDisk(Path.of(arguments[0]), true).lock(arguments[1])) {
                System.out.print(lock == null ? "" : "L");
                System.out.flush();
                // Ends only with the process, or when whoever started it is gone.
                System.exit(System.in.read() < 0 ? 2 : 3);
            } catch (DiskException refusal) {
                System.out.println(refusal.getMessage());
                System.exit(1);
            }
        }
    }
}
