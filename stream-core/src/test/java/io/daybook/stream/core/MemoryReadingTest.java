// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Reading on real loops, in memory. */
final class MemoryReadingTest extends ReadingBehaviour {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }
}
