// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

/**
 * How a bookie's devices are.
 *
 * @param level of the data directory that is least full
 * @param usableBytes that can still be written, over all data directories that take entries; over all when none does
 * @param fullDirectories data directories that take no entries
 * @param forcedReadOnly whether an operator wants no new entries here
 */
public record Space(Level level, long usableBytes, int fullDirectories, boolean forcedReadOnly) {
    /** How full. In the order of the constants. */
    public enum Level {
        /** There is enough. */
        ROOMY,
        /** There is enough for now; somebody should act. */
        LOW,
        /** What is left is kept back: no new entries. */
        FULL
    }

    /** Whether no new entries are taken: not even one data directory takes them, or an operator forbids it. */
    public boolean isReadOnly() {
        return forcedReadOnly || level == Level.FULL;
    }
}
