// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

/**
 * Unwinds the task of a process that has just crashed, up to the loop that ran it. An {@link Error}, so that no code takes it for a failure of its
 * own. Only the simulator throws it and only the simulator catches it.
 */
public final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimulatedCrash(String process) {
        super(process + " has crashed", null, false, false);
    }
}
