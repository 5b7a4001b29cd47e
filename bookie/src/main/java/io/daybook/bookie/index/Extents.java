// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Where the flushed entries of one ledger lie: one row per run of consecutive entries in one log, in order of entry ids, as primitive arrays.
 *
 * <p><i>Invariants:</i> runs do not overlap: an entry is held once (B4). B11: a run is added only after log and index file are durable. The
 * {@link LogTable} counts every entry that is added, moved or taken out.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Extents {
    private static final long[] NO_LONGS = {};
    private static final int[] NO_INTS = {};

    private long[] firstEntryIds = NO_LONGS;
    private long[] locations = NO_LONGS;
    private int[] counts = NO_INTS;
    private int[] bytes = NO_INTS;
    private int size;

    /** With no run. */
    public Extents() {}

    /**
     * Adds a run. What another run holds as well is kept only in the run of the newer log: a copy is stored again only over one that is damaged.
     */
    public void add(IndexTarget.Extent run, LogTable logs) {
        logs.stored(run.logId(), run.bytes());
        long next = run.firstEntryId();
        while (next < run.end()) {
            int slot = overlapping(next, run.end());
            if (slot < 0) {
                insertPart(run, next, run.end(), logs);
                return;
            }
            if (logs.isNewer(run.logId(), logId(slot))) {
                cutOut(slot, next, run.end(), logs);
                continue;
            }
            if (firstEntryIds[slot] > next) {
                long heldEnd = end(slot);
                insertPart(run, next, firstEntryIds[slot], logs);
                next = heldEnd;
            } else {
                next = end(slot);
            }
        }
    }

    /** The first run that holds any entry from {@code from} to before {@code end}, or -1. */
    private int overlapping(long from, long end) {
        int found = Arrays.binarySearch(firstEntryIds, 0, size, from);
        int slot = found >= 0 ? found : Math.max(0, -found - 2);
        while (slot < size && firstEntryIds[slot] < end) {
            if (from < end(slot)) {
                return slot;
            }
            slot++;
        }
        return -1;
    }

    private void insertPart(IndexTarget.Extent run, long from, long end, LogTable logs) {
        IndexTarget.Extent part = part(run, from, end);
        insert(part);
        logs.lives(part.logId(), part.count(), part.bytes());
    }

    /** Part of a run. Where an entry ends is not known here, so bytes are shared out evenly. */
    private static IndexTarget.Extent part(IndexTarget.Extent run, long from, long end) {
        int skipped = (int) (from - run.firstEntryId());
        int count = (int) (end - from);
        return new IndexTarget.Extent(run.ledgerId(), from, count, run.logId(), run.tableRow() + skipped, (int)
                ((long) run.bytes() * count / run.count()));
    }

    /** Takes the entries from {@code from} to before {@code end} out of a run. */
    private void cutOut(int slot, long from, long end, LogTable logs) {
        IndexTarget.Extent held = run(-1, slot);
        logs.dies(held.logId(), held.count(), held.bytes());
        remove(slot);
        if (held.firstEntryId() < from) {
            insertPart(held, held.firstEntryId(), from, logs);
        }
        if (held.end() > end) {
            insertPart(held, end, held.end(), logs);
        }
    }

    private void remove(int slot) {
        int left = size - slot - 1;
        System.arraycopy(firstEntryIds, slot + 1, firstEntryIds, slot, left);
        System.arraycopy(locations, slot + 1, locations, slot, left);
        System.arraycopy(counts, slot + 1, counts, slot, left);
        System.arraycopy(bytes, slot + 1, bytes, slot, left);
        size--;
    }

    private void insert(IndexTarget.Extent run) {
        if (size == counts.length) {
            int capacity = size + (size >> 1) + 1;
            firstEntryIds = Arrays.copyOf(firstEntryIds, capacity);
            locations = Arrays.copyOf(locations, capacity);
            counts = Arrays.copyOf(counts, capacity);
            bytes = Arrays.copyOf(bytes, capacity);
        }
        int slot = size;
        if (size > 0 && firstEntryIds[size - 1] > run.firstEntryId()) {
            slot = -Arrays.binarySearch(firstEntryIds, 0, size, run.firstEntryId()) - 1;
            System.arraycopy(firstEntryIds, slot, firstEntryIds, slot + 1, size - slot);
            System.arraycopy(locations, slot, locations, slot + 1, size - slot);
            System.arraycopy(counts, slot, counts, slot + 1, size - slot);
            System.arraycopy(bytes, slot, bytes, slot + 1, size - slot);
        }
        firstEntryIds[slot] = run.firstEntryId();
        counts[slot] = run.count();
        locations[slot] = location(run.logId(), run.tableRow());
        bytes[slot] = run.bytes();
        size++;
    }

    private static long location(int logId, int tableRow) {
        return ((long) logId << 32) | (tableRow & 0xffff_ffffL);
    }

    /** The parts of a run that are alive: those which this index places in the run's log. */
    public List<IndexTarget.Extent> alive(IndexTarget.Extent run) {
        List<IndexTarget.Extent> alive = new ArrayList<>();
        long next = run.firstEntryId();
        int slot = overlapping(next, run.end());
        while (slot >= 0) {
            if (logId(slot) == run.logId()) {
                alive.add(run(run.ledgerId(), slot));
            }
            next = end(slot);
            slot = next < run.end() ? overlapping(next, run.end()) : -1;
        }
        return alive;
    }

    /**
     * Points to copies instead of their origins: of the entries of {@code copies} those that still lie in a log of which {@code from} is true, and no
     * others; somebody may have stored a newer copy meanwhile, or given the entries up (D14).
     */
    public void move(List<IndexTarget.Extent> copies, IntPredicate from, LogTable logs) {
        for (IndexTarget.Extent copy : copies) {
            int slot = overlapping(copy.firstEntryId(), copy.end());
            for (; slot >= 0 && slot < size && end(slot) <= copy.end(); slot++) {
                int origin = logId(slot);
                if (firstEntryIds[slot] >= copy.firstEntryId() && from.test(origin)) {
                    logs.dies(origin, counts[slot], bytes[slot]);
                    logs.lives(copy.logId(), counts[slot], bytes[slot]);
                    int row = copy.tableRow() + (int) (firstEntryIds[slot] - copy.firstEntryId());
                    locations[slot] = location(copy.logId(), row);
                }
            }
        }
        join();
    }

    /** Makes one run of neighbours that lie one after the other in one log. */
    private void join() {
        int last = 0;
        for (int slot = 1; slot < size; slot++) {
            boolean follows = end(last) == firstEntryIds[slot]
                    && logId(last) == logId(slot)
                    && tableRow(last) + counts[last] == tableRow(slot);
            if (follows) {
                counts[last] += counts[slot];
                bytes[last] += bytes[slot];
            } else {
                last++;
                firstEntryIds[last] = firstEntryIds[slot];
                locations[last] = locations[slot];
                counts[last] = counts[slot];
                bytes[last] = bytes[slot];
            }
        }
        size = size == 0 ? 0 : last + 1;
    }

    /** Takes out the runs in logs of which {@code in} is true. */
    public void removeIf(IntPredicate in, LogTable logs) {
        int left = 0;
        for (int slot = 0; slot < size; slot++) {
            if (in.test(logId(slot))) {
                logs.dies(logId(slot), counts[slot], bytes[slot]);
            } else {
                firstEntryIds[left] = firstEntryIds[slot];
                locations[left] = locations[slot];
                counts[left] = counts[slot];
                bytes[left] = bytes[slot];
                left++;
            }
        }
        size = left;
    }

    /** The run in a slot, as one of a ledger. */
    private IndexTarget.Extent run(long ledgerId, int slot) {
        return new IndexTarget.Extent(
                ledgerId, firstEntryIds[slot], counts[slot], logId(slot), tableRow(slot), bytes[slot]);
    }

    /** The slot of the run that holds an entry, or -1. */
    public int find(long entryId) {
        int found = Arrays.binarySearch(firstEntryIds, 0, size, entryId);
        int slot = found >= 0 ? found : -found - 2;
        return slot >= 0 && entryId - firstEntryIds[slot] < counts[slot] ? slot : -1;
    }

    /** How many runs there are. */
    public int size() {
        return size;
    }

    /** The first entry id of the run in a slot. */
    public long firstEntryId(int slot) {
        return firstEntryIds[slot];
    }

    /** How many entries the run in a slot has. */
    public int count(int slot) {
        return counts[slot];
    }

    private long end(int slot) {
        return firstEntryIds[slot] + counts[slot];
    }

    /** The log of the run in a slot. */
    public int logId(int slot) {
        return (int) (locations[slot] >>> 32);
    }

    /** Which row of its index file's table holds the position of the first entry of the run in a slot. */
    public int tableRow(int slot) {
        return (int) locations[slot];
    }
}
