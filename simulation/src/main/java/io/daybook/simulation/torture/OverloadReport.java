// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import java.util.List;

/**
 * What came of overloading a bookie.
 *
 * @param acknowledged entries that were acknowledged under load
 * @param acknowledgedBytes of their payloads
 * @param verified entries that were read back and compared, under load and after it
 * @param quietMicros median time of an append before the load
 * @param loadedMillisMax the longest append under load
 * @param recoverySeconds from the end of the load, all of it acknowledged, until appends were as fast as before; -1 when they were not in time
 * @param residentBytesMax the most memory that the bookie's process had at once; 0 where the system does not tell
 * @param violations what must not be, one line each
 */
public record OverloadReport(
        long acknowledged,
        long acknowledgedBytes,
        long verified,
        long quietMicros,
        long loadedMillisMax,
        int recoverySeconds,
        long residentBytesMax,
        List<String> violations) {
    /** Copies the list. */
    public OverloadReport {
        violations = List.copyOf(violations);
    }
}
