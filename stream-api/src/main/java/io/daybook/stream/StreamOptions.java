// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Duration;

/**
 * How a stream is kept; chosen when it is created.
 *
 * @param ensembleSize bookies over which a segment is striped (E)
 * @param writeQuorum copies of each entry (Qw)
 * @param ackQuorum durable copies before an append is acknowledged (Qa)
 * @param transactionIdMode what is demanded of transaction ids
 * @param segmentAgeMax an older segment is completed and followed by a new one; zero for no bound
 * @param segmentBytesMax a larger segment is completed and followed by a new one; 0 for no bound
 */
public record StreamOptions(
        int ensembleSize,
        int writeQuorum,
        int ackQuorum,
        TransactionIdMode transactionIdMode,
        Duration segmentAgeMax,
        long segmentBytesMax) {
    /** Three copies, acknowledged after two; a segment lasts 2 hours or 1 GiB. */
    public static final StreamOptions DEFAULT =
            new StreamOptions(3, 3, 2, TransactionIdMode.NON_DECREASING, Duration.ofHours(2), 1024L * 1024 * 1024);

    /** Refuses impossible values with {@link IllegalArgumentException} that names them. */
    public StreamOptions {
        if (ackQuorum < 1 || ackQuorum > writeQuorum || writeQuorum > ensembleSize) {
            throw new IllegalArgumentException("quorums " + ensembleSize + "/" + writeQuorum + "/" + ackQuorum
                    + " do not hold 1 <= ack quorum <= write quorum <= ensemble");
        }
        if (segmentAgeMax.isNegative() || segmentBytesMax < 0) {
            throw new IllegalArgumentException("a segment's bounds are not negative");
        }
    }

    /** With other quorums. */
    public StreamOptions withQuorums(int ensemble, int write, int ack) {
        return new StreamOptions(ensemble, write, ack, transactionIdMode, segmentAgeMax, segmentBytesMax);
    }

    /** With another demand on transaction ids. */
    public StreamOptions withTransactionIdMode(TransactionIdMode mode) {
        return new StreamOptions(ensembleSize, writeQuorum, ackQuorum, mode, segmentAgeMax, segmentBytesMax);
    }

    /** With other bounds of a segment. */
    public StreamOptions withSegmentBounds(Duration ageMax, long bytesMax) {
        return new StreamOptions(ensembleSize, writeQuorum, ackQuorum, transactionIdMode, ageMax, bytesMax);
    }

    /** What a stream demands of the transaction ids of its records, in order. */
    public enum TransactionIdMode {
        /** Each is at least the one before. */
        NON_DECREASING,
        /**
         * Each is greater than the one before. A record whose id is already stored is not stored again: the append completes with the position of the stored one, which
         * makes re-sending records of unknown outcome safe (exactly-once).
         */
        STRICT
    }
}
