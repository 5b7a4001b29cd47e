// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.index.pages.RunPage;
import io.daybook.bookie.index.pages.RunRows;
import io.daybook.runtime.Invariants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the flushed entries of one ledger lie: one row per run of consecutive entries in one log, in order of entry ids. The last rows are always in memory; those
 * before are in pages, which may be cold. Each entry id has one page that is asked for it, so that a run never lies in two.
 *
 * <p><i>Invariants:</i> runs do not overlap: an entry is held once (B4). B11: a run is added only after log and index file are durable. The
 * {@link LogTable} counts every entry that is added, moved or taken out, in cold pages too. Nothing is said of a cold page: it must be read before
 * ({@link #cold}).
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Extents {
    private static final RunPage[] NO_PAGES = {};

    private final RunRows tail = new RunRows();
    private RunPage[] pages = NO_PAGES;
    private int pageCount;

    /** With no run. */
    public Extents() {}

    // ---- pages ----

    /** The number of the page that is asked for an entry; that after the last page for the tail. */
    private int pageOf(long entryId) {
        int low = 0;
        int high = pageCount;
        if (high == 0 || entryId >= pages[high - 1].end()) {
            return high;
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (pages[middle].from() <= entryId) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first entry id for which that page is not asked. */
    private long boundOf(int page) {
        if (page == pageCount) {
            return Long.MAX_VALUE;
        }
        return page == pageCount - 1 ? pages[page].end() : pages[page + 1].from();
    }

    private RunRows rowsOf(int page) {
        if (page == pageCount) {
            return tail;
        }
        RunRows rows = pages[page].rows();
        if (rows == null) {
            throw new Invariants.InvariantViolation(
                    "B6: the index of entries from " + pages[page].from() + " on is asked while it is not in memory");
        }
        return rows;
    }

    /**
     * The pages that are asked for the entries from {@code from} to before {@code end}, if any of them must be read before anything can be said of these: all, so
     * that they are in memory together. None otherwise.
     */
    public List<RunPage> cold(long from, long end) {
        if (pageCount == 0) {
            return List.of();
        }
        int first = pageOf(from);
        int after = first;
        boolean isCold = false;
        for (long next = from; after < pageCount && next < end; after++) {
            isCold |= pages[after].isCold();
            next = boundOf(after);
        }
        return isCold ? List.of(Arrays.copyOfRange(pages, first, after)) : List.of();
    }

    /** Whether a page must be read before anything can be said of an entry. */
    public boolean isCold(long entryId) {
        int page = pageOf(entryId);
        return page < pageCount && pages[page].isCold();
    }

    /** Whether the entry may be here although it is not found: what the page says that is asked for it was lost. */
    public boolean isDoubtful(long entryId) {
        int page = pageOf(entryId);
        return page < pageCount && pages[page].isLost();
    }

    /** Whether an entry is here, or whether it is cannot be told now. */
    public boolean mayHold(long entryId) {
        return isCold(entryId) || isDoubtful(entryId) || holds(entryId);
    }

    /** All pages, cold or not, in order. */
    public List<RunPage> pages() {
        return List.of(Arrays.copyOf(pages, pageCount));
    }

    // ---- looking ----

    /** Whether an entry is here. */
    public boolean holds(long entryId) {
        return rowsOf(pageOf(entryId)).find(entryId) >= 0;
    }

    /** The runs among which an entry is, if it is here at all; null when their page is cold. */
    @Nullable
    RunRows rowsAt(long entryId) {
        return isCold(entryId) ? null : rowsOf(pageOf(entryId));
    }

    /** Whether there is no run. */
    public boolean isEmpty() {
        return tail.size() == 0 && pageCount == 0;
    }

    /** The parts of a run that are alive: those which this index places in the run's log. */
    public List<IndexTarget.Extent> alive(IndexTarget.Extent run) {
        List<IndexTarget.Extent> alive = new ArrayList<>();
        long next = run.firstEntryId();
        while (next < run.end()) {
            int page = pageOf(next);
            RunRows rows = rowsOf(page);
            long end = Math.min(run.end(), boundOf(page));
            int slot = rows.overlapping(next, end);
            for (; slot >= 0 && slot < rows.size() && rows.firstEntryId(slot) < end; slot++) {
                if (rows.logId(slot) == run.logId()) {
                    alive.add(run(run.ledgerId(), rows, slot));
                }
            }
            next = end;
        }
        return alive;
    }

    /** The run in a slot, as one of a ledger. */
    private static IndexTarget.Extent run(long ledgerId, RunRows rows, int slot) {
        return new IndexTarget.Extent(
                ledgerId,
                rows.firstEntryId(slot),
                rows.count(slot),
                rows.logId(slot),
                rows.tableRow(slot),
                rows.bytes(slot));
    }

    // ---- adding ----

    /**
     * Adds a run. What another run holds as well is kept only in the run of the newer log: a copy is stored again only over one that is damaged.
     */
    public void add(IndexTarget.Extent run, Shelf shelf) {
        shelf.logs().stored(run.logId(), run.bytes());
        long next = run.firstEntryId();
        while (next < run.end()) {
            int page = pageOf(next);
            long end = Math.min(run.end(), boundOf(page));
            RunRows rows = rowsOf(page);
            long before = rows.bytes();
            add(part(run, next, end), rows, shelf.logs());
            changed(page, before, shelf.cache());
            next = end;
        }
    }

    private static void add(IndexTarget.Extent run, RunRows rows, LogTable logs) {
        long next = run.firstEntryId();
        while (next < run.end()) {
            int slot = rows.overlapping(next, run.end());
            if (slot < 0) {
                insert(part(run, next, run.end()), rows, logs);
                return;
            }
            if (logs.isNewer(run.logId(), rows.logId(slot))) {
                cutOut(slot, next, run.end(), rows, logs);
                continue;
            }
            long heldEnd = rows.end(slot);
            if (rows.firstEntryId(slot) > next) {
                insert(part(run, next, rows.firstEntryId(slot)), rows, logs);
            }
            next = heldEnd;
        }
    }

    private static void insert(IndexTarget.Extent run, RunRows rows, LogTable logs) {
        rows.insert(run.firstEntryId(), run.count(), run.logId(), run.tableRow(), run.bytes());
        logs.lives(run.logId(), run.count(), run.bytes());
    }

    /** Part of a run. Where an entry ends is not known here, so bytes are shared out evenly. */
    private static IndexTarget.Extent part(IndexTarget.Extent run, long from, long end) {
        int skipped = (int) (from - run.firstEntryId());
        int count = (int) (end - from);
        return new IndexTarget.Extent(run.ledgerId(), from, count, run.logId(), run.tableRow() + skipped, (int)
                ((long) run.bytes() * count / run.count()));
    }

    /** Takes the entries from {@code from} to before {@code end} out of a run. */
    private static void cutOut(int slot, long from, long end, RunRows rows, LogTable logs) {
        IndexTarget.Extent held = run(-1, rows, slot);
        logs.dies(held.logId(), held.count(), held.bytes());
        rows.remove(slot);
        if (held.firstEntryId() < from) {
            insert(part(held, held.firstEntryId(), from), rows, logs);
        }
        if (held.end() > end) {
            insert(part(held, end, held.end()), rows, logs);
        }
    }

    /** Keeps the bounds of a page, and the number of its rows. */
    private void changed(int page, long bytesBefore, PageCache cache) {
        if (page == pageCount) {
            cache.fixed(tail.bytes() - bytesBefore);
            if (tail.size() > cache.rowsMax()) {
                seal(cache);
            }
            return;
        }
        RunPage changed = pages[page];
        RunRows rows = rowsOf(page);
        if (rows.size() > 0) {
            changed.bounds(
                    Math.min(changed.from(), rows.firstEntryId(0)), Math.max(changed.end(), rows.end(rows.size() - 1)));
        }
        cache.changed(changed, bytesBefore);
        splitIfLarge(page, cache);
    }

    /** All rows of the tail but the last become a page, or more: one run may have brought many rows. */
    private void seal(PageCache cache) {
        long before = tail.bytes();
        RunRows last = tail.splitOff(tail.size() - 1);
        RunRows rows = tail.splitOff(0);
        tail.insert(last.firstEntryId(0), last.count(0), last.logId(0), last.tableRow(0), last.bytes(0));
        cache.fixed(tail.bytes() - before);
        insertPage(pageCount, cache.page(rows.firstEntryId(0), tail.firstEntryId(0), rows));
        splitIfLarge(pageCount - 1, cache);
    }

    /** A run that fills gaps, or takes the middle out of another, brings several rows at once: halves may be too large still. */
    private void splitIfLarge(int page, PageCache cache) {
        if (rowsOf(page).size() > cache.rowsMax()) {
            split(page, cache);
            splitIfLarge(page + 1, cache);
            splitIfLarge(page, cache);
        }
    }

    /** At a cost that does not grow with what is before it. */
    private void insertPage(int at, RunPage page) {
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, pageCount + (pageCount >> 3) + 1);
        }
        System.arraycopy(pages, at, pages, at + 1, pageCount - at);
        pages[at] = page;
        pageCount++;
    }

    private void removePage(int at) {
        pageCount--;
        System.arraycopy(pages, at + 1, pages, at, pageCount - at);
        if (pageCount <= pages.length / 2) {
            pages = Arrays.copyOf(pages, pageCount);
        }
    }

    private void split(int page, PageCache cache) {
        RunPage left = pages[page];
        RunRows rows = rowsOf(page);
        long before = rows.bytes();
        RunRows right = rows.splitOff(rows.size() / 2);
        long middle = right.firstEntryId(0);
        insertPage(page + 1, cache.split(left, middle, right));
        cache.changed(left, before);
    }

    // ---- changing ----

    /**
     * Points to copies instead of their origins: of the entries of {@code copies} those that still lie in a log of which {@code from} is true, and no
     * others; somebody may have stored a newer copy meanwhile, or given the entries up (D14).
     */
    public void move(IndexTarget.Extent copy, IntPredicate from, Shelf shelf) {
        long next = copy.firstEntryId();
        while (next < copy.end()) {
            int page = pageOf(next);
            RunRows rows = rowsOf(page);
            long end = Math.min(copy.end(), boundOf(page));
            long before = rows.bytes();
            int slot = rows.overlapping(next, end);
            for (; slot >= 0 && slot < rows.size() && rows.end(slot) <= end; slot++) {
                int origin = rows.logId(slot);
                if (rows.firstEntryId(slot) >= next && from.test(origin)) {
                    shelf.logs().dies(origin, rows.count(slot), rows.bytes(slot));
                    shelf.logs().lives(copy.logId(), rows.count(slot), rows.bytes(slot));
                    int skipped = (int) (rows.firstEntryId(slot) - copy.firstEntryId());
                    rows.relocate(slot, copy.logId(), copy.tableRow() + skipped);
                }
            }
            rows.join();
            changed(page, before, shelf.cache());
            next = end;
        }
    }

    /** Takes out the runs of a page in logs of which {@code in} is true. */
    public void removeIf(RunPage page, IntPredicate in, Shelf shelf) {
        RunRows rows = page.rows();
        int index = pageOf(page.from());
        if (rows == null || index == pageCount || pages[index] != page) {
            return;
        }
        long before = rows.bytes();
        removeIf(rows, in, shelf.logs());
        boolean isUseless = rows.size() == 0 && !page.isLost();
        shelf.cache().changed(page, before);
        if (isUseless) {
            shelf.cache().removed(page);
            removePage(index);
        }
    }

    /** Takes out the runs that are in no page, if their log is one of which {@code in} is true. */
    public void removeFromTailIf(IntPredicate in, Shelf shelf) {
        long before = tail.bytes();
        removeIf(tail, in, shelf.logs());
        if (tail.size() == 0) {
            tail.clear();
        }
        shelf.cache().fixed(tail.bytes() - before);
    }

    private static void removeIf(RunRows rows, IntPredicate in, LogTable logs) {
        for (int slot = rows.size() - 1; slot >= 0; slot--) {
            if (in.test(rows.logId(slot))) {
                logs.dies(rows.logId(slot), rows.count(slot), rows.bytes(slot));
                rows.remove(slot);
            }
        }
    }
}
