// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.local;

import io.daybook.cli.format.InputRecord;
import io.daybook.cli.format.RecordFormat;
import io.daybook.cli.format.RecordSource;
import io.daybook.cli.invocation.FailureReport;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.Fields;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Writes an input to a stream, follows it at the same time, and compares. Used once. */
final class Demo {
    private static final long LATENCY_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);
    /** Records that may wait for their acknowledgement: enough to keep the disks busy, few enough that waiting in line is not what is measured. */
    private static final int IN_FLIGHT_MAX = 1000;

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Namespace namespace;
    private final double clusterStartSeconds;
    private final RunningDigest written = new RunningDigest();
    private final Histogram appendNanos = new ConcurrentHistogram(LATENCY_NANOS_MAX, 3);
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    private long writeNanos;
    private long tailNanos;
    private String digest = "";

    Demo(Namespace namespace, double clusterStartSeconds) {
        this.namespace = namespace;
        this.clusterStartSeconds = clusterStartSeconds;
    }

    /** Throws unless every byte was read as it was written. */
    void run(InputStream input) throws IOException {
        LogStream stream = namespace.openStream("demo", OpenMode.CREATE_NEW).join();
        LogReader reader = stream.openReader(StartPosition.earliest()).join();
        DemoTail tail = new DemoTail(reader);
        new Thread(tail, "demo-tail").start();
        try (reader) {
            LogWriter writer = stream.openWriter().join();
            long begin = System.nanoTime();
            write(writer, RecordFormat.LINES.source(input, LogRecord.PAYLOAD_BYTES_MAX), tail);
            long acknowledged = System.nanoTime();
            writeNanos = acknowledged - begin;
            tail.expect(written.recordCount());
            compare(tail.outcome());
            tailNanos = System.nanoTime() - acknowledged;
            writer.close();
        }
    }

    private void write(LogWriter writer, RecordSource source, DemoTail tail) throws IOException {
        CompletableFuture<?> last = CompletableFuture.completedFuture(null);
        Optional<InputRecord> next = source.next();
        while (next.isPresent()
                && !last.isCompletedExceptionally()
                && !tail.outcome().isDone()) {
            ByteBuffer payload = next.get().payload();
            written.add(payload.duplicate());
            inFlight.acquireUninterruptibly();
            long begin = System.nanoTime();
            last = writer.append(new LogRecord(written.recordCount(), payload)).whenComplete((position, failure) -> {
                appendNanos.recordValue(Math.min(System.nanoTime() - begin, LATENCY_NANOS_MAX));
                inFlight.release();
            });
            next = source.next();
        }
        // The first failure fails all that follow.
        last.join();
    }

    private void compare(CompletableFuture<RunningDigest> outcome) {
        RunningDigest seen;
        try {
            seen = outcome.join();
        } catch (CompletionException failure) {
            throw new CommandFailure(
                    "not verified: reading failed: "
                            + FailureReport.causeOf(failure).getMessage(),
                    failure);
        }
        digest = written.finish();
        if (seen.recordCount() != written.recordCount()
                || seen.byteCount() != written.byteCount()
                || !seen.finish().equals(digest)) {
            throw new CommandFailure("not verified: " + written.recordCount() + " records with " + written.byteCount()
                    + " bytes were written, but " + seen.recordCount() + " with " + seen.byteCount()
                    + " bytes or other bytes were read");
        }
    }

    /** What was found. */
    Fields report() {
        double seconds = writeNanos / NANOS_PER_SECOND;
        Fields fields = new Fields()
                .with("verified", true)
                .with("records", written.recordCount())
                .with("bytes", written.byteCount())
                .with("sha256", digest)
                .with("clusterStartSeconds", clusterStartSeconds)
                .with("writeSeconds", seconds);
        if (written.recordCount() > 0) {
            fields.with("recordsPerSecond", Math.round(written.recordCount() / seconds))
                    .with("mebibytesPerSecond", written.byteCount() / seconds / (1024 * 1024))
                    .with("appendMillisP50", millis(50))
                    .with("appendMillisP99", millis(99))
                    .with("appendMillisP999", millis(99.9))
                    .with("readerBehindMillis", tailNanos / NANOS_PER_MILLI);
        }
        return fields;
    }

    private double millis(double percentile) {
        return appendNanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}
