// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Watching a namespace on real loops, in memory. */
final class MemoryWatchingTest extends WatchingBehaviour {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }
}
