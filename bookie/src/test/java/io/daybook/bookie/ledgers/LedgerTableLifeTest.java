// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget.Extent;
import io.daybook.bookie.index.pages.DelayedPages;
import io.daybook.bookie.index.pages.PageCache;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Flushes, burials, compactions and look-ups begin while others wait for cold pages of the index: nothing that was flushed and not given up is ever absent, every
 * entry lies in one log that counts, and the logs count what lies in them (B6, B13, D14).
 */
final class LedgerTableLifeTest {
    private static final int LEDGERS = 3;
    private static final int IDS = 400;
    private static final int STEPS = 500;
    private static final int ENTRY_BYTES = 100;

    private final DelayedPages pages = new DelayedPages();
    private final PageCache cache = PageCache.bounded(2_000);
    private final LedgerTable table = new LedgerTable(JournalCount.ONE, cache);
    private final TreeMap<Integer, List<Extent>> runs = new TreeMap<>();
    private final TreeSet<Long> held = new TreeSet<>();
    private final long[] next = new long[LEDGERS];
    private final int[] buriedAt = new int[LEDGERS];
    private Random random = new Random(0);
    private String name = "";
    private int incarnation;
    private boolean isCompacting;
    private int removed;
    private int coldSeen;

    private static long key(long ledgerId, long entryId) {
        return ledgerId * IDS * 10 + entryId;
    }

    private void live(long seed) {
        random = new Random(seed);
        name = "seed " + seed;
        cache.over(pages.over(random));
        for (int step = 0; step < STEPS; step++) {
            int dice = random.nextInt(100);
            if (dice < 50) {
                flush();
            } else if (dice < 52) {
                bury(random.nextInt(LEDGERS));
            } else if (dice < 65) {
                compact();
            } else if (dice < 75) {
                removeDead();
            } else {
                look(random.nextInt(LEDGERS), random.nextInt(IDS));
            }
            coldSeen = Math.max(coldSeen, cache.coldPages());
            if (random.nextInt(3) == 0) {
                pages.runSome();
            }
        }
        pages.runAll();
        assertThat(table.logs().liveEntries()).as(name).isEqualTo(held.size());
        for (int ledgerId = 0; ledgerId < LEDGERS; ledgerId++) {
            Ledger ledger = table.obtain(ledgerId);
            cache.read(ledger.extents.pages(), true, there -> assertPlaces(ledger));
            pages.runAll();
        }
    }

    private void assertPlaces(Ledger ledger) {
        for (int id = 0; id < IDS * 2; id++) {
            Extent one = new Extent(ledger.ledgerId, id, 1, 0, 0, 0);
            long places = runs.keySet().stream()
                    .filter(logId -> !ledger.extents.alive(in(logId, one)).isEmpty())
                    .count();
            assertThat(places)
                    .as("%s ledger %d entry %d", name, ledger.ledgerId, id)
                    .isEqualTo(held.contains(key(ledger.ledgerId, id)) ? 1 : 0);
        }
    }

    private static Extent in(int logId, Extent run) {
        return new Extent(run.ledgerId(), run.firstEntryId(), run.count(), logId, 0, 0);
    }

    /** Entries at the ends of ledgers, and some that are stored once more. */
    private void flush() {
        int logId = ++incarnation;
        IndexRows rows = new IndexRows(logId);
        List<Long> keys = new ArrayList<>();
        long position = 0;
        for (int ledgerId = 0; ledgerId < LEDGERS; ledgerId++) {
            long again = random.nextInt(3) == 0 ? random.nextInt((int) next[ledgerId] + 1) : -1;
            TreeSet<Long> ids = new TreeSet<>();
            for (int i = random.nextInt(4); i > 0 && next[ledgerId] < IDS; i--) {
                ids.add(next[ledgerId]++);
                next[ledgerId] += random.nextInt(2);
            }
            for (int i = random.nextInt(12); i > 0 && again >= 0; i--) {
                ids.add(again++);
            }
            for (long id : ids) {
                rows.entry(ledgerId, id, position, position + ENTRY_BYTES);
                position += ENTRY_BYTES;
                keys.add(key(ledgerId, id));
            }
        }
        rows.finish(logId - 1);
        runs.put(logId, rows.extents());
        table.flushed(rows, () -> {
            for (long key : keys) {
                if (logId >= buriedAt[(int) (key / IDS / 10)]) {
                    held.add(key);
                }
            }
        });
    }

    private void bury(int ledgerId) {
        buriedAt[ledgerId] = ++incarnation;
        held.removeIf(key -> key / IDS / 10 == ledgerId);
        table.bury(table.obtain(ledgerId), incarnation);
    }

    private void look(int ledgerId, int entryId) {
        long key = key(ledgerId, entryId);
        table.whenIndexed(ledgerId, entryId, entryId + 1, isKnown -> {
            if (isKnown && held.contains(key)) {
                assertThat(table.obtain(ledgerId).extents.holds(entryId))
                        .as("%s ledger %d entry %d", name, ledgerId, entryId)
                        .isTrue();
            }
        });
    }

    private void compact() {
        List<Integer> all = new ArrayList<>(runs.keySet());
        if (isCompacting || all.size() < 4) {
            return;
        }
        isCompacting = true;
        Set<Integer> victims = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            victims.add(all.get(random.nextInt(all.size())));
        }
        List<Extent> of = victims.stream()
                .flatMap(logId -> Objects.requireNonNull(runs.get(logId)).stream())
                .toList();
        int age = table.logs().newestFlushed().get(0);
        table.alive(of, alive -> copy(victims, age, alive));
    }

    private void copy(Set<Integer> victims, int age, List<Extent> alive) {
        int logId = table.logs().nextCompacted();
        IndexRows rows = new IndexRows(logId);
        long position = 0;
        List<Extent> inOrder = alive.stream()
                .sorted(Comparator.comparingLong(Extent::ledgerId).thenComparingLong(Extent::firstEntryId))
                .toList();
        for (Extent run : inOrder) {
            for (int i = 0; i < run.count(); i++) {
                rows.entry(run.ledgerId(), run.firstEntryId() + i, position, position + ENTRY_BYTES);
                position += ENTRY_BYTES;
            }
        }
        rows.finish(age);
        table.logs().add(logId, age);
        runs.put(logId, rows.extents());
        table.move(rows.extents(), victims, () -> {
            isCompacting = false;
            removeDead();
        });
    }

    private void removeDead() {
        if (isCompacting) {
            return;
        }
        for (int logId : List.copyOf(runs.keySet())) {
            if (table.logs().isDead(logId)) {
                table.logs().remove(logId);
                runs.remove(logId);
                removed++;
            }
        }
    }

    @Test
    void whateverBeginsWhileTheIndexIsColdNothingIsLostAndNothingCountedTwice() {
        int cold = 0;
        int gone = 0;
        for (int seed = 0; seed < 100; seed++) {
            LedgerTableLifeTest one = new LedgerTableLifeTest();
            one.live(seed);
            cold += one.coldSeen;
            gone += one.removed;
        }
        assertThat(cold).isGreaterThan(1_000);
        assertThat(gone).isGreaterThan(1_000);
    }
}
