// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget.Extent;
import io.daybook.bookie.index.LogTable;
import io.daybook.bookie.index.pages.DelayedPages;
import io.daybook.bookie.index.pages.PageCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is said of logs while the index that they are entered into is cold. */
final class LedgerTableTest {
    private static final int NEW_LOG = 1_000;

    private final DelayedPages pages = new DelayedPages();
    private final PageCache cache = PageCache.bounded(2_000);
    private final LedgerTable table = new LedgerTable(JournalCount.ONE, cache);

    // B13
    @Test
    void aLogOfWhichRunsWaitForTheIndexIsNeitherDeadNorWorthCompacting() {
        cache.over(pages.over(new Random(1)));
        for (int run = 0; run < 400; run++) {
            table.log(1 + run, run);
            table.extent(new Extent(7, 2L * run, 1, 1 + run, 0, 100));
        }
        pages.runAll();
        assertThat(cache.coldPages()).isGreaterThan(10);
        // One entry amid those that are cold, and one of another ledger, which waits behind it.
        IndexRows rows = new IndexRows(NEW_LOG);
        rows.entry(7, 1, 0, 100);
        rows.entry(8, 0, 100, 200);
        rows.finish(400);
        StringBuilder told = new StringBuilder();

        table.flushed(rows, () -> told.append("flushed"));

        List<Extent> alive = new ArrayList<>();
        table.alive(List.of(rows.extents().get(1)), alive::addAll);
        assertThat(alive).isEmpty();
        assertThat(table.logs().isDead(NEW_LOG)).isFalse();
        assertThat(logsToCompact()).doesNotContain(NEW_LOG);
        assertThat(told.toString()).isEmpty();
        pages.runAll();
        assertThat(told.toString()).isEqualTo("flushed");
        table.alive(rows.extents(), alive::addAll);
        assertThat(alive).hasSize(2);
        assertThat(logsToCompact()).contains(NEW_LOG);
    }

    private List<Integer> logsToCompact() {
        return table.logs().shares(0).stream().map(LogTable.Share::logId).toList();
    }
}
