// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import java.util.concurrent.TimeUnit;

/**
 * Spreads bytes over time, read and written ones alike (S-55).
 *
 * <p><i>Threading:</i> one loop.
 */
public final class Throttle {
    private final long bytesPerSecondMax;
    private long paidUntilNanos;

    /** Lets so many bytes a second pass, on the average. */
    public Throttle(long bytesPerSecondMax) {
        this.bytesPerSecondMax = bytesPerSecondMax;
    }

    /** How long to wait after having moved {@code bytes} before more are moved. */
    public long delayNanos(long bytes, long nowNanos) {
        double costNanos = (double) bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecondMax;
        paidUntilNanos = Math.max(paidUntilNanos, nowNanos) + (long) costNanos;
        return paidUntilNanos - nowNanos;
    }
}
