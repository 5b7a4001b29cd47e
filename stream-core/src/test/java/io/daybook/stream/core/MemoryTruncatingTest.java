// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Truncating on real loops, in memory. */
final class MemoryTruncatingTest extends TruncatingBehaviour {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }
}
