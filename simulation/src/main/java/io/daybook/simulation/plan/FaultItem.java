// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

/**
 * One fault of a plan.
 *
 * @param atMicros when, from the beginning of the workload
 * @param target the bookie, lane or recoverer concerned, as its kind says
 * @param forMicros how long
 * @param parameter what its kind says
 */
public record FaultItem(FaultKind kind, long atMicros, int target, long forMicros, long parameter) {
    /** Reads the text form; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
    public static FaultItem parse(String text) {
        String[] parts = text.trim().split(" +", -1);
        if (parts.length != 5) {
            throw new IllegalArgumentException("'" + text + "' is not a fault: KIND atMicros target forMicros parameter");
        }
        return new FaultItem(
                FaultKind.valueOf(parts[0]),
                Long.parseLong(parts[1]),
                Integer.parseInt(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]));
    }

    @Override
    public String toString() {
        return kind + " " + atMicros + ' ' + target + ' ' + forMicros + ' ' + parameter;
    }
}
