// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Watching a namespace on simulated loops, in memory. */
final class SimulatedWatchingTest extends WatchingBehaviour {
    @Override
    Stage newStage() {
        return new SimulatedStage(1);
    }
}
