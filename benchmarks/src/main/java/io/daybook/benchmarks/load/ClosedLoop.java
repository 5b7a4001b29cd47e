// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Keeps a number of requests under way: each end makes the next request at once, on the thread that told the end. */
final class ClosedLoop implements LoadSource {
    private final List<Lane> lanes;
    private final Tally tally;
    private volatile boolean isStopped;

    ClosedLoop(List<? extends Lane> lanes, Tally tally) {
        this.lanes = List.copyOf(lanes);
        this.tally = tally;
    }

    /** Begins with a window that is spread evenly over the lanes. */
    static ClosedLoop start(List<? extends Lane> lanes, int window, Tally tally) {
        ClosedLoop loop = new ClosedLoop(lanes, tally);
        for (int i = 0; i < lanes.size(); i++) {
            int share = window / lanes.size() + (i < window % lanes.size() ? 1 : 0);
            loop.begin(loop.lanes.get(i), share);
        }
        return loop;
    }

    private void begin(Lane lane, int share) {
        lane.reportTo(new Refill(lane));
        long now = System.nanoTime();
        long[] starts = new long[share];
        Arrays.fill(starts, now);
        tally.sending(share);
        lane.send(starts, share);
    }

    @Override
    public void finish(long deadlineNanos) {
        stop();
    }

    @Override
    public void stop() {
        isStopped = true;
    }

    @Override
    public Histogram lateness() {
        return new Histogram(3);
    }

    /** Makes a request for each that ended. */
    private final class Refill implements Lane.Ending {
        private final Lane lane;

        Refill(Lane lane) {
            this.lane = lane;
        }

        @Override
        public void done(long startNanos) {
            long now = System.nanoTime();
            if (isStopped) {
                tally.done(startNanos, now);
                return;
            }
            tally.sending(1);
            tally.done(startNanos, now);
            lane.send(now);
        }

        @Override
        public void failed(long startNanos, Throwable why) {
            isStopped = true;
            tally.failed(why);
        }
    }
}
