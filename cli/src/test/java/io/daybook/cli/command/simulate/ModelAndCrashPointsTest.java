// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import org.junit.jupiter.api.Test;

/** {@code daybook simulate --model} and {@code --crash-points}, from the command line to the exit code. */
final class ModelAndCrashPointsTest {
    @Test
    void everyStateOfASmallModelIsVisited() {
        Run run = Run.of(
                "simulate", "--model", "--entries", "1", "--bookies", "3", "--writer-changes", "0", "--output", "json");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).contains("\"complete\":true", "\"states\":457", "\"UNACKNOWLEDGED_ENTRY_CUT\"");
    }

    @Test
    void aRuleLeftOutEndsWithAStoryAndExitCode1() {
        Run run = Run.of(
                "simulate", "--model", "--entries", "1", "--bookies", "3", "--without", "D3", "--output", "json");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("\"broken\":\"L3\"", "\"trace\":[");
        assertThat(run.messages()).contains("r0 has enough denials of entry 0");
    }

    @Test
    void aModelThatIsTooLargeIsNotCalledComplete() {
        Run run = Run.of("simulate", "--model", "--entries", "3", "--states-max", "1000", "--output", "json");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("\"complete\":false").doesNotContain("broken");
    }

    @Test
    void walksAreCountedAndRepeatable() {
        String[] command = {
            "simulate", "--model", "--walks", "50", "--first-seed", "9", "--ensemble", "4", "--bookies", "5"
        };

        Run first = Run.of(command);

        assertThat(first.exitCode()).as(first.messages()).isZero();
        assertThat(first.out()).contains("walks", "50");
        assertThat(withoutSeconds(Run.of(command).out())).isEqualTo(withoutSeconds(first.out()));
    }

    private static String withoutSeconds(String out) {
        return out.replaceAll("seconds.*", "");
    }

    @Test
    void constantsOutOfRangeAreRefused() {
        Run run = Run.of("simulate", "--model", "--bookies", "2");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.messages()).contains("bookies must be 3 to 8, not 2");
        assertThat(Run.of("simulate", "--crash-points", "--every", "0").exitCode())
                .isEqualTo(2);
        assertThat(Run.of("simulate", "--bookies", "4").exitCode()).isEqualTo(2);
    }

    @Test
    void crashPointsOfOneLifeAreTried() {
        Run run = Run.of(
                "simulate", "--crash-points", "--script", "STOP", "--every", "10", "--again", "0", "--output", "json");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).contains("\"script\":\"STOP\"", "\"findings\":[]");
    }
}
