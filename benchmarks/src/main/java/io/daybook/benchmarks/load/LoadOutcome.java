// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What came of a run.
 *
 * @param latencies of acknowledged requests, in nanoseconds
 * @param lateness of the sender itself behind the schedule, in nanoseconds; empty in a closed loop. It is part of the latencies
 * @param slowMoments tenths of a second in which a request began that took more than 5 ms, the longest first
 * @param nanos length of the part of the run that counts
 * @param acknowledged requests acknowledged in that part
 * @param failed requests that failed in the whole run
 * @param unanswered requests that had no end some time after the run
 * @param firstFailure why the first failed; empty when none did
 */
public record LoadOutcome(
        Histogram latencies,
        Histogram lateness,
        List<Moment> slowMoments,
        long nanos,
        long acknowledged,
        long failed,
        long unanswered,
        String firstFailure) {
    /** Copies the list. */
    public LoadOutcome {
        slowMoments = List.copyOf(slowMoments);
    }

    /** Acknowledged requests a second. */
    public double perSecond() {
        return acknowledged * 1e9 / nanos;
    }

    /** Whether every request was acknowledged. */
    public boolean isClean() {
        return failed == 0 && unanswered == 0;
    }
}
