// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.benchmarks.cluster.EmbeddedCluster;
import io.daybook.benchmarks.cluster.ProcessCluster;
import io.daybook.benchmarks.load.Pace;
import io.daybook.benchmarks.report.BenchResult;
import io.daybook.metadata.model.Quorums;
import io.daybook.stream.Namespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whole measurements of real clusters, as short as they can be. */
final class LoadBenchTest {
    private static final LoadBench.Plan PLAN =
            new LoadBench.Plan(new Pace.Rate(200), Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(1));

    @Test
    void embeddedClusterIsMeasuredWithLedgers() throws InterruptedException {
        List<String> progress = new ArrayList<>();
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3);
                LedgerAppends appends = LedgerAppends.open(cluster.uri(), 2, Quorums.DEFAULT, 100)) {
            BenchResult result = new LoadBench(cluster, PLAN, progress::add).run(appends);

            assertThat(result.rates().failed()).isZero();
            assertThat(result.rates().unanswered()).isZero();
            assertThat(result.latency().count()).isBetween(199L, 201L);
            // Nothing that waits for a synced journal is done in less than 20 microseconds.
            assertThat(result.latency().p50()).isGreaterThan(20);
            assertThat(result.processors().microsPerRequest()).isPositive();
            assertThat(result.p99ToRawDisk())
                    .hasValueSatisfying(ratio -> assertThat(ratio).isPositive());
            assertThat(progress)
                    .containsExactly(
                            "measuring the raw disk for 1 s", "measuring for 1 s", "measuring the raw disk for 1 s");
        }
    }

    @Test
    void whatCannotBeOpenedLeavesNoStream() {
        int impossibleBytes = -1;
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3);
                Namespace namespace = Namespace.open(cluster.uri().toString())) {
            assertThatThrownBy(() -> StreamTail.open(cluster.uri(), Quorums.DEFAULT, impossibleBytes))
                    .isInstanceOf(NegativeArraySizeException.class);
            assertThatThrownBy(() -> StreamAppends.open(cluster.uri(), 2, Quorums.DEFAULT, impossibleBytes))
                    .isInstanceOf(NegativeArraySizeException.class);

            assertThat(namespace.list("", "", 10).join().names()).isEmpty();
        }
    }

    @Test
    void bookiesInTheirOwnProcessesAreMeasuredWithStreams() throws InterruptedException {
        try (ProcessCluster cluster = ProcessCluster.start(3, 1024 * 1024);
                StreamAppends appends = StreamAppends.open(cluster.uri(), 1, Quorums.DEFAULT, 100)) {
            LoadBench bench = new LoadBench(
                    cluster,
                    new LoadBench.Plan(new Pace.Window(16), Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO),
                    line -> {});

            // A second can be too short for cold processes: measured until something was acknowledged.
            BenchResult result = bench.run(appends);
            while (result.rates().failed() == 0 && result.rates().acknowledged() == 0) {
                result = bench.run(appends);
            }

            assertThat(cluster.pids()).hasSize(4).doesNotHaveDuplicates();
            assertThat(result.rates().failed()).isZero();
            assertThat(result.rates().acknowledged()).isPositive();
            assertThat(result.rawDisk()).isEmpty();
        }
    }
}
