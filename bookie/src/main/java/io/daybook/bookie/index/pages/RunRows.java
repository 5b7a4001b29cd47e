// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Runs of consecutive entries of one ledger in memory: a row of three longs each, in order of entry ids.
 *
 * <p><i>Invariants:</i> runs do not overlap.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class RunRows {
    /** Bytes of a row, in memory as in a file. */
    public static final int ROW_BYTES = 24;

    private static final int ROW_LONGS = 3;
    private static final int ARRAY_BYTES = 16;
    private static final long[] NONE = {};

    private long[] cells = NONE;
    private int size;

    /** Since the cache of pages looked for the last time. */
    boolean isUsed;

    /** With no run. */
    public RunRows() {}

    /** How many runs there are. */
    public int size() {
        return size;
    }

    /** Bytes of memory. */
    public long bytes() {
        return cells.length == 0 ? 0 : ARRAY_BYTES + (long) cells.length * Long.BYTES;
    }

    /** The first entry id of the run in a slot. */
    public long firstEntryId(int slot) {
        return cells[slot * ROW_LONGS];
    }

    /** The entry id after the last of the run in a slot. */
    public long end(int slot) {
        return firstEntryId(slot) + count(slot);
    }

    /** How many entries the run in a slot has. */
    public int count(int slot) {
        return (int) (cells[slot * ROW_LONGS + 2] >>> 32);
    }

    /** Bytes of the records of the run in a slot. */
    public int bytes(int slot) {
        return (int) cells[slot * ROW_LONGS + 2];
    }

    /** The log of the run in a slot. */
    public int logId(int slot) {
        return (int) (cells[slot * ROW_LONGS + 1] >>> 32);
    }

    /** Which row of its index file's table holds the position of the first entry of the run in a slot. */
    public int tableRow(int slot) {
        return (int) cells[slot * ROW_LONGS + 1];
    }

    private static long pair(int high, int low) {
        return ((long) high << 32) | (low & 0xffff_ffffL);
    }

    /** The slot of the run that holds an entry, or -1. */
    public int find(long entryId) {
        int slot = lastUpTo(entryId);
        return slot >= 0 && entryId - firstEntryId(slot) < count(slot) ? slot : -1;
    }

    /** The last slot whose run begins at that entry or before, or -1. */
    private int lastUpTo(long entryId) {
        int low = 0;
        int high = size;
        if (size > 0 && firstEntryId(size - 1) <= entryId) {
            return size - 1;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (firstEntryId(middle) <= entryId) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** The first run that holds any entry from {@code from} to before {@code end}, or -1. */
    public int overlapping(long from, long end) {
        int before = lastUpTo(from);
        int slot = before >= 0 && end(before) > from ? before : before + 1;
        return slot < size && firstEntryId(slot) < end ? slot : -1;
    }

    /** Adds a run that overlaps none. */
    public void insert(long firstEntryId, int count, int logId, int tableRow, int bytes) {
        int at = (lastUpTo(firstEntryId) + 1) * ROW_LONGS;
        int used = size * ROW_LONGS;
        if (used == cells.length) {
            cells = Arrays.copyOf(cells, (size + (size >> 1) + 1) * ROW_LONGS);
        }
        System.arraycopy(cells, at, cells, at + ROW_LONGS, used - at);
        cells[at] = firstEntryId;
        cells[at + 1] = pair(logId, tableRow);
        cells[at + 2] = pair(count, bytes);
        size++;
    }

    /** Takes a run out. */
    public void remove(int slot) {
        int after = (slot + 1) * ROW_LONGS;
        System.arraycopy(cells, after, cells, after - ROW_LONGS, size * ROW_LONGS - after);
        size--;
    }

    /** Lets a run begin elsewhere. */
    public void relocate(int slot, int logId, int tableRow) {
        cells[slot * ROW_LONGS + 1] = pair(logId, tableRow);
    }

    /** Makes one run of neighbours that lie one after the other in one log. */
    public void join() {
        int last = 0;
        for (int slot = 1; slot < size; slot++) {
            boolean follows = end(last) == firstEntryId(slot)
                    && logId(last) == logId(slot)
                    && tableRow(last) + count(last) == tableRow(slot);
            if (follows) {
                cells[last * ROW_LONGS + 2] = pair(count(last) + count(slot), bytes(last) + bytes(slot));
            } else {
                last++;
                System.arraycopy(cells, slot * ROW_LONGS, cells, last * ROW_LONGS, ROW_LONGS);
            }
        }
        size = size == 0 ? 0 : last + 1;
    }

    /** Takes out the runs from {@code slot} on, as rows of their own. */
    public RunRows splitOff(int slot) {
        RunRows right = new RunRows();
        right.cells = Arrays.copyOfRange(cells, slot * ROW_LONGS, size * ROW_LONGS);
        right.size = size - slot;
        cells = Arrays.copyOf(cells, slot * ROW_LONGS);
        size = slot;
        return right;
    }

    /** The same runs, apart. */
    RunRows copy() {
        RunRows copy = new RunRows();
        copy.cells = Arrays.copyOf(cells, size * ROW_LONGS);
        copy.size = size;
        return copy;
    }

    /** Takes out all runs. */
    public void clear() {
        cells = NONE;
        size = 0;
    }

    /** Writes the rows, {@link #ROW_BYTES} each. */
    void write(ByteBuffer out) {
        for (int i = 0; i < size * ROW_LONGS; i++) {
            out.putLong(cells[i]);
        }
    }

    /** Reads so many rows. */
    static RunRows read(ByteBuffer in, int size) {
        RunRows rows = new RunRows();
        rows.cells = new long[size * ROW_LONGS];
        rows.size = size;
        for (int i = 0; i < rows.cells.length; i++) {
            rows.cells[i] = in.getLong();
        }
        return rows;
    }
}
