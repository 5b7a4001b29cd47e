// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Subscribing on real loops, in memory. */
final class MemorySubscribingTest extends SubscribingBehaviour {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }
}
