// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.checkpoint;

/**
 * How many journals a bookie has, and what belongs to which of them: a ledger with everything that is ever said of it, and the incarnations, which are
 * also the ids of the logs of flushes. Journal {@code k} of {@code n} uses the incarnations that leave the remainder {@code k} by {@code n}, so that no two
 * journals ever use the same one, and a missing one is noticed. Journals are numbered from 0, as their directories are.
 *
 * @param count 1 or more; fixed when the bookie is formatted, because other numbers deal out otherwise
 */
public record JournalCount(int count) {
    /** One journal: all is its. */
    public static final JournalCount ONE = new JournalCount(1);

    /** Checks the count; throws {@link IllegalArgumentException}. */
    public JournalCount {
        if (count < 1) {
            throw new IllegalArgumentException("a bookie has a journal");
        }
    }

    /** The journal of a ledger, by the finalizer of MurmurHash3: neighbouring ids are spread, however they were given. */
    public int ofLedger(long ledgerId) {
        if (count == 1) {
            return 0;
        }
        long mixed = (ledgerId ^ (ledgerId >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (int) Long.remainderUnsigned(mixed ^ (mixed >>> 33), count);
    }

    /** The journal that uses an incarnation, or whose flush made the log of that id. */
    public int ofIncarnation(int incarnation) {
        return count == 1 ? 0 : Math.floorMod(incarnation, count);
    }

    /** The first incarnation of a journal; above 0, which stands for none. */
    public int firstIncarnation(int journal) {
        return journal == 0 ? count : journal;
    }

    /** The incarnation that follows in the same journal. */
    public int incarnationAfter(int incarnation) {
        return incarnation + count;
    }
}
