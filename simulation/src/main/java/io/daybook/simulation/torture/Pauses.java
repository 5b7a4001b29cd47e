// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

/** Waiting between two looks at real processes. */
final class Pauses {
    private Pauses() {}

    /** An interrupt ends the pause and is kept. */
    static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
