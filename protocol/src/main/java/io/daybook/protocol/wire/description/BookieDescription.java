// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.description;

import java.util.List;

/**
 * What is known of a bookie, by itself or from its directories. Counts are of about now: they may be a second old.
 *
 * @param version of the program, for people; empty when it does not say
 * @param startedMillis since when it serves, by its wall clock; 0 when it does not
 * @param readOnlyBecause why it takes no new entries, see {@link ReadOnly}; empty while it takes them
 * @param problems what somebody should look at, one line each, for people; the first {@link #PROBLEMS_MAX}
 * @param directories all of them: data first, then the journals; the first {@link #DIRECTORIES_MAX}
 * @param journals in the order of their numbers; the first {@link #DIRECTORIES_MAX}
 */
public record BookieDescription(
        String version,
        long startedMillis,
        List<String> readOnlyBecause,
        List<String> problems,
        List<Directory> directories,
        List<Journal> journals,
        Logs logs,
        Ledgers ledgers,
        Index index,
        Scrub scrub,
        Cleanup cleanup) {
    /** How many problems are told. */
    public static final int PROBLEMS_MAX = 32;

    /** How many directories are told, and how many journals. */
    public static final int DIRECTORIES_MAX = 64;

    /** Stands for a number that could not be found out. */
    public static final long UNKNOWN = -1;

    /** Copies the lists, up to their bounds. */
    public BookieDescription {
        readOnlyBecause = first(readOnlyBecause, PROBLEMS_MAX);
        problems = first(problems, PROBLEMS_MAX);
        directories = first(directories, DIRECTORIES_MAX);
        journals = first(journals, DIRECTORIES_MAX);
    }

    private static <T> List<T> first(List<T> all, int countMax) {
        return List.copyOf(all.subList(0, Math.min(all.size(), countMax)));
    }

    /** Why a bookie takes no new entries. A reader may be told other words by a newer bookie. */
    public static final class ReadOnly {
        /** An operator forbids it. */
        public static final String FORCED = "forced";

        /** No data directory has room. */
        public static final String DISK_FULL = "disk-full";

        /** The index does not fit into its memory. */
        public static final String INDEX_FULL = "index-full";

        /** Something that it stored may be lost, and not all ledgers are in limbo yet. */
        public static final String IN_DOUBT = "in-doubt";

        private ReadOnly() {}
    }

    /**
     * A directory.
     *
     * @param role such as {@code data-0}
     * @param path as the bookie names it
     * @param state of a data directory: {@code roomy}, {@code low} or {@code full}; empty for one of a journal, and where it is not known
     * @param usableBytes that can still be written there, {@link #UNKNOWN} if that cannot be told
     * @param totalBytes of the device, {@link #UNKNOWN} if that cannot be told
     */
    public record Directory(String role, String path, String state, long usableBytes, long totalBytes) {}

    /**
     * A journal.
     *
     * @param files of its ring
     * @param freeFiles of which nothing is needed any more
     * @param replayBytes that a start after a crash would read again
     */
    public record Journal(int files, int freeFiles, long replayBytes) {}

    /**
     * The entry logs.
     *
     * @param count of logs
     * @param bytes of the records of all entries in them
     * @param liveBytes of those that somebody may still ask for
     * @param liveEntries how many these are
     */
    public record Logs(long count, long bytes, long liveBytes, long liveEntries) {}

    /**
     * The ledgers of which the bookie holds anything.
     *
     * @param count of ledgers of which there is more than a tombstone
     * @param inLimbo of which entries may have been lost here
     * @param givenUp of which only a tombstone is left
     */
    public record Ledgers(long count, long inLimbo, long givenUp) {}

    /**
     * The memory of the index.
     *
     * @param bytes that it takes
     * @param bytesMax that it may take, {@link #UNKNOWN} if nothing bounds it
     * @param coldPages of which only the place is in memory
     */
    public record Index(long bytes, long bytesMax, long coldPages) {}

    /**
     * The search for damage.
     *
     * @param damages that are known now
     * @param rounds that ended
     * @param endedMillis when the last round ended, by the bookie's wall clock; 0 when none did
     */
    public record Scrub(long damages, long rounds, long endedMillis) {}

    /**
     * What cleanup has done since the bookie started.
     *
     * @param rounds that ended
     * @param state what it does now, in one word
     * @param ledgersGivenUp ledgers that nobody needs
     * @param ledgersWaiting ledgers found not to be needed once, not asked for a second time yet
     * @param logsRemoved logs that compaction has replaced
     * @param bytesCopied of entries, by compaction
     * @param logsKept logs that could not be compacted because they cannot be read
     * @param failure why a round ended early for the last time; empty if none did
     */
    public record Cleanup(
            long rounds,
            String state,
            long ledgersGivenUp,
            long ledgersWaiting,
            long logsRemoved,
            long bytesCopied,
            long logsKept,
            String failure) {}
}
