// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import io.daybook.runtime.Disk.DirectoryLock;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories that this process holds. The operating system forgets a file lock as soon as the process closes <i>any</i> descriptor of that
 * file, so an owner in the same process is refused here, before the file is opened a second time.
 *
 * <p><i>Threading:</i> any thread.
 */
final class FileLockTable {
    static final String LOCK_FILE = "LOCK";

    private static final Logger LOG = LoggerFactory.getLogger(FileLockTable.class);
    private static final int PID_BYTES_MAX = 20;
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private FileLockTable() {}

    static DirectoryLock lock(Path directory) {
        Path real = realPath(directory);
        if (!HELD.add(real)) {
            throw new DiskException(Kind.LOCKED, "directory " + real + " is already held by this process", null);
        }
        try {
            FileChannel file = lockFile(real);
            return new Held(real, file, LockPlace.of(real.resolve(LOCK_FILE)));
        } catch (IOException | RuntimeException failure) {
            HELD.remove(real);
            throw failure instanceof DiskException refused ? refused : DiskFailures.of("lock", real, failure);
        }
    }

    private static Path realPath(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException failure) {
            throw DiskFailures.of("lock", directory, failure);
        }
    }

    private static FileChannel lockFile(Path directory) throws IOException {
        FileChannel file = FileChannel.open(
                directory.resolve(LOCK_FILE),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            if (file.tryLock() == null) {
                throw new DiskException(
                        Kind.LOCKED, "directory " + directory + " is held by process " + readHolder(file), null);
            }
            writeHolder(file);
            return file;
        } catch (IOException | RuntimeException failure) {
            file.close();
            throw failure;
        }
    }

    private static String readHolder(FileChannel file) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(PID_BYTES_MAX);
        file.read(text, 0);
        return StandardCharsets.US_ASCII.decode(text.flip()).toString().strip();
    }

    /** For the message of whoever is refused; the lock itself does not depend on it, so a device without space is no reason not to have it (B14). */
    private static void writeHolder(FileChannel file) {
        byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            file.write(ByteBuffer.wrap(pid), 0);
            file.truncate(pid.length);
        } catch (IOException unwritten) {
            LOG.debug("file={} does not tell who holds it", LOCK_FILE, unwritten);
        }
    }

    /** A directory whose file is locked as long as it is open. */
    private static final class Held implements DirectoryLock {
        private final Path directory;
        private final FileChannel file;
        private final String place;
        private boolean isClosed;

        Held(Path directory, FileChannel file, String place) {
            this.directory = directory;
            this.file = file;
            this.place = place;
        }

        @Override
        public String place() {
            return place;
        }

        @Override
        public synchronized void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            try {
                file.close();
            } catch (IOException failure) {
                LOG.warn("path={} its lock was not released cleanly", directory, failure);
            } finally {
                HELD.remove(directory);
            }
        }
    }
}
