// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Owning, sealing and gathering on real loops, in memory. */
final class MemoryOwningTest extends OwningBehaviour {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }
}
