// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
