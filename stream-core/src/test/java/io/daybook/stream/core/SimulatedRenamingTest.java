// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Renaming on simulated loops, in memory. */
final class SimulatedRenamingTest extends RenamingBehaviour {
    @Override
    Stage newStage() {
        return new SimulatedStage(1);
    }
}
