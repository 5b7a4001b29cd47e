// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

/**
 * How unfairly the loops of a run get their turns.
 *
 * @param levels how many ranks there are; each loop has one, and loops of a low rank wait before each turn. 0 for fairness
 * @param stepMicros how long a loop waits for each rank above it
 * @param changes how often some loops change their ranks during the run
 */
public record Priorities(int levels, int stepMicros, int changes) {
    /** Every loop wakes as soon as it can. */
    public static final Priorities FAIR = new Priorities(0, 0, 0);

    /** Reads the text form; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
    public static Priorities parse(String text) {
        String[] parts = text.trim().split(" +", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + text + "' does not tell levels, stepMicros and changes");
        }
        return new Priorities(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    @Override
    public String toString() {
        return levels + " " + stepMicros + ' ' + changes;
    }
}
