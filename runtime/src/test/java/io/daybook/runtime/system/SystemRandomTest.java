// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.RandomSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chance of the real machine. */
final class SystemRandomTest {
    private static List<Long> numbers(RandomSource source) {
        return Stream.generate(source::nextLong).limit(10).toList();
    }

    @Test
    void forkIsAFunctionOfSeedAndName() {
        SystemRandom random = new SystemRandom(7);
        List<Long> first = numbers(random.fork("reader"));
        random.nextLong();

        assertThat(numbers(random.fork("reader"))).isEqualTo(first);
        assertThat(numbers(new SystemRandom(7).fork("reader"))).isEqualTo(first);
        assertThat(numbers(random.fork("writer"))).isNotEqualTo(first);
        assertThat(numbers(new SystemRandom(8).fork("reader"))).isNotEqualTo(first);
        assertThat(numbers(random.fork("a").fork("b")))
                .isNotEqualTo(numbers(random.fork("b").fork("a")));
    }

    @Test
    void everyNumberBelowTheBoundComes() {
        RandomSource random = new SystemRandom(1).fork("die");

        assertThat(IntStream.generate(() -> random.below(6))
                        .limit(1000)
                        .distinct()
                        .sorted())
                .containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(random.below(1)).isZero();
    }

    @Test
    void twoProcessesDiffer() {
        assertThat(SystemRandom.seededByTheSystem().nextLong())
                .isNotEqualTo(SystemRandom.seededByTheSystem().nextLong());
    }
}
