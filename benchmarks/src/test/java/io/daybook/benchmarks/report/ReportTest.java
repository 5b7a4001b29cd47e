// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.daybook.benchmarks.machine.Conditions;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The forms of a result. */
final class ReportTest {
    @Test
    void latencyIsInMicroseconds() {
        Histogram nanos = new Histogram(3);
        nanos.recordValue(2_000_000);

        assertThat(Latency.of(nanos).count()).isEqualTo(1);
        assertThat(Latency.of(nanos).p50()).isBetween(1_998.0, 2_002.0);
    }

    @Test
    void textNamesLatencyProcessorTimeAndFailures() {
        String text = TextReport.render(result(3, Optional.of(2.5)));

        assertThat(text)
                .contains("open loop, 1000/s, 1,024 B each, 1 handle, E/Qw/Qa 3/3/2")
                .contains("latency         p50 1.000, p90 2.000, p99 3.000, p99.9 4.000, max 5.000 ms")
                .contains("append to read  p50 1.500, p90 2.500, p99 3.500, p99.9 4.500, max 5.500 ms")
                .contains("ack to read     p50 0.500, p90 0.600, p99 0.700, p99.9 0.800, max 0.900 ms")
                .contains("not read        3, and 0 in another's place")
                .contains("reader failed   gone")
                .contains("above 5 ms      in 3 of 300 tenths of a second: 2.5 s: 12 ms, 7.1 s: 190 ms")
                .contains("p99 to raw p99  2.50")
                .contains("processor time  20.5 us a request over 1 process")
                .contains("heap            640 bytes a request")
                .contains("failed          3, and 0 without an answer; first: fenced")
                .endsWith("remark          disturbed\n");
    }

    @Test
    void jsonHasTheSameFiguresAndLeavesOutWhatWasNotMeasured() throws JsonProcessingException {
        JsonNode json = new ObjectMapper().readTree(JsonReport.render(result(0, Optional.empty())));

        assertThat(json.at("/latencyMicros/p99").asDouble()).isEqualTo(3_000);
        assertThat(json.at("/delivery/sinceAppendMicros/p50").asDouble()).isEqualTo(1_500);
        assertThat(json.at("/delivery/sinceAcknowledgedMicros/p999").asDouble()).isEqualTo(800);
        assertThat(json.at("/delivery/records").asLong()).isEqualTo(29_998);
        assertThat(json.at("/processors/microsPerRequest").asDouble()).isEqualTo(20.5);
        assertThat(json.at("/rates/perSecond").asDouble()).isEqualTo(1_000);
        assertThat(json.at("/slow/longest/1/millis").asDouble()).isEqualTo(190.4);
        assertThat(json.at("/conditions/kernel").asText()).isEqualTo("Linux 6");
        assertThat(json.at("/remarks/0").asText()).isEqualTo("disturbed");
        assertThat(json.has("rawDiskMicros")).isFalse();
        assertThat(json.has("p99ToRawDisk")).isFalse();
    }

    private static BenchResult result(long failed, Optional<Double> ratio) {
        return new BenchResult(
                "append",
                new BenchResult.Setup(
                        "three bookies", "open loop, 1000/s", 1024, 1, "3/3/2", "synced on two bookies", 20, 30),
                new Conditions("2026-01-01T00:00:00Z", "Linux 6", 2, "VM 17", 512L << 20, 0.5),
                new BenchResult.Rates(30_000, 1_000, 1.024, failed, 0, failed == 0 ? "" : "fenced"),
                new Latency(30_000, 1_000, 2_000, 3_000, 4_000, 5_000),
                Optional.of(new Delivery(
                        29_998,
                        failed,
                        0,
                        failed == 0 ? "" : "gone",
                        new Latency(30_000, 1_500, 2_500, 3_500, 4_500, 5_500),
                        new Latency(30_000, 500, 600, 700, 800, 900))),
                Optional.empty(),
                new BenchResult.Slow(3, List.of(new BenchResult.Pause(2.5, 12.2), new BenchResult.Pause(7.1, 190.4))),
                new BenchResult.Processors(20.5, 0.02, 0.1, 0.05, 1, 640),
                Optional.empty(),
                ratio,
                Optional.empty(),
                List.of("disturbed"));
    }
}
