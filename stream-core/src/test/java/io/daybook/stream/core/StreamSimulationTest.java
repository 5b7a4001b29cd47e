// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.StreamOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Programs that write, roll, crash and take over at random, with readers beside them: one seed gives one run. */
final class StreamSimulationTest {
    private static final int SEEDS = Integer.getInteger("daybook.seeds", 25);

    @Test
    void nothingIsLostOrReorderedWhoeverTakesOver() {
        long records = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            StreamOptions options = seed % 3 == 0
                    ? StreamOptions.DEFAULT
                    : StreamOptions.DEFAULT.withSegmentBounds(Duration.ofMillis(seed % 2 * 200), 1 + seed * 10);
            try (StreamWorld world = new StreamWorld(seed, options)) {
                records += world.run();
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed " + seed + ": " + wrong.getMessage(), wrong);
            }
        }

        assertThat(records).as("records kept in all runs").isGreaterThan(SEEDS * 100L);
    }
}
