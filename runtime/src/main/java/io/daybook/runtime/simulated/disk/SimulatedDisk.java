// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskException.Kind;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.events.SimulatedProcess;
import java.util.List;
import java.util.OptionalLong;

/** A {@link DiskDrive} as one process has it. Every blocking call lets the calling loop be busy as long as the call takes. */
public final class SimulatedDisk implements Disk {
    private final DiskDrive drive;
    private final SimulatedProcess process;

    /** The drive for a process of its machine. */
    public SimulatedDisk(DiskDrive drive, SimulatedProcess process) {
        this.drive = drive;
        this.process = process;
    }

    private static void checkPath(String path) {
        if (path.startsWith("/") || path.endsWith("/") || path.contains("//") || path.contains("..")) {
            throw new IllegalArgumentException("'" + path + "' is not a relative path of names");
        }
    }

    @Override
    public DiskFile open(String path, OpenMode mode) {
        checkPath(path);
        process.requireAlive();
        OptionalLong found = drive.image().fileId(path);
        if (drive.image().isDirectory(path)) {
            throw new DiskException(
                    mode == OpenMode.CREATE_NEW ? Kind.EXISTS : Kind.IO, "'" + path + "' is a directory", null);
        }
        if (mode != OpenMode.CREATE_NEW) {
            return new SimulatedFile(drive, process, path, mode, found.orElseThrow(() -> missing(path)));
        }
        if (found.isPresent()) {
            throw new DiskException(Kind.EXISTS, "'" + path + "' exists", null);
        }
        if (!drive.image().isDirectory(DiskImage.parentOf(path))) {
            throw missing(path);
        }
        change(new DiskOperation.Create(path), drive.quality().writeNanos());
        return new SimulatedFile(
                drive, process, path, mode, drive.image().fileId(path).orElseThrow());
    }

    private static DiskException missing(String path) {
        return new DiskException(Kind.NOT_FOUND, "'" + path + "' does not exist", null);
    }

    private void requireDirectory(String path) {
        if (!drive.image().isDirectory(path)) {
            throw missing(path);
        }
    }

    private void change(DiskOperation operation, long nanos) {
        process.operationBegins();
        drive.apply(operation);
        process.block(drive.drawNanos(nanos));
        process.operationEnds();
    }

    @Override
    public boolean exists(String path) {
        checkPath(path);
        process.requireAlive();
        return drive.image().isDirectory(path) || drive.image().fileId(path).isPresent();
    }

    @Override
    public List<String> list(String directory) {
        checkPath(directory);
        process.requireAlive();
        requireDirectory(directory);
        return drive.image().list(directory);
    }

    @Override
    public void createDirectories(String directory) {
        checkPath(directory);
        process.requireAlive();
        for (String path = directory; !path.isEmpty(); path = DiskImage.parentOf(path)) {
            if (drive.image().fileId(path).isPresent()) {
                throw new DiskException(Kind.EXISTS, "'" + path + "' is a file", null);
            }
        }
        if (!drive.image().isDirectory(directory)) {
            change(
                    new DiskOperation.CreateDirectories(directory),
                    drive.quality().syncNanos());
        }
    }

    @Override
    public void rename(String from, String to) {
        checkPath(from);
        checkPath(to);
        process.requireAlive();
        if (drive.image().fileId(from).isEmpty()) {
            throw missing(from);
        }
        if (!DiskImage.parentOf(from).equals(DiskImage.parentOf(to))
                || drive.image().isDirectory(to)) {
            throw new DiskException(Kind.IO, "'" + from + "' cannot be renamed to '" + to + "'", null);
        }
        change(new DiskOperation.Rename(from, to), drive.quality().writeNanos());
    }

    @Override
    public void delete(String path) {
        checkPath(path);
        process.requireAlive();
        if (drive.image().isDirectory(path)) {
            throw new DiskException(Kind.IO, "'" + path + "' is a directory", null);
        }
        if (drive.image().fileId(path).isEmpty()) {
            throw missing(path);
        }
        change(new DiskOperation.Delete(path), drive.quality().writeNanos());
    }

    @Override
    public void syncDirectory(String directory) {
        checkPath(directory);
        process.requireAlive();
        requireDirectory(directory);
        drive.faults().failIfPlanned(DiskFaults.Call.SYNC_DIRECTORY, directory);
        change(new DiskOperation.SyncDirectory(directory), drive.quality().syncNanos());
    }

    @Override
    public long usableBytes(String directory) {
        checkPath(directory);
        process.requireAlive();
        requireDirectory(directory);
        return drive.freeBytes();
    }

    @Override
    public long totalBytes(String directory) {
        checkPath(directory);
        process.requireAlive();
        requireDirectory(directory);
        return drive.quality().capacityBytes();
    }

    @Override
    public int blockBytes() {
        return drive.quality().blockBytes();
    }

    @Override
    public DirectoryLock lock(String directory) {
        checkPath(directory);
        process.requireAlive();
        requireDirectory(directory);
        drive.lock(directory, process);
        return new Held(directory);
    }

    @Override
    public String toString() {
        return drive.toString();
    }

    /** A directory taken by this process; closing it twice, or after a crash, does nothing to a later holder. */
    private final class Held implements DirectoryLock {
        private final String directory;
        private boolean held = true;

        private Held(String directory) {
            this.directory = directory;
        }

        @Override
        public String place() {
            return drive.place() + " directory=" + directory;
        }

        @Override
        public void close() {
            if (held && process.isAlive()) {
                drive.unlock(directory);
            }
            held = false;
        }
    }
}
