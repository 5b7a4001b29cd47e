// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.ledger.quorum.WriteSets;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a writer that are not acknowledged yet, in order, in a ring whose places are used again: an append allocates nothing here.
 *
 * <p><i>Invariants:</i> ids from {@link #first} to {@link #next} - 1, without a gap (L1). Each frame is held by exactly one reference of this ring.
 * <i>Threading:</i> confined to its owner's loop.
 */
final class PendingEntries {
    private static final int CAPACITY_INITIAL = 16;

    private long first;
    private long next;
    private @Nullable Entry[] ring = new Entry[CAPACITY_INITIAL];

    /** The oldest id. */
    long first() {
        return first;
    }

    /** The id that the next entry will get. */
    long next() {
        return next;
    }

    boolean isEmpty() {
        return first == next;
    }

    /** Adds the entry with id {@link #next}; takes over the frame. */
    Entry add(ByteBuf frame, int payloadBytes, long lengthBytes, AppendListener listener) {
        if (next - first == ring.length) {
            grow();
        }
        int at = index(next, ring.length);
        Entry entry = ring[at];
        if (entry == null) {
            entry = new Entry();
            ring[at] = entry;
        }
        entry.frame = frame;
        entry.listener = listener;
        entry.ackedSlots = 0;
        entry.wasSent = false;
        entry.payloadBytes = payloadBytes;
        entry.lengthBytes = lengthBytes;
        next++;
        return entry;
    }

    Entry get(long id) {
        return Objects.requireNonNull(ring[index(id, ring.length)]);
    }

    /** Forgets the copies of the members in {@code slots}, which were replaced, for all entries (D8). */
    void forgetAcks(int slots) {
        for (long id = first; id < next; id++) {
            get(id).ackedSlots &= ~slots;
        }
    }

    /** Whether the member in {@code slot} has not acknowledged an entry that it is to keep. */
    boolean isLacking(int slot, WriteSets writeSets) {
        int bit = 1 << slot;
        for (long id = first; id < next; id++) {
            if ((writeSets.slotsOf(id) & ~get(id).ackedSlots & bit) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether the first entry would be acknowledged if only the member in {@code slot} had it too. */
    boolean firstLacksOnly(int slot, WriteSets writeSets) {
        int acked = get(first).ackedSlots;
        return (writeSets.slotsOf(first) & ~acked) == 1 << slot && !writeSets.isAckQuorum(first, acked);
    }

    /** Removes the first entry, releases its frame and returns its listener. */
    AppendListener removeFirst() {
        Entry entry = get(first);
        AppendListener listener = entry.listener();
        entry.frame().release();
        entry.frame = null;
        entry.listener = null;
        first++;
        return listener;
    }

    private void grow() {
        Entry[] larger = new Entry[ring.length * 2];
        for (long id = first; id < next; id++) {
            larger[index(id, larger.length)] = get(id);
        }
        ring = larger;
    }

    private static int index(long id, int capacity) {
        return (int) id & (capacity - 1);
    }

    /** One entry under way. */
    static final class Entry {
        /** The members that hold a durable copy, as slots of the present ensemble. */
        int ackedSlots;

        /** Whether it was ever given to a link: if not, it is in no log, for certain. */
        boolean wasSent;

        /** When it was appended. */
        long addedNanos;

        private int payloadBytes;
        private long lengthBytes;
        private @Nullable ByteBuf frame;
        private @Nullable AppendListener listener;

        /** The whole add frame. */
        ByteBuf frame() {
            return Objects.requireNonNull(frame);
        }

        int payloadBytes() {
            return payloadBytes;
        }

        /** Payload bytes of the ledger up to this entry. */
        long lengthBytes() {
            return lengthBytes;
        }

        private AppendListener listener() {
            return Objects.requireNonNull(listener);
        }
    }
}
