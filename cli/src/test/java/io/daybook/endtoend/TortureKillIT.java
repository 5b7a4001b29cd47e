// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short run of what is run a thousand times by hand: a bookie is killed under load, starts on its directories, and has everything that it acknowledged. */
final class TortureKillIT {
    @TempDir
    Path directory;

    // S-19 with two journals.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aBookieKilledUnderLoadStartsAgainWithEverythingItAcknowledged(int journals) {
        Run kill = Run.of(
                "torture",
                "kill",
                "--cycles",
                "6",
                "--journals",
                Integer.toString(journals),
                "--data",
                directory.resolve("kill").toString());

        assertThat(kill.exitCode()).as(kill.out() + kill.messages()).isZero();
        assertThat(kill.out()).startsWith("6 kills, ").contains("violations: 0").doesNotContain(" 0 entries");
    }
}
