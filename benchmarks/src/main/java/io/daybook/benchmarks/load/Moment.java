// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

/**
 * A tenth of a second in which some request took long.
 *
 * @param atNanos since the part that counts began
 * @param longestNanos the longest latency of a request that began in it
 */
public record Moment(long atNanos, long longestNanos) {}
