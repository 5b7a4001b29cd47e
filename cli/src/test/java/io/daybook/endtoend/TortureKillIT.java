// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.daybook.cli.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short run of what is run a thousand times by hand: a bookie is killed under load, starts on its directories, and has everything that it acknowledged. */
final class TortureKillIT {
    @TempDir
    Path directory;

    @Test
    void aTortureThatIsToldToEndLeavesNothingBehind() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("temporary"));
        try (ProgramProcess torture = ProgramProcess.startWith(
                List.of("-Xmx256m", "-Djava.io.tmpdir=" + temporary),
                directory,
                "torture",
                "kill",
                "--cycles",
                "1000")) {
            List<ProcessHandle> bookies = await().atMost(Duration.ofSeconds(60))
                    .until(() -> torture.children().toList(), started -> !started.isEmpty());

            torture.terminate();

            assertThat(bookies).noneMatch(ProcessHandle::isAlive);
            assertThat(temporary).isEmptyDirectory();
        }
    }

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
