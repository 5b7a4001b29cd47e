// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.index.pages.RunPage;
import io.daybook.bookie.index.pages.RunRows;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Runs that hold the same entry: the newer log's counts, in whatever order they are added. */
final class ExtentsOverlapTest {
    private static final int IDS = 60;

    @Test
    void aCopyInANewerLogTakesThePlaceOfOneInTheMiddleOfARun() {
        Extents extents = new Extents();
        LogTable logs = new LogTable(JournalCount.ONE);
        Shelf shelf = new Shelf(logs, PageCache.unbounded());
        extents.add(new IndexTarget.Extent(5, 0, 10, 1, 100, 10 * 100), shelf);

        extents.add(new IndexTarget.Extent(5, 4, 1, 2, 7, 1 * 100), shelf);

        assertThat(placeOf(extents, 3)).isEqualTo("1:103");
        assertThat(placeOf(extents, 4)).isEqualTo("2:7");
        assertThat(placeOf(extents, 5)).isEqualTo("1:105");
        assertThat(placeOf(extents, 9)).isEqualTo("1:109");
        assertThat(extents.holds(10)).isFalse();
    }

    @Test
    void theNewestLogOfEachEntryIsFoundWhateverTheOrder() {
        for (int round = 0; round < 2_000; round++) {
            assertNewestFound(round);
        }
    }

    private static void assertNewestFound(int round) {
        Random random = new Random(round);
        Extents extents = new Extents();
        LogTable logs = new LogTable(JournalCount.ONE);
        Shelf shelf = new Shelf(logs, PageCache.unbounded());
        int[] newest = new int[IDS];
        int[] rows = new int[IDS];
        for (int run = 0; run < 12; run++) {
            int first = random.nextInt(IDS);
            int count = 1 + random.nextInt(IDS - first);
            // Each log once, in any order.
            int logId = 1 + (run * 7 + round) % 12;
            int row = logId * 1_000;
            extents.add(new IndexTarget.Extent(5, first, count, logId, row, count * 100), shelf);
            for (int id = first; id < first + count; id++) {
                rows[id] = logId > newest[id] ? row + id - first : rows[id];
                newest[id] = Math.max(newest[id], logId);
            }
        }
        long live = 0;
        for (int id = 0; id < IDS; id++) {
            String expected = newest[id] == 0 ? "absent" : newest[id] + ":" + rows[id];
            assertThat(placeOf(extents, id)).as("round %s entry %s", round, id).isEqualTo(expected);
            live += newest[id] == 0 ? 0 : 1;
        }
        assertThat(logs.liveEntries()).as("round %s", round).isEqualTo(live);
    }

    @Test
    void noPageHasMoreRowsThanFitIntoItsPlaceInTheFile() {
        for (int round = 0; round < 200; round++) {
            Random random = new Random(round);
            PageCache cache = PageCache.bounded(2_000);
            Shelf shelf = new Shelf(new LogTable(JournalCount.ONE), cache);
            Extents extents = new Extents();
            // Newer copies cut a run into pieces; an older run then fills all the gaps at once.
            for (int run = 0; run < 200; run++) {
                int count = random.nextInt(8) == 0 ? 1 + random.nextInt(400) : 1;
                int logId = 1 + random.nextInt(1_000);
                extents.add(new IndexTarget.Extent(5, random.nextInt(400), count, logId, logId, count * 100), shelf);

                for (RunPage page : extents.pages()) {
                    assertThat(Objects.requireNonNull(page.rows()).size())
                            .as("round %s run %s", round, run)
                            .isLessThanOrEqualTo(cache.rowsMax());
                }
            }
        }
    }

    private static String placeOf(Extents extents, long entryId) {
        RunRows rows = Objects.requireNonNull(extents.rowsAt(entryId));
        int slot = rows.find(entryId);
        if (slot < 0) {
            return "absent";
        }
        long row = rows.tableRow(slot) + entryId - rows.firstEntryId(slot);
        return rows.logId(slot) + ":" + row;
    }
}
