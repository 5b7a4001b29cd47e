// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

/** Succession on real loops, in memory. */
final class MemorySuccessionTest extends SuccessionBehaviour {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }
}
