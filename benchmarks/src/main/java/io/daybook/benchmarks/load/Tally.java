// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times the requests of one run.
 *
 * <p><i>Threading:</i> any thread.
 */
final class Tally {
    private static final long LATENCY_NANOS_MAX = Duration.ofMinutes(5).toNanos();

    /** What an append may take at most, at the 99th percentile. */
    private static final long SLOW_NANOS = Duration.ofMillis(5).toNanos();

    private final Interval interval;
    private final boolean isByStart;
    private final Recorder latencies = new Recorder(1, LATENCY_NANOS_MAX, 3);
    private final Moments moments;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong doneInside = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();

    /** The latency of a request counts if it began (or, unless {@code isByStart}, ended) inside the interval. */
    Tally(Interval interval, boolean isByStart) {
        this.interval = interval;
        this.isByStart = isByStart;
        moments = new Moments(interval);
    }

    Interval interval() {
        return interval;
    }

    void sending(int count) {
        sent.addAndGet(count);
    }

    void done(long startNanos, long nowNanos) {
        boolean endsInside = interval.contains(nowNanos);
        if (endsInside) {
            doneInside.incrementAndGet();
        }
        if (isByStart ? interval.contains(startNanos) : endsInside) {
            latencies.recordValue(Math.max(1, Math.min(nowNanos - startNanos, LATENCY_NANOS_MAX)));
        }
        if (interval.contains(startNanos)) {
            moments.record(startNanos, nowNanos - startNanos);
        }
        ended.incrementAndGet();
    }

    void failed(Throwable why) {
        firstFailure.compareAndSet(null, why);
        failed.incrementAndGet();
        ended.incrementAndGet();
    }

    long outstanding() {
        return sent.get() - ended.get();
    }

    boolean hasFailed() {
        return failed.get() > 0;
    }

    LoadOutcome outcome(Histogram lateness) {
        Throwable first = firstFailure.get();
        return new LoadOutcome(
                latencies.getIntervalHistogram(),
                lateness,
                moments.above(SLOW_NANOS),
                interval.nanos(),
                doneInside.get(),
                failed.get(),
                outstanding(),
                first == null ? "" : String.valueOf(first.getMessage()));
    }
}
