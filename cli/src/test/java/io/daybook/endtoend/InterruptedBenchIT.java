// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.daybook.stream.Namespace;
import io.daybook.testkit.cluster.LocalCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code daybook bench} on a cluster that somebody else runs, interrupted. */
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

    private static List<String> names(Namespace namespace) {
        return namespace.list("", "", 10).join().names();
    }
}
