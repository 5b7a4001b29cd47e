// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of load over a number of lanes: a ramp that does not count, the part that counts, and the wait for what is still under way.
 *
 * <p><i>Threading:</i> the caller waits for the whole run.
 */
public final class LoadRun {
    private static final Duration RAMP = Duration.ofMillis(1500);
    private static final Duration DRAIN_MAX = Duration.ofSeconds(45);
    private static final long POLL_MILLIS = 20;
    private static final long BYTES_UNDER_WAY_MAX = 128L * 1024 * 1024;
    private static final int UNDER_WAY_MAX = 100_000;

    private final List<Lane> lanes;
    private final Pace pace;
    private final int outstandingMax;

    /** Requests of about {@code requestBytes} each, which bounds how many an open loop lets pile up. */
    public LoadRun(List<? extends Lane> lanes, Pace pace, int requestBytes) {
        this.lanes = List.copyOf(lanes);
        this.pace = pace;
        outstandingMax = (int) Math.max(64, Math.min(UNDER_WAY_MAX, BYTES_UNDER_WAY_MAX / Math.max(1, requestBytes)));
    }

    /** Runs; {@code edges} is told when the part that counts begins and ends. Ends early when a request fails. */
    public LoadOutcome run(Duration duration, Edges edges) throws InterruptedException {
        long from = System.nanoTime() + RAMP.toNanos();
        Interval interval = new Interval(from, from + duration.toNanos());
        Tally tally = new Tally(interval, pace instanceof Pace.Rate);
        edges.planned(interval.fromNanos());
        LoadSource source = start(tally);
        waitUntil(interval.fromNanos(), tally);
        edges.begin();
        waitUntil(interval.toNanos(), tally);
        edges.end();
        long deadline = System.nanoTime() + DRAIN_MAX.toNanos();
        source.finish(deadline);
        source.stop();
        drain(tally, deadline);
        return tally.outcome(source.lateness());
    }

    private LoadSource start(Tally tally) {
        if (pace instanceof Pace.Rate rate) {
            return OpenLoop.start(lanes, rate.perSecond(), outstandingMax, tally);
        }
        if (pace instanceof Pace.Window window) {
            return ClosedLoop.start(lanes, window.outstanding(), tally);
        }
        throw new IllegalStateException("no source for " + pace.text());
    }

    private static void waitUntil(long atNanos, Tally tally) throws InterruptedException {
        long left = atNanos - System.nanoTime();
        while (left > 0 && !tally.hasFailed()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)));
            left = atNanos - System.nanoTime();
        }
    }

    private static void drain(Tally tally, long deadlineNanos) throws InterruptedException {
        while (tally.outstanding() > 0 && System.nanoTime() - deadlineNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Told at both ends of the part of a run that counts. */
    public interface Edges {
        /** Nobody to tell. */
        Edges NONE = new Edges() {
            @Override
            public void begin() {}

            @Override
            public void end() {}
        };

        /** It will begin then ({@link System#nanoTime}); what is requested from then on counts. */
        default void planned(long fromNanos) {}

        /** It begins. */
        void begin();

        /** It has ended. */
        void end();
    }
}
