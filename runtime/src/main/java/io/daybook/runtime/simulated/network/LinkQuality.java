// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

/**
 * How fast frames travel from one machine to another: a least latency, an exponentially distributed addition with the given mean, and a cap on
 * the bytes per second of each link (0 for none).
 */
public record LinkQuality(long latencyNanosMin, long latencyNanosMean, long bytesPerSecondMax) {
    /** A local network. */
    public static final LinkQuality LOCAL = new LinkQuality(30_000, 70_000, 0);

    /** Refuses negative numbers with {@link IllegalArgumentException}. */
    public LinkQuality {
        if (latencyNanosMin < 0 || latencyNanosMean < 0 || bytesPerSecondMax < 0) {
            throw new IllegalArgumentException("the quality of a link has no negative part");
        }
    }
}
