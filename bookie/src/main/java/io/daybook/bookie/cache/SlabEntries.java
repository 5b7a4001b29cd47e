// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cache;

import java.util.Arrays;

/**
 * Where the entries of one ledger stand in one slab: parallel arrays in order of entry ids, no object per entry.
 *
 * <p><i>Threading:</i> the core loop while the slab is filled; immutable, and so readable from the storage loop, once it is sealed.
 */
public final class SlabEntries {
    private static final int FIRST_CAPACITY = 4;

    private long[] entryIds = new long[FIRST_CAPACITY];
    private int[] offsets = new int[FIRST_CAPACITY];
    private int[] lengths = new int[FIRST_CAPACITY];
    private int count;

    SlabEntries() {}

    /** Notes an entry that is not here yet. */
    void add(long entryId, int offset, int length) {
        if (count == entryIds.length) {
            entryIds = Arrays.copyOf(entryIds, count * 2);
            offsets = Arrays.copyOf(offsets, count * 2);
            lengths = Arrays.copyOf(lengths, count * 2);
        }
        int slot = count;
        if (count > 0 && entryIds[count - 1] > entryId) {
            slot = -Arrays.binarySearch(entryIds, 0, count, entryId) - 1;
            System.arraycopy(entryIds, slot, entryIds, slot + 1, count - slot);
            System.arraycopy(offsets, slot, offsets, slot + 1, count - slot);
            System.arraycopy(lengths, slot, lengths, slot + 1, count - slot);
        }
        entryIds[slot] = entryId;
        offsets[slot] = offset;
        lengths[slot] = length;
        count++;
    }

    /** How many entries there are. */
    public int count() {
        return count;
    }

    /** The slot of an entry, or a negative number. */
    public int find(long entryId) {
        if (count == 0) {
            return -1;
        }
        long guess = entryId - entryIds[0];
        if (guess >= 0 && guess < count && entryIds[(int) guess] == entryId) {
            return (int) guess;
        }
        return Arrays.binarySearch(entryIds, 0, count, entryId);
    }

    /** The id of the entry in a slot. */
    public long entryId(int slot) {
        return entryIds[slot];
    }

    /** Where the bytes of the entry in a slot begin. */
    public int offset(int slot) {
        return offsets[slot];
    }

    /** How many bytes the entry in a slot has. */
    public int length(int slot) {
        return lengths[slot];
    }
}
