// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * How full one data directory is, and what is kept back there.
 *
 * <p><i>States:</i> {@link Space.Level}. Full below the size of the reserve, when a write found no space, or while the space cannot be measured; not full
 * any more only when the reserve is whole again and there is half as much again as its size, and some time after the last write that found none: a device
 * may say that it has space and refuse all the same.
 *
 * <p><i>Threading:</i> blocks; the storage loop, but for {@link #usableBytes} and {@link #release}.
 */
final class DirectorySpace {
    private static final Logger LOG = LoggerFactory.getLogger(DirectorySpace.class);

    /** How much space, in reserves, is said to be low. */
    private static final int LOW_RESERVES = 4;

    private final Disk disk;
    private final Reserve reserve;
    private final long roomBytesMin;
    private Space.Level level = Space.Level.ROOMY;
    private boolean hasRefused;

    DirectorySpace(Disk disk, SpaceConfig config, int slabBytes) {
        this.disk = disk;
        this.reserve = new Reserve(disk, (long) config.reservedSlabs() * slabBytes);
        this.roomBytesMin = reserve.bytes() + Math.max(reserve.bytes() / 2, slabBytes);
    }

    Disk disk() {
        return disk;
    }

    Reserve reserve() {
        return reserve;
    }

    Space.Level level() {
        return level;
    }

    /** Bytes that can still be written; -1, less than any reserve, while that cannot be measured. */
    long usableBytes() {
        try {
            return disk.usableBytes("");
        } catch (DiskException failure) {
            LOG.warn("path={} state=UNMEASURED reason={}", disk, failure.getMessage());
            return -1;
        }
    }

    /** Bytes of the device; -1 while that cannot be measured. */
    long totalBytes() {
        return Space.Device.of(disk).totalBytes();
    }

    /**
     * Decides how full it is.
     *
     * @param mayRecover whether what is kept back beside the reserve here is whole
     */
    void decide(long usable, boolean mayRecover) {
        Space.Level before = level;
        if (usable < reserve.bytes()) {
            level = Space.Level.FULL;
        } else if (level == Space.Level.FULL) {
            boolean recovers = usable >= roomBytesMin && !hasRefused && mayRecover && reserve.isWhole();
            level = recovers ? levelOf(usable) : Space.Level.FULL;
        } else {
            level = levelOf(usable);
        }
        if (level != before) {
            LOG.atLevel(level == Space.Level.ROOMY ? Level.INFO : Level.WARN)
                    .log("path={} usable={} space={}", disk, usable, level);
        }
    }

    private Space.Level levelOf(long usable) {
        return usable < LOW_RESERVES * reserve.bytes() ? Space.Level.LOW : Space.Level.ROOMY;
    }

    /** A write found no space: it is full at least until {@link #mayTryAgain}. */
    void foundFull() {
        level = Space.Level.FULL;
        hasRefused = true;
    }

    /** Some time has passed since a write found no space. */
    void mayTryAgain() {
        hasRefused = false;
    }

    /** Whether there is room to keep back what is lacking, here and beside. Throws {@link DiskException}. */
    boolean isRoomy(long lackingBytes) {
        return disk.usableBytes("") >= lackingBytes + roomBytesMin;
    }

    /** Gives up what is kept back; whether there was anything. */
    boolean release() {
        return release(reserve, disk);
    }

    static boolean release(Reserve reserve, Disk disk) {
        try {
            return reserve.release();
        } catch (DiskException failure) {
            LOG.warn("path={} the reserve cannot be given up: {}", disk, failure.getMessage());
            return false;
        }
    }
}
