// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

/**
 * How a bookie's devices are.
 *
 * @param usableBytes that can still be written to the data directory
 * @param forcedReadOnly whether an operator wants no new entries here
 */
public record Space(Level level, long usableBytes, boolean forcedReadOnly) {
    /** How full. */
    public enum Level {
        /** There is enough. */
        ROOMY,
        /** There is enough for now; somebody should act. */
        LOW,
        /** What is left is kept back: no new entries. */
        FULL
    }

    /** Whether no new entries are taken. */
    public boolean isReadOnly() {
        return forcedReadOnly || level == Level.FULL;
    }
}
