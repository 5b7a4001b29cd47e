// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.system.SystemHost;
import java.nio.file.Path;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Durable writes on the disk of this machine. */
final class RawDiskProbeTest {
    @Test
    void threeWritersAreTimedAndLeaveNothingBehind(@TempDir Path directory) throws InterruptedException {
        try (SystemHost host = SystemHost.start()) {
            RawDiskProbe probe = new RawDiskProbe(host.disk(directory.toString()));

            Histogram latencies = probe.measure(Duration.ofMillis(100));

            assertThat(latencies.getTotalCount()).isGreaterThanOrEqualTo(3);
            assertThat(latencies.getValueAtPercentile(50)).isGreaterThan(1_000);
            assertThat(directory).isEmptyDirectory();
        }
    }
}
