// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.checkpoint;

/**
 * Up to where everything is durable outside the journal: all of the journal's incarnations below {@code incarnation}.
 *
 * @param incarnation the first that a replay must read
 * @param sequence of its first record
 * @param lastLogId the newest entry log that counts, 0 for none
 * @param ringFiles files that the journal's ring has at least
 */
public record Mark(int incarnation, long sequence, int lastLogId, int ringFiles) {
    /** The mark of a bookie that never ran. */
    public static final Mark FIRST = new Mark(1, 1, 0, 0);
}
