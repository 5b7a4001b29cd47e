// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.index.IndexTarget.Extent;
import io.daybook.bookie.index.pages.DelayedPages;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.index.pages.RunPage;
import io.daybook.bookie.index.pages.RunRows;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The index of ledgers of which only a part is in memory says the same as one that is there as a whole (B6). */
final class ColdExtentsTest {
    private static final int LEDGERS = 4;
    private static final int IDS = 400;
    private static final int STEPS = 400;

    private final LogTable logs = new LogTable(JournalCount.ONE);
    private final PageCache cache = PageCache.bounded(2_000);
    private final DelayedPages pages = new DelayedPages();
    private final Shelf shelf = new Shelf(logs, cache);
    private final Extents[] cold = new Extents[LEDGERS];
    private final LogTable wholeLogs = new LogTable(JournalCount.ONE);
    private final Shelf whole = new Shelf(wholeLogs, PageCache.unbounded());
    private final Extents[] warm = new Extents[LEDGERS];
    private int coldSeen;

    private void live(long seed) {
        Random random = new Random(seed);
        cache.over(pages.over(random));
        for (int ledger = 0; ledger < LEDGERS; ledger++) {
            cold[ledger] = new Extents();
            warm[ledger] = new Extents();
        }
        TreeMap<Integer, Long> next = new TreeMap<>();
        for (int step = 1; step <= STEPS; step++) {
            int ledger = random.nextInt(LEDGERS);
            switch (random.nextInt(20)) {
                case 0 -> removeLog(ledger, 1 + random.nextInt(step));
                case 1 -> move(ledger, random.nextInt(IDS), 1_000 + step);
                case 2 -> add(new Extent(ledger, random.nextInt(IDS), 1 + random.nextInt(5), step, step * 10, 700));
                default -> {
                    long first = next.getOrDefault(ledger, 0L);
                    int count = 1 + random.nextInt(3);
                    add(new Extent(ledger, first, count, step, step * 10, 100 * count));
                    next.put(ledger, first + count + random.nextInt(2));
                }
            }
            coldSeen = Math.max(coldSeen, cache.coldPages());
            int asked = random.nextInt(IDS);
            assertSame(ledger, asked, "seed " + seed + " step " + step);
        }
        pages.runAll();
        assertThat(logs.liveEntries()).as("seed %s", seed).isEqualTo(wholeLogs.liveEntries());
        assertThat(logs.ids().stream().filter(logs::isDead).toList())
                .as("seed %s", seed)
                .isEqualTo(wholeLogs.ids().stream().filter(wholeLogs::isDead).toList());
        for (int ledger = 0; ledger < LEDGERS; ledger++) {
            for (int id = 0; id < IDS; id++) {
                assertSame(ledger, id, "seed " + seed + " at the end");
            }
        }
    }

    private void add(Extent run) {
        warm[(int) run.ledgerId()].add(run, whole);
        Extents one = cold[(int) run.ledgerId()];
        warmed(one, run.firstEntryId(), run.end(), () -> one.add(run, shelf));
    }

    /** As compaction does, of a run that is alive. */
    private void move(int ledger, long entryId, int logId) {
        RunRows rows = Objects.requireNonNull(warm[ledger].rowsAt(entryId));
        int slot = rows.find(entryId);
        if (slot < 0) {
            return;
        }
        Extent copy = new Extent(ledger, rows.firstEntryId(slot), rows.count(slot), logId, 5, 0);
        warm[ledger].move(copy, from -> from % 2 == 0, whole);
        warmed(
                cold[ledger],
                copy.firstEntryId(),
                copy.end(),
                () -> cold[ledger].move(copy, from -> from % 2 == 0, shelf));
    }

    private void removeLog(int ledger, int logId) {
        Extents one = warm[ledger];
        one.removeFromTailIf(in -> in == logId, whole);
        one.pages().forEach(page -> one.removeIf(page, in -> in == logId, whole));
        Extents other = cold[ledger];
        other.removeFromTailIf(in -> in == logId, shelf);
        for (RunPage page : other.pages()) {
            cache.read(List.of(page), true, there -> other.removeIf(page, in -> in == logId, shelf));
            pages.runAll();
        }
    }

    private void warmed(Extents one, long from, long end, Runnable then) {
        cache.read(one.cold(from, end), true, there -> {
            assertThat(one.cold(from, end)).isEmpty();
            then.run();
        });
        pages.runAll();
        cache.trim();
        pages.runSome();
    }

    private void assertSame(int ledger, long id, String when) {
        warmed(
                cold[ledger],
                id,
                id + 1,
                () -> assertThat(placeOf(cold[ledger], id))
                        .as("%s ledger %d entry %d", when, ledger, id)
                        .isEqualTo(placeOf(warm[ledger], id)));
    }

    private static String placeOf(Extents extents, long entryId) {
        RunRows rows = extents.rowsAt(entryId);
        int slot = rows == null ? -1 : rows.find(entryId);
        return rows == null || slot < 0
                ? "absent"
                : rows.logId(slot) + ":" + (rows.tableRow(slot) + entryId - rows.firstEntryId(slot));
    }

    @Test
    void whatIsColdIsFoundAgainAsItWas() {
        for (int seed = 0; seed < 60; seed++) {
            ColdExtentsTest one = new ColdExtentsTest();
            one.live(seed);
            assertThat(one.coldSeen).as("seed %s", seed).isGreaterThan(5);
        }
    }

    @Test
    void memoryStaysWithinItsBoundHoweverManyRunsThereAre() {
        PageCache bounded = PageCache.bounded(200_000);
        bounded.over(pages.over(new Random(1)));
        Extents extents = new Extents();
        for (int run = 0; run < 100_000; run++) {
            extents.add(new Extent(7, run, 1, 1 + run, 0, 100), new Shelf(logs, bounded));
            bounded.trim();
            pages.runAll();
        }

        assertThat(bounded.bytes()).isLessThan(250_000);
        assertThat(logs.liveEntries()).isEqualTo(100_000);
    }

    @Test
    void whatALostPageHeldIsDoubtfulAndNothingElse() {
        cache.over(pages.over(new Random(1)));
        Extents extents = new Extents();
        for (int run = 0; run < 200; run++) {
            extents.add(new Extent(7, 2L * run, 1, 1 + run, 0, 100), shelf);
        }
        cache.trim();
        pages.runAll();
        pages.damageAll();
        RunPage lost =
                extents.pages().stream().filter(RunPage::isCold).findFirst().orElseThrow();

        cache.read(List.of(lost), true, there -> assertThat(there).isTrue());
        pages.runAll();

        assertThat(extents.isDoubtful(lost.from())).isTrue();
        assertThat(extents.holds(lost.from())).isFalse();
        assertThat(extents.isDoubtful(399)).isFalse();
        extents.add(new Extent(7, lost.from(), 1, 900, 3, 100), shelf);
        assertThat(extents.holds(lost.from())).isTrue();
        assertThat(extents.isDoubtful(lost.from() + 2)).isTrue();
    }

    // B6
    @Test
    void whatALostPageHeldStaysDoubtfulHoweverMuchIsAddedInItsRange() {
        cache.over(pages.over(new Random(1)));
        Extents extents = new Extents();
        for (int run = 0; run < 200; run++) {
            extents.add(new Extent(7, 10L * run, 1, 1 + run, 0, 100), shelf);
        }
        cache.trim();
        pages.runAll();
        pages.damageAll();
        RunPage lost =
                extents.pages().stream().filter(RunPage::isCold).findFirst().orElseThrow();
        long from = lost.from();
        long end = lost.end();
        cache.read(List.of(lost), true, there -> assertThat(there).isTrue());
        pages.runAll();

        for (long id = from + 1; id < end; id += 2) {
            extents.add(new Extent(7, id, 1, 1_000 + (int) id, 3, 100), shelf);
        }

        for (long id = from; id < end; id += 10) {
            assertThat(extents.holds(id) || extents.isDoubtful(id))
                    .as("entry %d", id)
                    .isTrue();
        }
    }

    @Test
    void aReadThatFailsIsToldToWhoeverDoesNotInsistAndMadeAgainForWhoeverDoes() {
        cache.over(pages.over(new Random(1)));
        Extents extents = new Extents();
        for (int run = 0; run < 200; run++) {
            extents.add(new Extent(7, run, 1, 1 + run, 0, 100), shelf);
        }
        cache.trim();
        pages.runAll();
        List<RunPage> first = List.of(
                extents.pages().stream().filter(RunPage::isCold).findFirst().orElseThrow());
        StringBuilder told = new StringBuilder();
        pages.failNext();

        cache.read(first, false, there -> told.append("any ").append(there));
        cache.read(first, true, there -> told.append(" insisting ").append(there));
        pages.runAll();

        assertThat(told.toString()).isEqualTo("any false insisting true");
    }
}
