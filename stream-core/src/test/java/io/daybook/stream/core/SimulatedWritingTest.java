// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Writing on simulated loops, in memory. */
final class SimulatedWritingTest extends WritingBehaviour {
    @Override
    Stage newStage() {
        return new SimulatedStage(1);
    }
}
