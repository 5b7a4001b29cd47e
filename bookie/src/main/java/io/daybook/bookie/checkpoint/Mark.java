// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.checkpoint;

/**
 * Up to where everything of one journal is durable outside it: all of its incarnations below {@code incarnation}. It says nothing of other journals (D13).
 *
 * @param incarnation the first that a replay must read
 * @param sequence of its first record
 * @param lastLogId the newest entry log of a flush of this journal that counts, 0 for none
 * @param ringFiles files that the journal's ring has at least
 */
public record Mark(int incarnation, long sequence, int lastLogId, int ringFiles) {
    /** The mark of a journal that was never used, whose first incarnation this is. */
    static Mark first(int incarnation) {
        return new Mark(incarnation, 1, 0, 0);
    }

    /** Whether nothing of what another mark of the same journal says is taken back. */
    boolean isAtLeast(Mark other) {
        return incarnation >= other.incarnation && sequence >= other.sequence;
    }
}
