// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Truncating on simulated loops, in memory. */
final class SimulatedTruncatingTest extends TruncatingBehaviour {
    @Override
    Stage newStage() {
        return new SimulatedStage(1);
    }
}
