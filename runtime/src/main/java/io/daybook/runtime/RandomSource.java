// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

/** Chance. Seeded once per process in production; a pure function of the seed and the entity in the simulator. On its owner's loop only. */
public interface RandomSource {
    /** 64 random bits. */
    long nextLong();

    /** A number from 0 to {@code bound - 1}; {@code bound} is at least 1. */
    default int below(int bound) {
        return (int) Long.remainderUnsigned(nextLong(), bound);
    }

    /** An independent source for the entity {@code name}; the same name gives the same sequence again under one seed. */
    RandomSource fork(String name);
}
