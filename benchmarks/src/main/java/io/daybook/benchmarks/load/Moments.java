// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The longest latency in each tenth of a second, by when the request began: whether a tail is a few long pauses, and whether they come at a beat, is not
 * to be seen in percentiles.
 *
 * <p><i>Threading:</i> any thread.
 */
final class Moments {
    private static final long LENGTH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Interval interval;
    private final AtomicLongArray longest;

    Moments(Interval interval) {
        this.interval = interval;
        longest = new AtomicLongArray((int) Math.max(1, (interval.nanos() + LENGTH_NANOS - 1) / LENGTH_NANOS));
    }

    /** A request that began inside the interval. */
    void record(long startNanos, long latencyNanos) {
        int at = (int) Math.min((startNanos - interval.fromNanos()) / LENGTH_NANOS, longest.length() - 1);
        if (latencyNanos > longest.get(at)) {
            longest.accumulateAndGet(at, latencyNanos, Math::max);
        }
    }

    /** Those with a latency above {@code nanos}, the longest first. */
    List<Moment> above(long nanos) {
        List<Moment> slow = new ArrayList<>();
        for (int at = 0; at < longest.length(); at++) {
            if (longest.get(at) > nanos) {
                slow.add(new Moment(at * LENGTH_NANOS, longest.get(at)));
            }
        }
        slow.sort(Comparator.comparingLong(Moment::longestNanos).reversed());
        return slow;
    }
}
