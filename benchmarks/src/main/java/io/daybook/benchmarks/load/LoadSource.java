// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import org.HdrHistogram.Histogram;

/** Makes requests until it is stopped. */
interface LoadSource {
    /** Waits until every request of the schedule was made, or this deadline ({@link System#nanoTime}) has passed. */
    void finish(long deadlineNanos) throws InterruptedException;

    /** Makes no further request. Idempotent, any thread. */
    void stop();

    /** After {@link #stop}: how late it made its requests, in nanoseconds; empty where there is no schedule. */
    Histogram lateness();
}
