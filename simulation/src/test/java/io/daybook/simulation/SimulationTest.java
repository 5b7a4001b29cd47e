// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.simulation.Simulation.Series;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole ledger stack under seeded faults. A failure prints its plan and the command that runs it again. */
final class SimulationTest {
    private static final int SEEDS = Integer.getInteger("daybook.simulation.seeds", 200);
    private static final long FIRST_SEED = Long.getLong("daybook.simulation.first-seed", 1);
    private static final int SHRINKING_RUNS = 60;

    @Test
    void acknowledgedIsReadableAndThereIsOneClosedEnd() { // L1 to L15, V1, V2, V3, V7
        Series series = Simulation.series(FIRST_SEED, List.of(), runs -> runs < SEEDS, outcome -> {});

        series.failure().ifPresent(failure -> {
            throw new AssertionError(failure.describe()
                    + "---- smaller\n"
                    + Simulation.shrink(failure, List.of(), SHRINKING_RUNS).describe());
        });
        assertThat(series.runs()).isEqualTo(SEEDS);
        assertThat(series.appendsAcknowledged()).isGreaterThan(50L * SEEDS);
    }

    @ParameterizedTest
    @MethodSource("keptPlans")
    void planThatFailedOnceIsGood(Path file) throws IOException {
        Plan plan = Plan.parse(Files.readString(file, StandardCharsets.UTF_8));

        RunOutcome outcome = Simulation.run(plan, List.of());

        assertThat(outcome.violations()).as(outcome.describe()).isEmpty();
    }

    static Stream<Path> keptPlans() throws IOException, URISyntaxException {
        Path directory = Path.of(SimulationTest.class
                        .getResource("/simulation/README.md")
                        .toURI())
                .getParent();
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".plan")).sorted().toList().stream();
        }
    }

    @Test
    void oneSeedGivesOneRun() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(Simulation.ofSeed(seed).traceHash())
                    .isEqualTo(Simulation.ofSeed(seed).traceHash());
        }
    }

    @Test
    void anotherJvmGivesTheSameRun() throws IOException, InterruptedException {
        long seed = 7;
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TraceHash.class.getName(),
                        Long.toString(seed))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(printed.lines().filter(line -> line.startsWith("hash ")).toList())
                .containsExactly("hash " + Simulation.ofSeed(seed).traceHash());
    }

    @Test
    void planReadsItsOwnText() {
        for (long seed = 1; seed <= 100; seed++) {
            Plan plan = PlanDraw.draw(seed);

            assertThat(Plan.parse(plan.toString())).isEqualTo(plan);
        }
    }
}
