// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.runtime.settings.Setting;
import io.daybook.runtime.settings.SettingsGroup;
import io.daybook.runtime.settings.SettingsLoader;

/** How much memory a bookie's index takes, and how much of it is kept together. */
@SettingsGroup("bookie.index")
public record IndexConfig(
        @Setting(
                doc =
                        "Bytes of the heap that the index may take, 0 for a quarter of the largest heap. Beyond it, parts of"
                                + " the index that were not used lately are kept in a file. A bookie whose index does not fit even"
                                + " so takes no new entries: raise it, with the heap, for millions of ledgers.",
                defaultValue = "0",
                min = "0",
                max = "1TiB",
                inBytes = true)
        long memoryMax,

        @Setting(
                doc =
                        "Of how many logs the rows of the index are kept together in one more file, for a faster start. More"
                                + " make fewer files, and more that must be written again when one of the logs is removed.",
                defaultValue = "64",
                min = "2",
                max = "4096")
        int mergedLogs) {
    private static final int PART_OF_HEAP = 4;

    /** Checks the bounds; throws {@link IllegalArgumentException} that names the setting. */
    public IndexConfig {
        if (memoryMax < 0) {
            throw new IllegalArgumentException("bookie.index.memory-max must be 0 or more");
        }
        if (mergedLogs < 2) {
            throw new IllegalArgumentException("bookie.index.merged-logs must be 2 or more");
        }
    }

    /** What holds when nothing is set. */
    public static IndexConfig defaults() {
        return SettingsLoader.defaults(IndexConfig.class);
    }

    /** With another bound on memory. */
    public IndexConfig withMemoryMax(long next) {
        return new IndexConfig(next, mergedLogs);
    }

    /** With another number of logs that are kept together. */
    public IndexConfig withMergedLogs(int next) {
        return new IndexConfig(memoryMax, next);
    }

    /** The bound on memory in bytes. */
    public long bytesMax() {
        return memoryMax > 0 ? memoryMax : Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    }
}
