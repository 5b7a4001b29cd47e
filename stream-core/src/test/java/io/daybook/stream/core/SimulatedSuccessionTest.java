// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Succession on simulated loops, in memory. */
final class SimulatedSuccessionTest extends SuccessionBehaviour {
    @Override
    Stage newStage() {
        return new SimulatedStage(1);
    }
}
