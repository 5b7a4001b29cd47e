// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Writing on real loops, in memory. */
final class MemoryWritingTest extends WritingBehaviour {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }
}
