// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands with a cluster of their own, told to end while it starts. */
final class InterruptedStartIT {
    @TempDir
    private Path scratch = Path.of("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "bench append --rate 20",
                "bench append --rate 20 --processes",
                "bench streams --embedded 3",
                "bench read",
                "bench cleanup",
                "torture take-over"
            })
    void nothingIsLeftBehind(String arguments) throws IOException {
        Path temporary = Files.createDirectory(scratch.resolve("temporary"));
        List<String> java = List.of("-Xmx256m", "-Djava.io.tmpdir=" + temporary);
        try (ProgramProcess command = ProgramProcess.startWith(java, scratch, arguments.split(" ", -1))) {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> !clusters(temporary).isEmpty());

            List<ProcessHandle> left = command.leftByTermination();

            assertThat(command.exitCode()).as(command.messages()).isEqualTo(143);
            assertThat(command.messages()).doesNotContain("error", "Exception");
            assertThat(left).isEmpty();
            assertThat(clusters(temporary)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aTortureLeavesNoOwnerAndReportsNothingOfTheTimeInWhichItWasEnded(int ownersStarted) {
        try (ProgramProcess torture =
                ProgramProcess.start(scratch, "torture", "take-over", "--streams", "2", "--rounds", "100")) {
            Set<ProcessHandle> seen = new HashSet<>();
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        torture.children().forEach(seen::add);
                        return seen.size() >= ownersStarted;
                    });

            List<ProcessHandle> left = torture.leftByTermination();

            assertThat(left).isEmpty();
            assertThatThrownBy(torture::line).hasMessageStartingWith("it ended with 143: ");
        }
    }

    private static List<Path> clusters(Path temporary) {
        try (Stream<Path> children = Files.list(temporary)) {
            return children.filter(child -> child.getFileName().toString().startsWith("daybook"))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
