// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskException.Kind;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An open file of the operating system.
 *
 * <p><i>Invariants:</i> once a sync or a commit failed nothing is written any more: a second sync would succeed without the lost bytes (B10).
 *
 * <p><i>Threading:</i> reads from any thread, the rest from one loop. A thread that is interrupted in a call closes the file.
 */
final class FileDiskFile implements DiskFile {
    private final String path;
    private final Path file;

    /** Goes through the page cache: reads, sizes, and writes that need not be durable. */
    private final FileChannel cached;

    /** Takes the writes; past the page cache when it is not {@link #cached}. */
    private final FileChannel written;

    /** The alignment of writes that must be durable at once; 0 for an ordinary file. */
    private final int blockBytes;

    private @Nullable DiskException brokenBy;

    /** A file whose writes are durable after a sync. */
    FileDiskFile(String path, Path file, FileChannel channel) {
        this(path, file, channel, channel, 0);
    }

    private FileDiskFile(String path, Path file, FileChannel cached, FileChannel written, int blockBytes) {
        this.path = path;
        this.file = file;
        this.cached = cached;
        this.written = written;
        this.blockBytes = blockBytes;
    }

    /** A file whose writes are durable when they return, because {@code written} is a direct channel or by a sync after each. */
    static FileDiskFile durable(String path, Path file, FileChannel cached, FileChannel written, int blockBytes) {
        return new FileDiskFile(path, file, cached, written, blockBytes);
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public int read(long position, ByteBuffer target) {
        int total = 0;
        try {
            while (target.hasRemaining()) {
                int count = cached.read(target, position + total);
                if (count <= 0) {
                    return total;
                }
                total += count;
            }
            return total;
        } catch (IOException | RuntimeException failure) {
            throw DiskFailures.of("read", file, failure);
        }
    }

    @Override
    public void write(long position, ByteBuffer source) {
        requireAligned(position, source);
        requireSound("write");
        try {
            writeFully(position, source);
            if (blockBytes > 0) {
                makeDurable();
            }
        } catch (DiskException failure) {
            if (blockBytes > 0) {
                brokenBy = failure;
            }
            throw failure;
        }
    }

    @Override
    public void commit(long position, ByteBuffer source, EventLoop loop, CommitHandler handler) {
        requireAligned(position, source);
        try {
            requireSound("commit to");
            writeFully(position, source);
            makeDurable();
        } catch (DiskException failure) {
            brokenBy = failure;
            handler.failed(failure);
            return;
        }
        handler.committed();
    }

    private void requireAligned(long position, ByteBuffer source) {
        if (blockBytes == 0) {
            return;
        }
        int mask = blockBytes - 1;
        boolean isAddressAligned = !source.isDirect() || source.alignmentOffset(source.position(), blockBytes) == 0;
        if ((position & mask) != 0 || (source.remaining() & mask) != 0 || !isAddressAligned) {
            throw new IllegalArgumentException("durable write of " + source.remaining() + " bytes at " + position
                    + " of " + file + ": position, length and buffer must be multiples of " + blockBytes);
        }
    }

    private void requireSound(String action) {
        DiskException failure = brokenBy;
        if (failure != null) {
            throw new DiskException(
                    Kind.IO, "cannot " + action + " " + file + ": it failed before: " + failure.getMessage(), failure);
        }
    }

    private void writeFully(long position, ByteBuffer source) {
        long next = position;
        try {
            while (source.hasRemaining()) {
                next += written.write(source, next);
            }
        } catch (IOException | RuntimeException failure) {
            throw DiskFailures.of("write", file, failure);
        }
    }

    /** A direct channel is durable by itself. */
    private void makeDurable() {
        if (written == cached) {
            force(false);
        }
    }

    private void force(boolean withMetadata) {
        try {
            cached.force(withMetadata);
        } catch (IOException failure) {
            throw DiskFailures.of("sync", file, failure);
        }
    }

    @Override
    public void sync() {
        requireSound("sync");
        try {
            force(true);
        } catch (DiskException failure) {
            brokenBy = failure;
            throw failure;
        }
    }

    @Override
    public void truncate(long sizeBytes) {
        requireSound("truncate");
        try {
            long present = cached.size();
            if (sizeBytes > present) {
                cached.write(ByteBuffer.allocate(1), sizeBytes - 1);
            } else {
                cached.truncate(sizeBytes);
            }
        } catch (IOException | RuntimeException failure) {
            throw DiskFailures.of("truncate", file, failure);
        }
    }

    @Override
    public long size() {
        try {
            return cached.size();
        } catch (IOException failure) {
            throw DiskFailures.of("measure", file, failure);
        }
    }

    @Override
    public void close() {
        try {
            try {
                written.close();
            } finally {
                cached.close();
            }
        } catch (IOException failure) {
            throw DiskFailures.of("close", file, failure);
        }
    }
}
