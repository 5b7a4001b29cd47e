// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.Compression;
import io.daybook.stream.core.segment.StreamDefects;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Programs that write, roll, crash and take over at random, with readers beside them: one seed gives one run. */
final class StreamSimulationTest {
    private static final Logger LOG = LoggerFactory.getLogger(StreamSimulationTest.class);
    private static final int HUNT_SEEDS_MAX = 200;
    private static final int SEEDS = Integer.getInteger("daybook.seeds", 25);

    @Test
    void nothingIsLostOrReorderedWhoeverTakesOver() {
        // D-36, D-40, D-46, D-74, D-92
        long records = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            try (StreamWorld world = new StreamWorld(seed, options(seed))) {
                records += world.run();
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed " + seed + ": " + wrong.getMessage(), wrong);
            }
        }

        assertThat(records).as("records kept in all runs").isGreaterThan(SEEDS * 100L);
    }

    private static StreamOptions options(long seed) {
        Compression[] compressions = Compression.values();
        StreamOptions options = StreamOptions.DEFAULT.withCompression(compressions[(int) (seed % compressions.length)]);
        return seed % 3 == 0 ? options : options.withSegmentBounds(Duration.ofMillis(seed % 2 * 200), 1 + seed * 10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                StreamDefects.SEGMENT_SKIPPED,
                StreamDefects.LAST_ID_AHEAD,
                StreamDefects.OLD_SEGMENTS_NOT_RECOVERED,
                StreamDefects.FAILED_ENTRY_MISREPORTED
            })
    void plantedDefectIsFound(String defect) {
        // D-83
        // D19
        for (long seed = 1; seed <= HUNT_SEEDS_MAX; seed++) {
            try (StreamWorld world = new StreamWorld(seed, options(seed), defect)) {
                world.run();
            } catch (AssertionError | RuntimeException found) {
                LOG.info("{} found by seed {}: {}", defect, seed, found.getMessage());
                return;
            }
        }
        throw new AssertionError(defect + " was planted and not found in " + HUNT_SEEDS_MAX + " seeds");
    }
}
