// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.util.List;

/**
 * How a bookie's devices are.
 *
 * @param level of the data directory that is least full
 * @param usableBytes that can still be written, over all data directories that take entries; over all when none does
 * @param fullDirectories data directories that take no entries
 * @param forcedReadOnly whether an operator wants no new entries here
 * @param data the devices of the data directories, in the order of the configuration
 * @param journals those of the journals, in the order of their numbers
 */
public record Space(
        Level level,
        long usableBytes,
        int fullDirectories,
        boolean forcedReadOnly,
        List<Device> data,
        List<Device> journals) {
    /** Copies the lists. */
    public Space {
        data = List.copyOf(data);
        journals = List.copyOf(journals);
    }

    /** Nothing was looked at yet. */
    public static Space unmeasured() {
        return new Space(Level.ROOMY, 0, 0, false, List.of(), List.of());
    }

    /** How full. In the order of the constants. */
    public enum Level {
        /** There is enough. */
        ROOMY,
        /** There is enough for now; somebody should act. */
        LOW,
        /** What is left is kept back: no new entries. */
        FULL
    }

    /**
     * The device of one directory.
     *
     * @param level how full; that of a journal is never looked at
     * @param usableBytes that can still be written; -1 when that cannot be measured
     * @param totalBytes of the device; -1 when that cannot be measured
     */
    public record Device(Level level, long usableBytes, long totalBytes) {
        /** Measures the device of a directory of which the level does not matter. */
        public static Device of(Disk disk) {
            try {
                return new Device(Level.ROOMY, disk.usableBytes(""), disk.totalBytes(""));
            } catch (DiskException failure) {
                return new Device(Level.ROOMY, -1, -1);
            }
        }
    }

    /** Whether no new entries are taken: not even one data directory takes them, or an operator forbids it. */
    public boolean isReadOnly() {
        return forcedReadOnly || level == Level.FULL;
    }
}
