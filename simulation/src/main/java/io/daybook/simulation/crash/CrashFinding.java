// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

/**
 * A crash after which something is wrong.
 *
 * @param script what the bookie did
 * @param moment when the power failed and what was found on the disks
 * @param wrong what is wrong after the start
 */
public record CrashFinding(CrashScript script, String moment, String wrong) {
    @Override
    public String toString() {
        return script + ": " + wrong + "\n    power fails after " + moment;
    }
}
