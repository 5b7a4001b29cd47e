// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import io.daybook.benchmarks.machine.TimerSlack;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Makes requests at fixed times, from a thread of its own: whenever it wakes, all that are due, in turn over the lanes. When too many are under way it
 * waits, and the requests that become due meanwhile are made later but timed from when they were due, so nothing is left out of the latencies.
 */
final class OpenLoop implements LoadSource, Lane.Ending, Runnable {
    private static final int BATCH_MAX = 512;

    /** Above 10,000 a second several requests share one wake-up: to wake for each would measure the waking. */
    private static final long NAP_NANOS_MIN = 100_000;

    private final List<Lane> lanes;
    private final int perSecond;
    private final int outstandingMax;
    private final long endNanos;
    private final Tally tally;
    private final Histogram lateness = new Histogram(1, Duration.ofMinutes(5).toNanos(), 3);
    private final long beginNanos = System.nanoTime();
    private final long[][] batches;
    private final int[] counts;
    private final Thread sender = new Thread(this, "load-sender");
    private volatile boolean isStopped;

    private OpenLoop(List<? extends Lane> lanes, int perSecond, int outstandingMax, Tally tally) {
        this.lanes = List.copyOf(lanes);
        this.perSecond = perSecond;
        this.outstandingMax = outstandingMax;
        this.tally = tally;
        endNanos = tally.interval().toNanos();
        batches = new long[lanes.size()][BATCH_MAX];
        counts = new int[lanes.size()];
    }

    static OpenLoop start(List<? extends Lane> lanes, int perSecond, int outstandingMax, Tally tally) {
        OpenLoop loop = new OpenLoop(lanes, perSecond, outstandingMax, tally);
        lanes.forEach(lane -> lane.reportTo(loop));
        loop.sender.start();
        return loop;
    }

    @Override
    public void run() {
        TimerSlack.makeSmall();
        long next = 0;
        while (!isStopped && dueNanos(next) - endNanos < 0) {
            long now = System.nanoTime();
            while (dueNanos(next) - Math.min(now, endNanos - 1) <= 0 && mayAdd(next)) {
                add(next, now);
                next++;
            }
            send();
            LockSupport.parkNanos(Math.max(NAP_NANOS_MIN, dueNanos(next) - System.nanoTime()));
        }
    }

    private long dueNanos(long index) {
        return beginNanos + index * 1_000_000_000L / perSecond;
    }

    private boolean mayAdd(long index) {
        return counts[(int) (index % lanes.size())] < BATCH_MAX && tally.outstanding() < outstandingMax;
    }

    private void add(long index, long now) {
        int lane = (int) (index % lanes.size());
        long due = dueNanos(index);
        batches[lane][counts[lane]++] = due;
        tally.sending(1);
        lateness.recordValue(Math.min(now - due, lateness.getHighestTrackableValue()));
    }

    private void send() {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                lanes.get(i).send(batches[i], counts[i]);
            }
        }
        Arrays.fill(counts, 0);
    }

    @Override
    public void done(long startNanos) {
        tally.done(startNanos, System.nanoTime());
    }

    @Override
    public void failed(long startNanos, Throwable why) {
        isStopped = true;
        tally.failed(why);
    }

    @Override
    public void finish(long deadlineNanos) throws InterruptedException {
        sender.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime())));
    }

    @Override
    public void stop() {
        isStopped = true;
        LockSupport.unpark(sender);
        try {
            sender.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Histogram lateness() {
        return lateness;
    }
}
