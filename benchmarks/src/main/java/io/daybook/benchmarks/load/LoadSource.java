// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import org.HdrHistogram.Histogram;

/** Makes requests until it is stopped. */
interface LoadSource {
    /** Makes no further request. Idempotent, any thread. */
    void stop();

    /** After {@link #stop}: how late it made its requests, in nanoseconds; empty where there is no schedule. */
    Histogram lateness();
}
