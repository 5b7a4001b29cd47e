// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Reading on simulated loops, in memory. */
final class SimulatedReadingTest extends ReadingBehaviour {
    @Override
    Stage newStage() {
        return new SimulatedStage(1);
    }
}
