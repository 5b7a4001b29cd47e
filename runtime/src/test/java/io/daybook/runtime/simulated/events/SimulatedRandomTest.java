// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Stateless chance: independent, even, and distributed as promised. */
final class SimulatedRandomTest {
    @Test
    void everyPartOfTheKeyMatters() {
        Set<Long> numbers = new HashSet<>();
        for (long seed = 0; seed < 10; seed++) {
            for (long entity = 0; entity < 10; entity++) {
                for (long counter = 0; counter < 10; counter++) {
                    numbers.add(SimulatedRandom.mix(seed, Stream.TIE, entity, counter));
                    numbers.add(SimulatedRandom.mix(seed, Stream.DISK, entity, counter));
                }
            }
        }

        assertThat(numbers).hasSize(2000);
    }

    @Test
    void sequenceOfOneEntityDoesNotDependOnTheOthers() {
        SimulatedRandom parent = new SimulatedRandom(1, Stream.HOST, 2);
        long alone = parent.fork("x").nextLong();
        parent.nextLong();
        parent.fork("y").nextLong();

        assertThat(parent.fork("x").nextLong()).isEqualTo(alone);
    }

    @Test
    void numbersBelowABoundAreEven() {
        SimulatedRandom random = new SimulatedRandom(1, Stream.WORLD, 1);
        int[] counts = new int[10];
        for (int i = 0; i < 100_000; i++) {
            counts[random.below(10)]++;
        }

        assertThat(counts).satisfies(each -> assertThat(each).hasSize(10));
        for (int count : counts) {
            assertThat(count).isBetween(9_500, 10_500);
        }
    }

    @Test
    void exponentialNumbersHaveTheirMeanAndTheirTail() {
        SimulatedRandom random = new SimulatedRandom(1, Stream.WORLD, 1);
        long sum = 0;
        long beyondThreeMeans = 0;
        for (int i = 0; i < 200_000; i++) {
            long drawn = random.nextExponential(1_000_000);
            assertThat(drawn).isNotNegative();
            sum += drawn;
            beyondThreeMeans += drawn > 3_000_000 ? 1 : 0;
        }

        assertThat(sum / 200_000).isBetween(900_000L, 1_100_000L);
        assertThat(beyondThreeMeans).isBetween(8_000L, 12_000L);
        assertThat(random.nextExponential(0)).isZero();
    }
}
