// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.quorum;

/**
 * Whether one entry exists, as far as the members of its write set have said. One verified copy proves it; absence needs an explicit denial of as many
 * members as leave no room for an ack quorum; a failure, a damaged copy or no answer proves nothing (L3).
 *
 * <p><i>Threading:</i> confined to its owner's loop.
 */
public final class EntryVerdict {
    /** What is known of the entry. */
    public enum Kind {
        /** Answers that can decide are still to come. */
        OPEN,
        /** A verified copy exists. */
        PRESENT,
        /** It was never acknowledged and, as denials come from fenced bookies, never will be. */
        ABSENT,
        /** All have answered and it is not decided. */
        UNDECIDABLE
    }

    private final int writeSet;
    private final int cover;
    private int holders;
    private int deniers;
    private int unknowing;

    /**
     * Nothing is known yet.
     *
     * @param writeSet the slots that keep the entry
     * @param cover denials that prove absence
     */
    public EntryVerdict(int writeSet, int cover) {
        this.writeSet = writeSet;
        this.cover = cover;
    }

    /** The member in {@code slot} gave a verified copy. */
    public void holds(int slot) {
        settle(slot);
        holders |= bit(slot);
    }

    /** The member in {@code slot} promises that it has no copy. */
    public void denies(int slot) {
        settle(slot);
        deniers |= bit(slot);
    }

    /** The member in {@code slot} did not answer, cannot know, or gave a damaged copy. */
    public void knowsNothing(int slot) {
        settle(slot);
        unknowing |= bit(slot);
    }

    /** The slots to ask again when the entry is undecidable; they count as not having answered from now on. */
    public int askAgain() {
        int slots = unknowing;
        unknowing = 0;
        return slots;
    }

    /** What is known now. */
    public Kind kind() {
        if (holders != 0) {
            return Kind.PRESENT;
        }
        if (Integer.bitCount(deniers) >= cover) {
            return Kind.ABSENT;
        }
        return (deniers | unknowing) == writeSet ? Kind.UNDECIDABLE : Kind.OPEN;
    }

    private void settle(int slot) {
        if ((writeSet & bit(slot)) == 0) {
            throw new IllegalArgumentException("slot " + slot + " does not keep the entry");
        }
        unknowing &= ~bit(slot);
    }

    private static int bit(int slot) {
        return 1 << slot;
    }
}
