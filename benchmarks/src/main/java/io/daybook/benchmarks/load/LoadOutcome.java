// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import org.HdrHistogram.Histogram;

/**
 * What came of a run.
 *
 * @param latencies of acknowledged requests, in nanoseconds
 * @param lateness of the sender itself behind the schedule, in nanoseconds; empty in a closed loop. It is part of the latencies
 * @param nanos length of the part of the run that counts
 * @param acknowledged requests acknowledged in that part
 * @param failed requests that failed in the whole run
 * @param unanswered requests that had no end some time after the run
 * @param firstFailure why the first failed; empty when none did
 */
public record LoadOutcome(
        Histogram latencies,
        Histogram lateness,
        long nanos,
        long acknowledged,
        long failed,
        long unanswered,
        String firstFailure) {
    /** Acknowledged requests a second. */
    public double perSecond() {
        return acknowledged * 1e9 / nanos;
    }

    /** Whether every request was acknowledged. */
    public boolean isClean() {
        return failed == 0 && unanswered == 0;
    }
}
