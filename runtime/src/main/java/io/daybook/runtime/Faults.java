// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

/**
 * Named points in the code at which the simulator may plant a defect, and situations which it counts. In production every point is false and
 * nothing is counted.
 */
public interface Faults {
    /** Production: no defect is planted. */
    Faults NONE = new Faults() {
        @Override
        public boolean at(String point) {
            return false;
        }

        @Override
        public void reached(String situation) {}
    };

    /** Whether the defect named {@code point}, such as {@code D1-fence-gap}, is planted. */
    boolean at(String point);

    /** Counts a situation worth reaching in tests, such as {@code recovery-meets-ensemble-change}. */
    void reached(String situation);
}
