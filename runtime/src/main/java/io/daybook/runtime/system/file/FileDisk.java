// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import com.sun.nio.file.ExtendedOpenOption;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskException.Kind;
import io.daybook.runtime.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of the operating system's file system.
 *
 * <p>Durable writes bypass the page cache ({@code O_DIRECT|O_DSYNC}) where the file system can; elsewhere each is followed by a sync. A directory is
 * held by a lock on its file {@code LOCK}, which is never listed.
 *
 * <p><i>Threading:</i> any thread; a thread that is interrupted closes the files which it is using.
 */
public final class FileDisk implements Disk {
    private static final Logger LOG = LoggerFactory.getLogger(FileDisk.class);
    private static final int BLOCK_BYTES_MIN = 4096;

    private final Path root;
    private final int blockBytes;
    private volatile boolean mayWriteDirect;

    /** {@code mayWriteDirect} says whether durable writes may try to bypass the page cache. */
    public FileDisk(Path root, boolean mayWriteDirect) {
        this.root = root.toAbsolutePath().normalize();
        this.mayWriteDirect = mayWriteDirect;
        blockBytes = blockBytesOf(this.root);
    }

    private static int blockBytesOf(Path root) {
        Path present = root;
        while (!Files.exists(present) && present.getParent() != null) {
            present = present.getParent();
        }
        try {
            long bytes = Files.getFileStore(present).getBlockSize();
            boolean isUsable = bytes > BLOCK_BYTES_MIN && bytes <= 1024 * 1024 && Long.bitCount(bytes) == 1;
            return isUsable ? (int) bytes : BLOCK_BYTES_MIN;
        } catch (IOException | UnsupportedOperationException unknown) {
            LOG.debug("path={} block size is unknown, {} is assumed", root, BLOCK_BYTES_MIN, unknown);
            return BLOCK_BYTES_MIN;
        }
    }

    private Path resolve(String path) {
        Path resolved = root.resolve(path).normalize();
        if (!resolved.startsWith(root)) {
            throw new IllegalArgumentException("path " + path + " leads out of " + root);
        }
        return resolved;
    }

    @Override
    public DiskFile open(String path, OpenMode mode) {
        Path file = resolve(path);
        try {
            if (mode != OpenMode.CREATE_NEW && Files.isDirectory(file)) {
                throw new DiskException(Kind.IO, "cannot open " + file + ": it is a directory", null);
            }
            return switch (mode) {
                case CREATE_NEW ->
                    new FileDiskFile(
                            path,
                            file,
                            FileChannel.open(
                                    file,
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.READ,
                                    StandardOpenOption.WRITE));
                case READ_WRITE -> new FileDiskFile(path, file, openToWrite(file));
                case READ_WRITE_DURABLE -> openDurable(path, file);
                case READ_ONLY -> new FileDiskFile(path, file, FileChannel.open(file, StandardOpenOption.READ));
            };
        } catch (IOException | UnsupportedOperationException failure) {
            throw DiskFailures.of("open", file, failure);
        }
    }

    private static FileChannel openToWrite(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private DiskFile openDurable(String path, Path file) throws IOException {
        FileChannel cached = openToWrite(file);
        try {
            FileChannel direct = mayWriteDirect ? openDirect(file) : null;
            if (direct == null) {
                return FileDiskFile.durable(path, file, cached, cached, blockBytes);
            }
            return FileDiskFile.durable(path, file, cached, direct, blockBytes);
        } catch (IOException | RuntimeException failure) {
            cached.close();
            throw failure;
        }
    }

    /** A channel past the page cache; null, for this and all later files, when the file system has none. */
    private @Nullable FileChannel openDirect(Path file) throws IOException {
        FileChannel direct = null;
        try {
            direct = FileChannel.open(
                    file,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DSYNC,
                    ExtendedOpenOption.DIRECT);
            // Some file systems open such a file and refuse to use it.
            direct.read(
                    ByteBuffer.allocateDirect(2 * blockBytes)
                            .alignedSlice(blockBytes)
                            .limit(blockBytes),
                    0);
            return direct;
        } catch (IOException | UnsupportedOperationException refused) {
            if (direct != null) {
                direct.close();
            }
            if (!ErrorTexts.ofSystem().isUnsupported(refused)) {
                throw refused;
            }
            mayWriteDirect = false;
            LOG.info(
                    "path={} no direct writes here ({}): each durable write is followed by a sync",
                    root,
                    refused.getMessage());
            return null;
        }
    }

    @Override
    public boolean exists(String path) {
        Path file = resolve(path);
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
            return true;
        } catch (NoSuchFileException absent) {
            return false;
        } catch (IOException failure) {
            throw DiskFailures.of("tell whether there is", file, failure);
        }
    }

    @Override
    public List<String> list(String directory) {
        Path listed = resolve(directory);
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(listed)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (!name.equals(FileLockTable.LOCK_FILE)) {
                    names.add(name);
                }
            }
        } catch (IOException failure) {
            throw DiskFailures.of("list", listed, failure);
        } catch (DirectoryIteratorException failure) {
            IOException cause = failure.getCause();
            throw DiskFailures.of("list", listed, cause == null ? failure : cause);
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public void createDirectories(String directory) {
        Path wanted = resolve(directory);
        List<Path> missing = new ArrayList<>();
        for (Path path = wanted; path != null && !Files.isDirectory(path); path = path.getParent()) {
            missing.add(path);
        }
        Collections.reverse(missing);
        for (Path path : missing) {
            create(path);
        }
    }

    private static void create(Path directory) {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException present) {
            if (!Files.isDirectory(directory)) {
                throw DiskFailures.of("create directory", directory, present);
            }
        } catch (IOException failure) {
            throw DiskFailures.of("create directory", directory, failure);
        }
        Path parent = directory.getParent();
        if (parent != null) {
            sync(parent);
        }
    }

    @Override
    public void rename(String from, String to) {
        Path source = resolve(from);
        try {
            Files.move(source, resolve(to), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw DiskFailures.of("rename", source, failure);
        }
    }

    @Override
    public void delete(String path) {
        Path file = resolve(path);
        if (Files.isDirectory(file)) {
            throw new DiskException(Kind.IO, "cannot delete " + file + ": it is a directory", null);
        }
        try {
            Files.delete(file);
        } catch (IOException failure) {
            throw DiskFailures.of("delete", file, failure);
        }
    }

    @Override
    public void syncDirectory(String directory) {
        sync(resolve(directory));
    }

    private static void sync(Path directory) {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        } catch (IOException failure) {
            throw DiskFailures.of("sync directory", directory, failure);
        }
    }

    @Override
    public long usableBytes(String directory) {
        Path path = resolve(directory);
        try {
            return Files.getFileStore(path).getUsableSpace();
        } catch (IOException failure) {
            throw DiskFailures.of("measure the space of", path, failure);
        }
    }

    @Override
    public long totalBytes(String directory) {
        Path path = resolve(directory);
        try {
            return Files.getFileStore(path).getTotalSpace();
        } catch (IOException failure) {
            throw DiskFailures.of("measure the device of", path, failure);
        }
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public DirectoryLock lock(String directory) {
        return FileLockTable.lock(resolve(directory));
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
