// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cache;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds entries in the slabs that are in memory: being filled, waiting for their flush, or flushed and not yet used again.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class SlabCache {
    private final Slab[] slabs;

    private @Nullable Slab foundSlab;
    private int foundSlot;
    private @Nullable SlabEntries foundEntries;

    /** Over the slabs of all journals. */
    public SlabCache(List<Slab> slabs) {
        this.slabs = slabs.toArray(new Slab[0]);
    }

    /** Whether the entry is in memory; {@link #slab}, {@link #offset} and {@link #length} then say where. */
    public boolean find(long ledgerId, long entryId) {
        if (isNext(ledgerId, entryId)) {
            foundSlot++;
            return true;
        }
        for (Slab slab : slabs) {
            SlabEntries entries = slab.visibleEntries(ledgerId);
            int slot = entries == null ? -1 : entries.find(entryId);
            if (slot >= 0) {
                foundSlab = slab;
                foundEntries = entries;
                foundSlot = slot;
                return true;
            }
        }
        foundSlab = null;
        foundEntries = null;
        return false;
    }

    /** Gives up all entries of a ledger that are in memory. */
    public void hide(long ledgerId) {
        for (Slab slab : slabs) {
            slab.hide(ledgerId);
        }
    }

    private boolean isNext(long ledgerId, long entryId) {
        return foundEntries != null
                && foundSlab != null
                && foundSlab.visibleEntries(ledgerId) == foundEntries
                && foundSlot + 1 < foundEntries.count()
                && foundEntries.entryId(foundSlot + 1) == entryId;
    }

    /** The slab of the entry found last. */
    public Slab slab() {
        if (foundSlab == null) {
            throw new IllegalStateException("nothing was found");
        }
        return foundSlab;
    }

    /** Where the bytes of the entry found last begin in its slab. */
    public int offset() {
        return foundEntries == null ? -1 : foundEntries.offset(foundSlot);
    }

    /** How many bytes the entry found last has. */
    public int length() {
        return Slab.lengthAt(slab().bytes(), offset());
    }

    /** Whether the entry found last is on the journal's device. */
    public boolean isDurable() {
        return offset() + length() <= slab().durableBytes();
    }
}
