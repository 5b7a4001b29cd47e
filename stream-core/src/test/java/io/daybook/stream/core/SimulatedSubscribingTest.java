// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Subscribing on simulated loops, in memory. */
final class SimulatedSubscribingTest extends SubscribingBehaviour {
    @Override
    Stage newStage() {
        return new SimulatedStage(1);
    }
}
