// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

/** The part of a run that counts, in {@link System#nanoTime}. */
record Interval(long fromNanos, long toNanos) {
    boolean contains(long atNanos) {
        return atNanos - fromNanos >= 0 && atNanos - toNanos < 0;
    }

    long nanos() {
        return toNanos - fromNanos;
    }
}
