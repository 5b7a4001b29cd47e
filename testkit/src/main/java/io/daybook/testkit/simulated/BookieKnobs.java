// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.cleanup.CleanupConfig;
import io.daybook.bookie.index.IndexConfig;
import io.daybook.bookie.scrub.ScrubConfig;
import io.daybook.runtime.Endpoint;
import java.time.Duration;

/**
 * How the bookies of a simulated cluster are set up: small, so that slabs fill and journals wrap within a second.
 *
 * @param cleanupEvery how often a bookie looks for what it can give up, and how long it waits before it does; zero for as seldom as in production
 * @param dataDirectories how many a bookie has, which stays so, at most {@link BookieDisks#DATA_MAX}
 * @param journalDirectories how many journals a bookie has, which stays so, at most {@link BookieDisks#JOURNAL_MAX}
 * @param scrubEvery how long a bookie waits before it looks for damage again; zero for never
 * @param rack the label of its fault domain; empty for none
 */
public record BookieKnobs(
        int slabBytes,
        int slabCount,
        Duration flushAge,
        int commitBytesMax,
        Duration cleanupEvery,
        int dataDirectories,
        int journalDirectories,
        Duration scrubEvery,
        String rack) {
    static final int PORT = 3181;
    private static final long SCRUB_BYTES_PER_SECOND = 1024 * 1024;

    /** So little memory that ledgers of more than a few runs do not fit. */
    private static final int INDEX_PART_OF_SLAB = 32;

    private static final int MERGED_LOGS = 3;
    private static final int MINOR_LIVE_PERCENT = 60;
    private static final int MAJOR_LIVE_PERCENT = 95;

    /** Slabs of 64 KiB. */
    public static final BookieKnobs DEFAULT =
            new BookieKnobs(64 * 1024, 3, Duration.ofSeconds(2), 16 * 1024, Duration.ZERO, 1, 1, Duration.ZERO, "");

    /** In another rack. */
    public BookieKnobs withRack(String next) {
        return new BookieKnobs(
                slabBytes,
                slabCount,
                flushAge,
                commitBytesMax,
                cleanupEvery,
                dataDirectories,
                journalDirectories,
                scrubEvery,
                next);
    }

    BookieConfig config(String machine) {
        BookieConfig config = BookieConfig.embedded(machine, "journal", "data")
                .withDirectories(BookieDisks.journalRoots(journalDirectories), BookieDisks.dataRoots(dataDirectories))
                .withListen(new Endpoint(machine, PORT))
                .withAdvertisedHost(machine)
                .withRack(rack)
                .withSlabs(slabBytes, slabCount)
                .withFlushAge(flushAge)
                .withCommitBytesMax(commitBytesMax)
                .withIndex(new IndexConfig(slabBytes / INDEX_PART_OF_SLAB, MERGED_LOGS))
                .withScrub(new ScrubConfig(
                        scrubEvery.isZero() ? 0 : SCRUB_BYTES_PER_SECOND,
                        scrubEvery.isZero() ? Duration.ofDays(1) : scrubEvery));
        if (cleanupEvery.isZero()) {
            return config;
        }
        return config.withCleanup(CleanupConfig.defaults()
                .withTimes(cleanupEvery, cleanupEvery, cleanupEvery)
                .withShares(MINOR_LIVE_PERCENT, MAJOR_LIVE_PERCENT, cleanupEvery.multipliedBy(2)));
    }
}
