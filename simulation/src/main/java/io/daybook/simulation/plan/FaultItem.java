// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

/**
 * One fault of a plan.
 *
 * @param anchor from when {@code atMicros} counts
 * @param atMicros when
 * @param target the bookie, lane or recoverer concerned, as its kind says
 * @param forMicros how long
 * @param parameter what its kind says
 */
public record FaultItem(FaultKind kind, Anchor anchor, long atMicros, int target, long forMicros, long parameter) {
    /**
     * An event of a run.
     *
     * @param lane the lane whose appends are counted, {@link #ENSEMBLE_CHANGES}, or -1 for the beginning of the workload
     * @param count how many of them there must have been
     */
    public record Anchor(int lane, int count) {
        /** Instead of a lane: changes of the ensembles of open ledgers are counted. */
        public static final int ENSEMBLE_CHANGES = -2;

        /** The beginning of the workload. */
        public static final Anchor BEGINNING = new Anchor(-1, 0);
    }

    /** Reads the text form; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
    public static FaultItem parse(String text) {
        String[] parts = text.trim().split(" +", -1);
        if (parts.length != 7) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a fault: KIND anchorLane anchorCount atMicros target forMicros parameter");
        }
        return new FaultItem(
                FaultKind.valueOf(parts[0]),
                new Anchor(Integer.parseInt(parts[1]), Integer.parseInt(parts[2])),
                Long.parseLong(parts[3]),
                Integer.parseInt(parts[4]),
                Long.parseLong(parts[5]),
                Long.parseLong(parts[6]));
    }

    @Override
    public String toString() {
        return kind + " " + anchor.lane + ' ' + anchor.count + ' ' + atMicros + ' ' + target + ' ' + forMicros + ' '
                + parameter;
    }
}
