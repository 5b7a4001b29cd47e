// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.ledger.handle.Listeners;
import io.daybook.ledger.quorum.WriteSets;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a writer that are not acknowledged yet, in order, in a ring whose places are used again: an append allocates nothing here. With deferred
 * sync a member takes an entry before it has it durably; else both are one.
 *
 * <p><i>Invariants:</i> ids from {@link #first} to {@link #next} - 1, without a gap (L1). Each frame is held by exactly one reference of this ring.
 * <i>Threading:</i> confined to its owner's loop.
 */
final class PendingEntries {
    private static final int CAPACITY_INITIAL = 16;

    private final WriteSets writeSets;
    private final Listeners listeners;
    private long first;
    private long next;
    private @Nullable Entry[] ring = new Entry[CAPACITY_INITIAL];

    /** None yet. */
    PendingEntries(WriteSets writeSets, Listeners listeners) {
        this.writeSets = writeSets;
        this.listeners = listeners;
    }

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
        entry.takenSlots = 0;
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
            Entry entry = get(id);
            entry.takenSlots &= ~slots;
            entry.ackedSlots &= ~slots;
        }
    }

    /** The member in {@code slot} has taken these entries, as far as they are pending, and perhaps made them durable. */
    void taken(int slot, long firstEntryId, int count, boolean isDurable) {
        long end = Math.min(firstEntryId + count, next);
        for (long id = Math.max(firstEntryId, first); id < end; id++) {
            Entry entry = get(id);
            entry.takenSlots |= 1 << slot;
            entry.ackedSlots |= isDurable ? 1 << slot : 0;
        }
    }

    /** Forgets what the member in {@code slot} has taken and not acknowledged; returns whether there was any. */
    boolean forgetTaken(int slot) {
        int bit = 1 << slot;
        boolean isAny = false;
        for (long id = first; id < next; id++) {
            Entry entry = get(id);
            isAny |= (entry.takenSlots & ~entry.ackedSlots & bit) != 0;
            entry.takenSlots &= ~bit | entry.ackedSlots;
        }
        return isAny;
    }

    /** Whether the member in {@code slot} is to keep an entry that it has not acknowledged. */
    boolean isUnacked(int slot) {
        int bit = 1 << slot;
        for (long id = first; id < next; id++) {
            if ((unackedSlots(id) & bit) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether enough members have acknowledged the entry. */
    boolean isAcked(long id) {
        return writeSets.isAckQuorum(id, get(id).ackedSlots);
    }

    /** Whether enough members have taken the entry. */
    boolean isTaken(long id) {
        return writeSets.isAckQuorum(id, get(id).takenSlots);
    }

    /** The members that are to keep the entry and have not acknowledged it. */
    int unackedSlots(long id) {
        return writeSets.slotsOf(id) & ~get(id).ackedSlots;
    }

    /** The members that are to keep the entry and have not taken it. */
    int untakenSlots(long id) {
        return writeSets.slotsOf(id) & ~get(id).takenSlots;
    }

    /** Tells that the entry was taken by enough members. */
    void tellAccepted(long id) {
        listeners.accepted(get(id).listener(), id);
    }

    /** Removes the first entry and tells that it was acknowledged. */
    void acknowledgeFirst() {
        long id = first;
        listeners.appended(removeFirst(), id);
    }

    /** Removes the first entry, releases its frame and returns its listener. */
    private AppendListener removeFirst() {
        Entry entry = get(first);
        AppendListener listener = entry.listener();
        entry.frame().release();
        entry.frame = null;
        entry.listener = null;
        first++;
        return listener;
    }

    /** Ends all: those that may have got into a log as {@code unknown}, the others as {@code failed}. */
    void failAll(LedgerException unknown, LedgerException failed, Admission admission) {
        while (!isEmpty()) {
            Entry entry = get(first);
            boolean wasSent = entry.wasSent;
            admission.finished(entry.payloadBytes);
            listeners.failed(removeFirst(), wasSent ? unknown : failed);
        }
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

        /** The members that have taken it, durably or not; those who have acknowledged it among them. */
        int takenSlots;

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
