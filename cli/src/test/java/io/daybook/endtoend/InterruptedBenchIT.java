// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.daybook.stream.Namespace;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code daybook bench}, interrupted: on a cluster that somebody else runs, and on one of its own. */
final class InterruptedBenchIT {
    @TempDir
    private Path scratch = Path.of("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tail --rate 20 --warmup 0s --duration 10m",
                "stream --streams 2 --rate 20 --warmup 0s --duration 10m",
                "streams --streams 3 --existing 1"
            })
    void whatItMadeOnTheClusterIsTakenAway(String arguments) {
        try (LocalCluster cluster = LocalCluster.builder().start();
                Namespace namespace = Namespace.open(cluster.uri().toString());
                ProgramProcess bench = ProgramProcess.start(
                        scratch, ("bench " + arguments + " --namespace " + cluster.uri()).split(" ", -1))) {
            await().atMost(Duration.ofSeconds(60)).until(() -> !names(namespace).isEmpty());

            bench.terminate();

            assertThat(names(namespace)).as(bench.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "append --rate 20 --duration 10m",
                "read --records 100000000",
                "cleanup --garbage 1KiB --deletions 0 --warmup 10m"
            })
    void aClusterOfItsOwnIsStoppedAndTakenAway(String arguments) throws IOException {
        Path temporary = Files.createDirectory(scratch.resolve("temporary"));
        List<String> java = List.of("-Xmx256m", "-Djava.io.tmpdir=" + temporary);
        try (ProgramProcess bench = ProgramProcess.startWith(java, scratch, ("bench " + arguments).split(" ", -1))) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> bench.messages().contains("warming up")
                            || bench.messages().contains("writing"));
            List<ProcessHandle> bookies = bench.children().toList();

            bench.terminate();

            assertThat(bookies).noneMatch(ProcessHandle::isAlive);
            assertThat(temporary).isEmptyDirectory();
        }
    }

    private static List<String> names(Namespace namespace) {
        return namespace.list("", "", 10).join().names();
    }
}
