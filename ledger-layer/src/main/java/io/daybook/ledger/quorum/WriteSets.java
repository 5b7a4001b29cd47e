// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.quorum;

import io.daybook.metadata.model.Quorums;

/**
 * Which members of an ensemble keep which entry. A member is named by its slot, 0 to E-1; a set of slots is an {@code int} with one bit each. Entry
 * {@code e} belongs to the slots {@code (e + i) mod E} for {@code i} below the write quorum, computed in 64 bits.
 */
public final class WriteSets {
    private final Quorums quorums;
    private final int[] maskByRemainder;

    /** For ledgers of these quorums. */
    public WriteSets(Quorums quorums) {
        this.quorums = quorums;
        int size = quorums.ensembleSize();
        this.maskByRemainder = new int[size];
        for (int start = 0; start < size; start++) {
            for (int i = 0; i < quorums.writeQuorum(); i++) {
                maskByRemainder[start] |= 1 << ((start + i) % size);
            }
        }
    }

    /** For a writer that acknowledges after Qa copies, or after all Qw. */
    public static WriteSets of(Quorums quorums, boolean isWaitingForAll) {
        int acknowledged = isWaitingForAll ? quorums.writeQuorum() : quorums.ackQuorum();
        return new WriteSets(new Quorums(quorums.ensembleSize(), quorums.writeQuorum(), acknowledged));
    }

    /** E/Qw/Qa. */
    public Quorums quorums() {
        return quorums;
    }

    /** The slots that keep the entry. */
    public int slotsOf(long entryId) {
        return maskByRemainder[(int) (entryId % quorums.ensembleSize())];
    }

    /** The slot that stands at place {@code i} (below the write quorum) of the entry's write set. */
    public int slotAt(long entryId, int i) {
        return (int) ((entryId % quorums.ensembleSize() + i) % quorums.ensembleSize());
    }

    /** Whether the slot keeps the entry. */
    public boolean holds(int slot, long entryId) {
        return (slotsOf(entryId) & (1 << slot)) != 0;
    }

    /**
     * How many consecutive entries from {@code entryId} on the slot keeps; 0 when it does not keep that entry. Without striping there is no end but that
     * of the ids.
     */
    public long runOf(int slot, long entryId) {
        long most = Long.MAX_VALUE - entryId;
        if (quorums.ensembleSize() == quorums.writeQuorum()) {
            return most;
        }
        // Its place in the write set falls by one from each entry to the next.
        int place = Math.floorMod(slot - (int) (entryId % quorums.ensembleSize()), quorums.ensembleSize());
        return place < quorums.writeQuorum() ? Math.min(place + 1, most) : 0;
    }

    /** How many of the entries from {@code firstEntryId} to {@code lastEntryId} the slot keeps; 0 when the last is before the first. */
    public long countOf(int slot, long firstEntryId, long lastEntryId) {
        int size = quorums.ensembleSize();
        long count = Math.max(0, lastEntryId - firstEntryId + 1) / size * quorums.writeQuorum();
        for (long id = lastEntryId - Math.max(0, lastEntryId - firstEntryId + 1) % size + 1; id <= lastEntryId; id++) {
            count += holds(slot, id) ? 1 : 0;
        }
        return count;
    }

    /** Whether copies on {@code ackedSlots} are enough to acknowledge the entry. */
    public boolean isAckQuorum(long entryId, int ackedSlots) {
        return Integer.bitCount(ackedSlots & slotsOf(entryId)) >= quorums.ackQuorum();
    }

    /**
     * Whether {@code slots} hold at least {@link Quorums#cover} members of every one of the E write sets, so that outside of them no entry can find
     * an ack quorum (L5).
     */
    public boolean coversEveryWriteSet(int slots) {
        for (int mask : maskByRemainder) {
            if (Integer.bitCount(mask & slots) < quorums.cover()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether {@code slots} are enough to say how far the ledger is confirmed: of every write set so many that one of them knows what an ack quorum was told
     * ({@link Quorums#cover}), or as many as the writer needs if those are fewer, so that whoever reads is not stopped by losses that do not stop the writer.
     * They miss nothing when the ack quorum is a majority of the write quorum.
     */
    public boolean canTellConfirmed(int slots) {
        int needed = Math.min(quorums.cover(), quorums.ackQuorum());
        for (int mask : maskByRemainder) {
            if (Integer.bitCount(mask & slots) < needed) {
                return false;
            }
        }
        return true;
    }

    /** Whether every entry that {@code slot} keeps can be acknowledged by members among {@code others}. */
    public boolean canSpare(int slot, int others) {
        for (int mask : maskByRemainder) {
            if ((mask & (1 << slot)) != 0 && Integer.bitCount(mask & others) < quorums.ackQuorum()) {
                return false;
            }
        }
        return true;
    }
}
