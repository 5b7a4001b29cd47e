// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Renaming on real loops, in memory. */
final class MemoryRenamingTest extends RenamingBehaviour {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }
}
