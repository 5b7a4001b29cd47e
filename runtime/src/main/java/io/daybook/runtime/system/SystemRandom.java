// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import io.daybook.runtime.RandomSource;
import java.security.SecureRandom;
import java.util.SplittableRandom;

/** Chance from one seed. <i>Threading:</i> {@link #fork} from any thread, the rest on the owner's loop. */
final class SystemRandom implements RandomSource {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final long seed;
    private final SplittableRandom numbers;

    SystemRandom(long seed) {
        this.seed = seed;
        numbers = new SplittableRandom(seed);
    }

    static SystemRandom seededByTheSystem() {
        return new SystemRandom(new SecureRandom().nextLong());
    }

    @Override
    public long nextLong() {
        return numbers.nextLong();
    }

    @Override
    public RandomSource fork(String name) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * FNV_PRIME;
        }
        // One step of the generator spreads seeds that differ in few bits.
        return new SystemRandom(new SplittableRandom(seed ^ hash).nextLong());
    }
}
