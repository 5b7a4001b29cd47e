// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

/**
 * What programs do with one stream beside appending and reading on.
 *
 * @param seeks 1 when its readers begin at its end, at a transaction id or at a time too; 0 when not
 * @param flushes 1 when its owners flush now and then; 0 when not
 * @param segmentMillis after which a segment is full; 0 for never
 * @param retentionMillis after which a completed segment is let go; 0 for never
 * @param retentionBytes so much is kept of completed segments; 0 for all
 * @param optionChanges how many times its keeper changes its options
 */
public record StreamWays(
        int seeks, int flushes, int segmentMillis, int retentionMillis, long retentionBytes, int optionChanges) {
    /** Nothing of that. */
    public static final StreamWays NONE = new StreamWays(0, 0, 0, 0, 0, 0);

    static final int PARTS = 6;

    /** Whether readers begin elsewhere too. */
    public boolean hasSeeks() {
        return seeks > 0;
    }

    /** Whether owners flush. */
    public boolean hasFlushes() {
        return flushes > 0;
    }

    /** Whether old segments are let go. */
    public boolean hasRetention() {
        return retentionMillis > 0 || retentionBytes > 0;
    }

    /** Reads the numbers of the text form from {@code next} on, each of which may be missing. */
    static StreamWays parse(String[] parts, int next) {
        long[] number = new long[PARTS];
        for (int i = 0; i < PARTS && next + i < parts.length; i++) {
            number[i] = Long.parseLong(parts[next + i]);
        }
        return new StreamWays(
                (int) number[0], (int) number[1], (int) number[2], (int) number[3], number[4], (int) number[5]);
    }

    @Override
    public String toString() {
        return seeks + " " + flushes + ' ' + segmentMillis + ' ' + retentionMillis + ' ' + retentionBytes + ' '
                + optionChanges;
    }
}
