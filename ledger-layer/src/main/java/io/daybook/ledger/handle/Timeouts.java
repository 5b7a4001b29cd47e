// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

/**
 * How long handles wait, in nanoseconds.
 *
 * @param add for an append to reach its ack quorum, for a recovery to be decided, for a ledger to be closed
 * @param read for one bookie to answer a read, before the next one is asked
 * @param silence without any sign of life until a bookie that owes an acknowledgement is taken for dead
 * @param lag for which a bookie that is slower than the others may hold up a writer
 * @param publishDelay of a writer that has nothing pending, before it publishes its last add confirmed
 */
public record Timeouts(long add, long read, long silence, long lag, long publishDelay) {
    /** The add time-out as it travels on the wire. */
    public int addMillis() {
        return millis(add);
    }

    /** The read time-out as it travels on the wire. */
    public int readMillis() {
        return millis(read);
    }

    /** At least 1 and at most what an {@code int} holds. */
    public static int millis(long nanos) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, nanos / 1_000_000L));
    }
}
