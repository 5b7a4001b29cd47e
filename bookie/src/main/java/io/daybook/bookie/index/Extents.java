// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import java.util.Arrays;

/**
 * Where the flushed entries of one ledger lie: one row per run of consecutive entries in one log, in order of entry ids, as primitive arrays.
 *
 * <p><i>Invariants:</i> runs do not overlap: an entry is held once (B4). B11: a run is added only after log and index file are durable.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Extents {
    private static final long[] NO_LONGS = {};
    private static final int[] NO_INTS = {};

    private long[] firstEntryIds = NO_LONGS;
    private long[] locations = NO_LONGS;
    private int[] counts = NO_INTS;
    private int size;

    /** With no run. */
    public Extents() {}

    /**
     * Adds a run that lies in log {@code logId} and whose positions begin at row {@code tableRow} of that log's index file. What another run holds as
     * well is kept only in the run of the newer log: a copy is stored again only over one that is damaged.
     */
    public void add(long firstEntryId, int count, int logId, int tableRow) {
        long next = firstEntryId;
        long end = firstEntryId + count;
        while (next < end) {
            int slot = overlapping(next, end);
            if (slot < 0) {
                insert(next, (int) (end - next), logId, tableRow + (int) (next - firstEntryId));
                return;
            }
            if (logId(slot) < logId) {
                cutOut(slot, next, end);
                continue;
            }
            if (firstEntryIds[slot] > next) {
                int before = (int) (firstEntryIds[slot] - next);
                long heldEnd = firstEntryIds[slot] + counts[slot];
                insert(next, before, logId, tableRow + (int) (next - firstEntryId));
                next = heldEnd;
            } else {
                next = firstEntryIds[slot] + counts[slot];
            }
        }
    }

    /** The first run that holds any entry from {@code from} to before {@code end}, or -1. */
    private int overlapping(long from, long end) {
        int found = Arrays.binarySearch(firstEntryIds, 0, size, from);
        int slot = found >= 0 ? found : Math.max(0, -found - 2);
        while (slot < size && firstEntryIds[slot] < end) {
            if (from < firstEntryIds[slot] + counts[slot]) {
                return slot;
            }
            slot++;
        }
        return -1;
    }

    /** Takes the entries from {@code from} to before {@code end} out of a run. */
    private void cutOut(int slot, long from, long end) {
        long first = firstEntryIds[slot];
        long heldEnd = first + counts[slot];
        int logId = logId(slot);
        int tableRow = tableRow(slot);
        if (first < from) {
            counts[slot] = (int) (from - first);
        } else {
            remove(slot);
        }
        if (heldEnd > end) {
            insert(end, (int) (heldEnd - end), logId, tableRow + (int) (end - first));
        }
    }

    private void remove(int slot) {
        int left = size - slot - 1;
        System.arraycopy(firstEntryIds, slot + 1, firstEntryIds, slot, left);
        System.arraycopy(locations, slot + 1, locations, slot, left);
        System.arraycopy(counts, slot + 1, counts, slot, left);
        size--;
    }

    private void insert(long firstEntryId, int count, int logId, int tableRow) {
        if (size == counts.length) {
            int capacity = size + (size >> 1) + 1;
            firstEntryIds = Arrays.copyOf(firstEntryIds, capacity);
            locations = Arrays.copyOf(locations, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
        int slot = size;
        if (size > 0 && firstEntryIds[size - 1] > firstEntryId) {
            slot = -Arrays.binarySearch(firstEntryIds, 0, size, firstEntryId) - 1;
            System.arraycopy(firstEntryIds, slot, firstEntryIds, slot + 1, size - slot);
            System.arraycopy(locations, slot, locations, slot + 1, size - slot);
            System.arraycopy(counts, slot, counts, slot + 1, size - slot);
        }
        firstEntryIds[slot] = firstEntryId;
        counts[slot] = count;
        locations[slot] = ((long) logId << 32) | (tableRow & 0xffff_ffffL);
        size++;
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

    /** The log of the run in a slot. */
    public int logId(int slot) {
        return (int) (locations[slot] >>> 32);
    }

    /** Which row of its index file's table holds the position of the first entry of the run in a slot. */
    public int tableRow(int slot) {
        return (int) locations[slot];
    }
}
