// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.report;

import io.daybook.benchmarks.machine.Conditions;
import java.util.Locale;
import java.util.stream.Collectors;

/** A result for people: one fact a line. */
public final class TextReport {
    private final StringBuilder text = new StringBuilder();

    private TextReport() {}

    /** The lines, each with a line end. */
    public static String render(BenchResult result) {
        TextReport report = new TextReport();
        report.setup(result);
        report.figures(result);
        report.machine(result);
        result.remarks().forEach(remark -> report.line("remark", "%s", remark));
        return report.text.toString();
    }

    private void setup(BenchResult result) {
        BenchResult.Setup setup = result.setup();
        line(
                result.what(),
                "%s, %,d B each, %d %s, E/Qw/Qa %s",
                setup.pace(),
                setup.payloadBytes(),
                setup.handles(),
                setup.handles() == 1 ? "handle" : "handles",
                setup.quorums());
        line("cluster", "%s", setup.cluster());
        line("durability", "%s", setup.durability());
        line("time", "%.0f s after %.0f s of warm-up", setup.seconds(), setup.warmupSeconds());
    }

    private void figures(BenchResult result) {
        BenchResult.Rates rates = result.rates();
        line(
                "acknowledged",
                "%,d (%,.0f/s, %.1f MB/s)",
                rates.acknowledged(),
                rates.perSecond(),
                rates.megabytesPerSecond());
        if (rates.failed() > 0 || rates.unanswered() > 0) {
            line(
                    "failed",
                    "%,d, and %,d without an answer; first: %s",
                    rates.failed(),
                    rates.unanswered(),
                    rates.firstFailure());
        }
        line("latency", "%s", latency(result.latency()));
        result.delivery().ifPresent(this::delivery);
        result.lateness().ifPresent(lateness -> line("sender late", "%s", latency(lateness)));
        slow(result);
        result.rawDisk().ifPresent(raw -> {
            line("raw disk before", "%s (three writers, one durable block each)", latency(raw.before()));
            line("raw disk after", "%s", latency(raw.after()));
        });
        result.p99ToRawDisk().ifPresent(ratio -> line("p99 to raw p99", "%.2f", ratio));
    }

    private void delivery(Delivery delivery) {
        line("append to read", "%s", latency(delivery.sinceAppendMicros()));
        line("ack to read", "%s", latency(delivery.sinceAcknowledgedMicros()));
        if (!delivery.isComplete()) {
            line("not read", "%,d, and %,d in another's place", delivery.missing(), delivery.misplaced());
        }
        if (!delivery.readerFailure().isEmpty()) {
            line("reader failed", "%s", delivery.readerFailure());
        }
    }

    private void slow(BenchResult result) {
        BenchResult.Slow slow = result.slow();
        String longest = slow.longest().stream()
                .map(pause -> String.format(Locale.ROOT, "%.1f s: %.0f ms", pause.atSeconds(), pause.millis()))
                .collect(Collectors.joining(", ", ": ", ""));
        line(
                "above 5 ms",
                "in %,d of %,.0f tenths of a second%s",
                slow.tenths(),
                result.setup().seconds() * 10,
                slow.longest().isEmpty() ? "" : longest);
    }

    private void machine(BenchResult result) {
        BenchResult.Processors processors = result.processors();
        line(
                "processor time",
                "%.1f us a request over %d %s (%.2f cores; foreign %.2f, stolen %.2f)",
                processors.microsPerRequest(),
                processors.processes(),
                processors.processes() == 1 ? "process" : "processes",
                processors.ourCores(),
                processors.foreignCores(),
                processors.stolenCores());
        line("heap", "%,d bytes a request taken by this process", processors.heapBytesPerRequest());
        result.diskWrites()
                .ifPresent(disk -> line(
                        "disk writes",
                        "%.1f MB, %,d flushes: %.2f bytes for each byte of payload and copy",
                        disk.bytes() / 1e6,
                        disk.flushes(),
                        disk.perPayloadByte()));
        Conditions conditions = result.conditions();
        line(
                "machine",
                "%s, %d processors, %s, heap %,d MiB, load %.2f before, %s",
                conditions.kernel(),
                conditions.processors(),
                conditions.java(),
                conditions.heapBytesMax() >> 20,
                conditions.loadBefore(),
                conditions.started());
    }

    private static String latency(Latency latency) {
        return String.format(
                Locale.ROOT,
                "p50 %.3f, p90 %.3f, p99 %.3f, p99.9 %.3f, max %.3f ms",
                latency.p50() / 1000,
                latency.p90() / 1000,
                latency.p99() / 1000,
                latency.p999() / 1000,
                latency.max() / 1000);
    }

    private void line(String name, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-16s", name))
                .append(String.format(Locale.ROOT, format, values))
                .append('\n');
    }
}
