// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.report;

import org.HdrHistogram.Histogram;

/** Latencies in microseconds. */
public record Latency(long count, double p50, double p90, double p99, double p999, double max) {
    /** Of a histogram of nanoseconds. */
    public static Latency of(Histogram nanos) {
        return new Latency(
                nanos.getTotalCount(),
                micros(nanos.getValueAtPercentile(50)),
                micros(nanos.getValueAtPercentile(90)),
                micros(nanos.getValueAtPercentile(99)),
                micros(nanos.getValueAtPercentile(99.9)),
                micros(nanos.getMaxValue()));
    }

    private static double micros(long nanos) {
        return Math.round(nanos / 100.0) / 10.0;
    }
}
