// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code daybook simulate}, from the command line to its exit code. */
final class SimulateCommandTest {
    @Test
    void seedsAreCounted() {
        Run run = Run.of("simulate", "--seeds", "2", "--output", "json");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).contains("\"seeds\":2");
    }

    @Test
    void runsThatNeverCameNearWhatIsDangerousFailWhereThatIsRequired() {
        Run run = Run.of("simulate", "--seeds", "1", "--require-situations", "--output", "json");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("\"violations\":[]", "\"two-recoverers\"");
    }

    @Test
    void oneSeedGivesTheSameFingerprintEachTime() {
        String first = Run.of("simulate", "--seed", "3").out();

        assertThat(first).contains("trace hash");
        assertThat(Run.of("simulate", "--seed", "3").out()).isEqualTo(first);
    }

    @Test
    void planComesFromAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("small.plan"), """
                seed = 5
                bookies = 3
                recoverers = 1
                knobs = 16384 2 1000 16384 1000 500 200 50 100 200
                lane = 3/3/2 1 5 2 0 10
                faultsMicros = 1000000
                """);

        Run run = Run.of("simulate", "--plan", file.toString(), "--trace", "--output", "json");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).contains("\"appendsAcknowledged\":5", "\"violations\":[]");
        assertThat(run.messages()).contains("\"kind\":\"append\"", "---- plan");
    }

    @Test
    void oneThingIsRunAtATime() {
        assertThat(Run.of("simulate", "--seed", "3", "--seeds", "4").exitCode()).isEqualTo(2);
    }

    @Test
    void aDefectThatWasFoundIsFoundAgainByItsSeedAndByItsPlanAndNotWithoutIt(@TempDir Path directory)
            throws IOException {
        Run hunt = Run.of("simulate", "--planted", "200", "--defect", "D8", "--workers", "1", "--output", "json");
        assertThat(hunt.exitCode()).as(hunt.messages()).isZero();
        assertThat(hunt.out()).contains("\"defect\":\"D8\"", "\"found\":true", "\"ground\":\"EVERYWHERE\"");
        Matcher seed = Pattern.compile("\"seed\":([0-9]+)").matcher(hunt.out());
        assertThat(seed.find()).isTrue();

        Run again = Run.of("simulate", "--seed", seed.group(1), "--defect", "D8");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.messages()).contains("simulate --plan FILE --trace --defect D8");
        String text = again.messages();
        String plan = text.substring(text.indexOf("---- plan") + 9, text.indexOf("---- violations"));
        Path file = Files.writeString(directory.resolve("found.plan"), plan);

        assertThat(Run.of("simulate", "--plan", file.toString(), "--defect", "D8")
                        .exitCode())
                .isEqualTo(1);
        assertThat(Run.of("simulate", "--plan", file.toString()).exitCode()).isZero();
    }

    @Test
    void aHuntThatFindsNothingFails() {
        Run hunt = Run.of("simulate", "--planted", "1", "--defect", "D17", "--workers", "1");

        assertThat(hunt.exitCode()).isEqualTo(1);
        assertThat(hunt.out()).contains("D17 not found in 1 seeds");
    }

    @Test
    void runsLastForATimeAndAtLeastOne() {
        Run run = Run.of("simulate", "--duration", "1ms", "--workers", "1", "--output", "json");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).containsPattern("\"seeds\":[1-9]");
    }

    @Test
    void plansOfAGroundAndPlansBeyondTheBudgetAreDrawnByTheirSeed() {
        assertThat(Run.of("simulate", "--seed", "2", "--ground", "TAKE_OVERS").exitCode())
                .isZero();
        Run run = Run.of("simulate", "--seeds", "2", "--beyond-budget", "--workers", "1", "--output", "json");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).contains("\"seeds\":2");
    }

    @Test
    void theHistoryOfARunCanBeCheckedAgain(@TempDir Path directory) {
        String file = directory.resolve("history.jsonl").toString();

        assertThat(Run.of("simulate", "--seed", "3", "--history", file).exitCode())
                .isZero();

        Run check = Run.of("history", "check", file);
        assertThat(check.exitCode()).as(check.messages()).isZero();
        assertThat(check.out()).contains(" calls, 0 violations");
    }

    @ParameterizedTest // S-53
    @ValueSource(
            strings = {
                "--seeds -5",
                "--seeds 0",
                "--duration 0",
                "--planted 0",
                "--workers 0",
                "--seed 3 --require-situations",
                "--seed 3 --workers 2",
                "--seed 3 --first-seed 2",
                "--seed 3 --beyond-budget --ground DELETIONS",
                "--seeds 2 --trace",
                "--seeds 2 --history x",
                "--plan x --beyond-budget",
                "--plan x --ground DELETIONS",
                "--planted --beyond-budget",
                "--model --beyond-budget",
                "--model --first-seed 2",
                "--model --defect D1",
                "--crash-points --trace"
            })
    void whatWouldRunNothingOrBeIgnoredIsRefused(String options) {
        Run run = Run.of(("simulate " + options).split(" ", -1));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.messages()).contains("--");
    }

    @Test
    void aFileThatIsNoPlanIsRefusedAndNamed(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("wrong.plan"), "seed = x\n");

        Run run = Run.of("simulate", "--plan", file.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.messages()).contains("wrong.plan", "line 1", "\"x\"");
    }
}
