// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import io.daybook.testkit.check.Call;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole ledger stack under seeded faults. A failure prints its plan and the command that runs it again. */
final class SimulationTest {
    private static final int SEEDS = Integer.getInteger("daybook.simulation.seeds", 200);
    private static final int SEEDS_BEYOND_BUDGET = 30;
    private static final int SEEDS_OF_A_NIGHT = Integer.getInteger("daybook.simulation.night-seeds", 2_000);
    private static final long FIRST_SEED = Long.getLong("daybook.simulation.first-seed", 1);
    private static final int SHRINKING_RUNS = 60;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final Logger LOGGER = LoggerFactory.getLogger(SimulationTest.class);

    /** A series on all cores; fails with everything about the first run that is not good. Says which seeds it had, as they differ from build to build. */
    private static Series series(Seeds seeds, int runs) {
        return series(seeds, runs, outcome -> {});
    }

    private static Series series(Seeds seeds, int runs, Consumer<RunOutcome> done) {
        int threads = Runtime.getRuntime().availableProcessors();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        long begun = System.nanoTime();
        try {
            Series series =
                    Series.run(seeds.on(new Seeds.Workers(executor, 2 * threads)), number -> number < runs, done);
            String what = "seeds " + seeds.first() + " to " + (seeds.first() + series.runs() - 1) + " took "
                    + (System.nanoTime() - begun) / NANOS_PER_SECOND + " s";
            LOGGER.info("{}", what);
            series.failure().ifPresent(failure -> {
                throw new AssertionError(what + "\n" + failure.describe()
                        + "---- smaller\n"
                        + Simulation.shrink(failure, List.of(), tried -> tried < SHRINKING_RUNS)
                                .describe());
            });
            return series;
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void acknowledgedIsReadableAndThereIsOneClosedEnd() { // L1 to L15, V1, V2, V3, V7
        Series series = series(Seeds.from(FIRST_SEED), SEEDS);

        assertThat(series.runs()).isEqualTo(SEEDS);
        assertThat(series.appendsAcknowledged()).isGreaterThan(50L * SEEDS);
    }

    @Test
    @Tag("slow")
    void aNightOfRunsIsGoodAndComesNearAllThatIsDangerous() { // L1 to L15, S1 to S13, V1 to V10
        Series series = series(Seeds.from(FIRST_SEED), SEEDS_OF_A_NIGHT);

        assertThat(series.runs()).isEqualTo(SEEDS_OF_A_NIGHT);
        assertThat(Reach.missing(series.situations())).isEmpty();
    }

    @Test
    void tooMuchDamageIsToldAndNothingIsInvented() { // S-02, S-12
        List<Call> readAround = new ArrayList<>();
        Series series = series(
                Seeds.from(FIRST_SEED).beyondBudget(),
                SEEDS_BEYOND_BUDGET,
                outcome -> readAround.addAll(readByTheJudge(outcome)));

        assertThat(series.runs()).isEqualTo(SEEDS_BEYOND_BUDGET);
        assertThat(readAround).as("what is left of ledgers that lost entries").isNotEmpty();
        assertThat(series.faults()).containsKeys("DESTROY_BOOKIE", "REPLACE_BOOKIE", "ROT");
    }

    private static List<Call> readByTheJudge(RunOutcome outcome) {
        return outcome.history().calls().stream()
                .filter(call -> call.process().equals("judge") && call.detail() instanceof Call.Read)
                .toList();
    }

    @Test
    void manyWorkersFindWhatOneFinds() {
        Series alone = Series.run(Seeds.from(40), begun -> begun < 6, outcome -> {});

        assertThat(series(Seeds.from(40), 6)).isEqualTo(alone);
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

            Plan beyond = PlanDraw.drawBeyondBudget(seed);
            assertThat(Plan.parse(plan.toString())).isEqualTo(plan);
            assertThat(Plan.parse(beyond.toString())).isEqualTo(beyond);
        }
    }
}
