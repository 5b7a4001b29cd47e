// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import java.util.Arrays;

/**
 * Where the flushed entries of one ledger lie: one row per run of consecutive entries in one log, in order of entry ids, as primitive arrays.
 *
 * <p><i>Invariants:</i> runs do not overlap: an entry is stored once (B4). B11: a run is added only after log and index file are durable.
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

    /** Adds a run that lies in log {@code logId} and whose positions begin at row {@code tableRow} of that log's index file. */
    public void add(long firstEntryId, int count, int logId, int tableRow) {
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
