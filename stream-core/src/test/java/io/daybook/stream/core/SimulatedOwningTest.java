// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Owning, sealing and gathering on simulated loops, in memory. */
final class SimulatedOwningTest extends OwningBehaviour {
    @Override
    Stage newStage() {
        return new SimulatedStage(1);
    }
}
