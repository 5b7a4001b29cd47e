// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Instant;

/** Where a reader begins. */
public sealed interface StartPosition {
    /**
     * At the first record that is not truncated.
     *
     * @return the place
     */
    static StartPosition earliest() {
        return new Earliest();
    }

    /**
     * After the last record that was acknowledged when the reader was opened. The last ones may be read again when their writer was cut off, or died, before it told the bookies that they
     * are acknowledged: nothing is skipped.
     *
     * @return the place
     */
    static StartPosition latest() {
        return new Latest();
    }

    /**
     * At a position: its record is the first one read (or the next record, when none stands there). When it was truncated, opening fails with
     * {@link StreamException.Truncated}, unless {@link At#orEarliest} was asked for; with {@link StreamException.ForeignPosition} when it is of a stream that had the name before.
     *
     * @param position of a record
     * @return the place
     */
    static At at(DLSN position) {
        return new At(position, false);
    }

    /**
     * After a position: to go on where an earlier reader ended (S13). When a record that follows it was truncated, or it cannot be
     * told any more that none was, opening fails with {@link StreamException.Truncated}, unless {@link After#orEarliest} was asked for; and as {@link #at} does.
     *
     * @param position of the record that was read last; {@link DLSN#BEFORE_ALL} for none
     * @return the place
     */
    static After after(DLSN position) {
        return new After(position, false);
    }

    /**
     * At the first record that is not truncated and whose transaction id is at least {@code transactionId}.
     *
     * @param transactionId the least one
     * @return the place
     */
    static StartPosition atTransactionId(long transactionId) {
        return new AtTransactionId(transactionId);
    }

    /**
     * Not later than the first record that was appended at or after a time: at the beginning of the segment in which that time fell, since records carry no time of
     * their own. Clocks of writers count.
     *
     * @param time by the clocks of writers
     * @return the place
     */
    static StartPosition atTime(Instant time) {
        return new AtTime(time);
    }

    /**
     * Where a subscription stands; opening fails with {@link StreamException.SubscriptionNotFound}, and with {@link StreamException.Truncated} as {@link #at} does.
     *
     * @param id of the subscription
     * @return the place
     */
    static AtSubscription subscription(String id) {
        return new AtSubscription(id, false);
    }

    /** See {@link #earliest}. */
    record Earliest() implements StartPosition {}

    /** See {@link #latest}. */
    record Latest() implements StartPosition {}

    /**
     * See {@link #at}.
     *
     * @param position where
     * @param startsEarliestIfTruncated whether a truncated position means the first record that is left
     */
    record At(DLSN position, boolean startsEarliestIfTruncated) implements StartPosition {
        /**
         * Or, when it was truncated, at the first record that is left: what lies between is passed over.
         *
         * @return the place
         */
        public At orEarliest() {
            return new At(position, true);
        }
    }

    /**
     * See {@link #after}.
     *
     * @param position where
     * @param startsEarliestIfTruncated whether a truncated position means the first record that is left
     */
    record After(DLSN position, boolean startsEarliestIfTruncated) implements StartPosition {
        /**
         * Or, when records after it were truncated, at the first record that is left: what lies between is passed over.
         *
         * @return the place
         */
        public After orEarliest() {
            return new After(position, true);
        }
    }

    /**
     * See {@link #subscription}.
     *
     * @param id of the subscription
     * @param startsEarliestIfTruncated whether a truncated position means the first record that is left
     */
    record AtSubscription(String id, boolean startsEarliestIfTruncated) implements StartPosition {
        /**
         * Or, when it was truncated, at the first record that is left: what lies between is passed over.
         *
         * @return the place
         */
        public AtSubscription orEarliest() {
            return new AtSubscription(id, true);
        }
    }

    /**
     * See {@link #atTime}.
     *
     * @param time by the clocks of writers
     */
    record AtTime(Instant time) implements StartPosition {}

    /**
     * See {@link #atTransactionId}.
     *
     * @param transactionId the least one
     */
    record AtTransactionId(long transactionId) implements StartPosition {}
}
