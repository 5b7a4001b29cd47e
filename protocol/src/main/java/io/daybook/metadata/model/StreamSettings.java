// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/**
 * The options of one stream, chosen when it is created.
 *
 * @param segmentMillisMax a segment older than this is completed and followed by a new one; 0 for no bound
 * @param segmentBytesMax a segment with this many bytes of payload is completed and followed by a new one; 0 for no bound
 * @param retentionMillis segments completed longer ago than this may be removed; 0 for no such bound
 * @param retentionBytes oldest segments may be removed as long as so many bytes of payload are left in completed ones; 0 for no such bound
 * @param compression how a writer stores entries; entries tell themselves how they were stored
 */
public record StreamSettings(
        Quorums quorums,
        DigestType digest,
        TransactionIdMode transactionIdMode,
        long segmentMillisMax,
        long segmentBytesMax,
        long retentionMillis,
        long retentionBytes,
        Compression compression) {
    /** How the records of an entry are stored. */
    public enum Compression {
        /** As they are. */
        NONE,
        /** LZ4: little work. */
        LZ4,
        /** Zstandard: fewer bytes. */
        ZSTD
    }

    /** What a stream demands of the transaction ids of its records, in order. */
    public enum TransactionIdMode {
        /** Each is at least the one before. */
        NON_DECREASING,
        /** Each is greater than the one before; an id that is already stored is answered with the position of its record (exactly-once appends). */
        STRICT
    }
}
