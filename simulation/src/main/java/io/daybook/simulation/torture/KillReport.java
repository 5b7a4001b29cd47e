// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import java.util.List;

/**
 * What came of killing a bookie again and again.
 *
 * @param cycles starts that were followed by a kill
 * @param acknowledged entries that were acknowledged, over all cycles
 * @param verified entries that were read back and compared, once or more
 * @param interrupted recoveries and readings that a kill cut short and that were made again
 * @param startMillisMax the longest start, replay included
 * @param violations what must not be, one line each
 */
public record KillReport(
        int cycles, long acknowledged, long verified, long interrupted, long startMillisMax, List<String> violations) {
    /** Copies the list. */
    public KillReport {
        violations = List.copyOf(violations);
    }
}
