// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cache;

import io.netty.util.collection.LongObjectHashMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A block of memory that is at once the image of a journal file, the table of entries not yet flushed, and the cache for tail reads.
 *
 * <p><i>Invariants:</i> an entry is indexed at most once; everything below {@link #durableBytes} is on the journal's device.
 *
 * <p><i>Threading:</i> the core loop. Once sealed, bytes and index do not change until {@link #clear}, and the storage loop may read them through
 * {@link #sealedView}.
 */
public final class Slab {
    /** Of the length before an entry. */
    public static final int LENGTH_BYTES = 4;

    private final ByteBuffer bytes;
    private final LongObjectHashMap<SlabEntries> byLedger = new LongObjectHashMap<>();
    private int durableBytes;
    private long lastLedgerId = -1;
    private @Nullable SlabEntries lastEntries;
    private final LongObjectHashMap<Boolean> hidden = new LongObjectHashMap<>();
    private boolean shared;

    private Slab(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A slab of its own memory, aligned for unbuffered writes. */
    public static Slab allocate(int capacityBytes, int alignment) {
        return new Slab(ByteBuffer.allocateDirect(capacityBytes + alignment - 1)
                .alignedSlice(alignment)
                .slice(0, capacityBytes));
    }

    /** A slab over a journal file's image; all of it is durable. */
    public static Slab over(ByteBuffer image) {
        Slab slab = new Slab(image.duplicate());
        slab.durableBytes = image.capacity();
        return slab;
    }

    /** The memory. Callers use absolute positions, or put position and limit back. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** The memory as another loop may read it once the slab is sealed. */
    public ByteBuffer sealedView() {
        shared = true;
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Notes that a fact about a ledger, or an entry of it, stands here. */
    public SlabEntries touch(long ledgerId) {
        if (ledgerId == lastLedgerId && lastEntries != null) {
            return lastEntries;
        }
        SlabEntries entries = byLedger.get(ledgerId);
        if (entries == null) {
            entries = new SlabEntries();
            byLedger.put(ledgerId, entries);
        }
        lastLedgerId = ledgerId;
        lastEntries = entries;
        return entries;
    }

    /** Notes an entry that is not here yet; the four bytes before it are its length. */
    public void add(long ledgerId, long entryId, int offset) {
        touch(ledgerId).add(entryId, offset);
    }

    /** How many bytes the entry that begins at {@code offset} of a slab's memory has. */
    public static int lengthAt(ByteBuffer memory, int offset) {
        return memory.getInt(offset - LENGTH_BYTES);
    }

    /** The entries of a ledger, or null when nothing of it stands here. */
    public @Nullable SlabEntries entries(long ledgerId) {
        return ledgerId == lastLedgerId && lastEntries != null ? lastEntries : byLedger.get(ledgerId);
    }

    /**
     * Gives up the entries of a ledger that stand here: they are not found any more and, unless the storage loop has the slab already, not flushed.
     * Facts about the ledger stay.
     */
    public void hide(long ledgerId) {
        if (!byLedger.containsKey(ledgerId)) {
            return;
        }
        if (shared) {
            hidden.put(ledgerId, Boolean.TRUE);
        } else {
            byLedger.put(ledgerId, new SlabEntries());
            lastEntries = null;
        }
    }

    /** As {@link #entries}, without those that were given up. On the core loop. */
    @Nullable
    SlabEntries visibleEntries(long ledgerId) {
        return hidden.isEmpty() || !hidden.containsKey(ledgerId) ? entries(ledgerId) : null;
    }

    /** Whether an entry stands here, and not facts alone. */
    public boolean hasEntries() {
        for (SlabEntries entries : byLedger.values()) {
            if (entries.count() > 0) {
                return true;
            }
        }
        return false;
    }

    /** The ledgers of which something stands here, rising. */
    public long[] ledgerIds() {
        long[] ids = new long[byLedger.size()];
        int next = 0;
        for (long id : byLedger.keySet()) {
            ids[next++] = id;
        }
        Arrays.sort(ids);
        return ids;
    }

    /** How many bytes from the start are durable. */
    public int durableBytes() {
        return durableBytes;
    }

    /** Raises {@link #durableBytes}. */
    public void advanceDurable(int bytesFromStart) {
        durableBytes = bytesFromStart;
    }

    /** Forgets everything, so that the memory can be filled again. */
    public void clear() {
        byLedger.clear();
        hidden.clear();
        shared = false;
        lastLedgerId = -1;
        lastEntries = null;
        durableBytes = 0;
    }
}
