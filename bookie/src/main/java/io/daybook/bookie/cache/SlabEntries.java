// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cache;

import java.util.Arrays;

/**
 * Where the entries of one ledger stand in one slab: parallel arrays in order of entry ids, no object per entry. As long as the ids are consecutive,
 * which is the rule, only the offsets are kept.
 *
 * <p><i>Threading:</i> the core loop while the slab is filled; immutable, and so readable from the storage loop, once it is sealed.
 */
public final class SlabEntries {
    private static final int FIRST_CAPACITY = 4;
    private static final long[] CONSECUTIVE = {};

    private int[] offsets = new int[FIRST_CAPACITY];
    private long[] entryIds = CONSECUTIVE;
    private long firstEntryId;
    private int count;

    SlabEntries() {}

    /** Notes an entry that is not here yet. */
    void add(long entryId, int offset) {
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, count * 2);
        }
        if (count == 0) {
            firstEntryId = entryId;
        }
        if (entryIds == CONSECUTIVE && entryId == firstEntryId + count) {
            offsets[count++] = offset;
        } else {
            addOutOfOrder(entryId, offset);
        }
    }

    private void addOutOfOrder(long entryId, int offset) {
        long[] ids = idsWithRoom();
        int slot = count;
        if (ids[count - 1] > entryId) {
            slot = -Arrays.binarySearch(ids, 0, count, entryId) - 1;
            System.arraycopy(ids, slot, ids, slot + 1, count - slot);
            System.arraycopy(offsets, slot, offsets, slot + 1, count - slot);
        }
        ids[slot] = entryId;
        offsets[slot] = offset;
        entryIds = ids;
        count++;
    }

    private long[] idsWithRoom() {
        if (entryIds != CONSECUTIVE) {
            return entryIds.length < offsets.length ? Arrays.copyOf(entryIds, offsets.length) : entryIds;
        }
        long[] ids = new long[offsets.length];
        for (int slot = 0; slot < count; slot++) {
            ids[slot] = firstEntryId + slot;
        }
        return ids;
    }

    /** How many entries there are. */
    public int count() {
        return count;
    }

    /** The slot of an entry, or a negative number. */
    public int find(long entryId) {
        if (entryIds != CONSECUTIVE) {
            return Arrays.binarySearch(entryIds, 0, count, entryId);
        }
        long slot = entryId - firstEntryId;
        return slot >= 0 && slot < count ? (int) slot : -1;
    }

    /** The id of the entry in a slot. */
    public long entryId(int slot) {
        return entryIds == CONSECUTIVE ? firstEntryId + slot : entryIds[slot];
    }

    /** Where the bytes of the entry in a slot begin; the four bytes before are their number. */
    public int offset(int slot) {
        return offsets[slot];
    }
}
