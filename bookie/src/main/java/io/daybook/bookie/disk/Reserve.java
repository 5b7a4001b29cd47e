// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Space of a device that is kept back in a file of zeros (B14). When the device is full, whoever filled it, the file is given up, so that what was begun
 * can be finished and space be given back.
 *
 * <p><i>Threading:</i> blocks; the storage loop. Methods throw {@link DiskException} unless they say otherwise.
 */
public final class Reserve {
    /** The name of the file, in the root of the disk. */
    public static final String NAME = "reserve";

    private static final int STEP_BYTES = 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Reserve.class);

    private final Disk disk;
    private final long bytes;

    /** Of so many bytes; nothing is written yet. */
    public Reserve(Disk disk, long bytes) {
        this.disk = disk;
        this.bytes = bytes;
    }

    /** How many bytes it is meant to have. */
    public long bytes() {
        return bytes;
    }

    /** How many bytes it lacks. */
    public long lackingBytes() {
        return Math.max(0, bytes - heldBytes());
    }

    /** Whether it is known to lack nothing. Throws nothing. */
    public boolean isWhole() {
        try {
            return lackingBytes() == 0;
        } catch (DiskException failure) {
            LOG.debug("path={} file={} state=UNMEASURED reason={}", disk, NAME, failure.getMessage());
            return false;
        }
    }

    /** Gives back what it holds beyond what it is meant to have: it was meant to have more before. */
    public void cut() {
        if (bytes == 0) {
            release();
        } else if (heldBytes() > bytes) {
            try (DiskFile file = disk.open(NAME, Disk.OpenMode.READ_WRITE)) {
                file.truncate(bytes);
            }
        }
    }

    private long heldBytes() {
        try (DiskFile file = disk.open(NAME, Disk.OpenMode.READ_ONLY)) {
            return file.size();
        } catch (DiskException failure) {
            // Cleanup may give it up at any moment, from its own loop.
            if (failure.kind() == DiskException.Kind.NOT_FOUND) {
                return 0;
            }
            throw failure;
        }
    }

    /** Gives it up; whether there was anything. */
    public boolean release() {
        if (!disk.exists(NAME)) {
            return false;
        }
        disk.delete(NAME);
        disk.syncDirectory("");
        return true;
    }

    /**
     * Writes the next part, at most a mebibyte; durable when it lacks nothing any more. Gives up all of it when the device is full.
     *
     * @return whether it became larger
     */
    public boolean grow() {
        long held = heldBytes();
        int step = (int) Math.min(STEP_BYTES, bytes - held);
        if (step <= 0) {
            return false;
        }
        Disk.OpenMode mode = held > 0 || disk.exists(NAME) ? Disk.OpenMode.READ_WRITE : Disk.OpenMode.CREATE_NEW;
        try (DiskFile file = disk.open(NAME, mode)) {
            file.write(held, ByteBuffer.allocate(step));
            if (held + step == bytes) {
                file.sync();
                disk.syncDirectory("");
            }
            return true;
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.FULL) {
                throw failure;
            }
        }
        release();
        return false;
    }
}
