// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Duration;

/**
 * How a stream is kept; chosen when it is created. What is marked so may be changed later; a change counts for segments that are
 * begun after it, and for retention at once.
 *
 * @param ensembleSize bookies over which a segment is striped (E); may be changed
 * @param writeQuorum copies of each entry (Qw); may be changed
 * @param ackQuorum durable copies before an append is acknowledged (Qa); may be changed
 * @param transactionIdMode what is demanded of transaction ids; fixed, since records that are stored obey it
 * @param segmentAgeMax an older segment is completed and followed by a new one, in milliseconds at the finest; zero for no bound; may be changed
 * @param segmentBytesMax a larger segment is completed and followed by a new one; 0 for no bound; may be changed
 * @param retentionAge segments that were completed longer ago are truncated, oldest first; zero keeps them; may be changed
 * @param retentionBytes oldest segments are truncated as long as completed ones with so many bytes are left; 0 keeps them; may be changed
 * @param compression how records are stored and sent; may be changed
 * @param digest how entries are checked from end to end; fixed, since whoever goes on must have the key of the records before
 */
public record StreamOptions(
        int ensembleSize,
        int writeQuorum,
        int ackQuorum,
        TransactionIdMode transactionIdMode,
        Duration segmentAgeMax,
        long segmentBytesMax,
        Duration retentionAge,
        long retentionBytes,
        Compression compression,
        Digest digest) {
    /** Three copies, acknowledged after two; a segment lasts 2 hours or 1 GiB; everything is kept, uncompressed. */
    public static final StreamOptions DEFAULT = new StreamOptions(
            3,
            3,
            2,
            TransactionIdMode.NON_DECREASING,
            Duration.ofHours(2),
            1024L * 1024 * 1024,
            Duration.ZERO,
            0,
            Compression.NONE,
            Digest.CRC32C);

    /**
     * Refuses impossible values.
     *
     * @param ensembleSize bookies over which a segment is striped (E); may be changed
     * @param writeQuorum copies of each entry (Qw); may be changed
     * @param ackQuorum durable copies before an append is acknowledged (Qa); may be changed
     * @param transactionIdMode what is demanded of transaction ids; fixed, since records that are stored obey it
     * @param segmentAgeMax an older segment is completed and followed by a new one, in milliseconds at the finest; zero for no bound; may be changed
     * @param segmentBytesMax a larger segment is completed and followed by a new one; 0 for no bound; may be changed
     * @param retentionAge segments that were completed longer ago are truncated, oldest first; zero keeps them; may be changed
     * @param retentionBytes oldest segments are truncated as long as completed ones with so many bytes are left; 0 keeps them; may be changed
     * @param compression how records are stored and sent; may be changed
     * @param digest how entries are checked from end to end; fixed, since whoever goes on must have the key of the records before
     * @throws IllegalArgumentException that names what is impossible
     */
    public StreamOptions {
        if (ackQuorum < 1 || ackQuorum > writeQuorum || writeQuorum > ensembleSize) {
            throw new IllegalArgumentException("quorums " + ensembleSize + "/" + writeQuorum + "/" + ackQuorum
                    + " do not hold 1 <= ack quorum <= write quorum <= ensemble");
        }
        if (segmentAgeMax.isNegative() || segmentBytesMax < 0) {
            throw new IllegalArgumentException("a segment's bounds are not negative");
        }
        if (retentionAge.isNegative() || retentionBytes < 0) {
            throw new IllegalArgumentException("the bounds of retention are not negative");
        }
    }

    /**
     * With other quorums.
     *
     * @param ensemble bookies over which a segment is striped
     * @param write copies of each entry
     * @param ack durable copies before an append is acknowledged
     * @return the options with that
     */
    public StreamOptions withQuorums(int ensemble, int write, int ack) {
        return new StreamOptions(
                ensemble,
                write,
                ack,
                transactionIdMode,
                segmentAgeMax,
                segmentBytesMax,
                retentionAge,
                retentionBytes,
                compression,
                digest);
    }

    /**
     * With another demand on transaction ids.
     *
     * @param mode the demand
     * @return the options with that
     */
    public StreamOptions withTransactionIdMode(TransactionIdMode mode) {
        return new StreamOptions(
                ensembleSize,
                writeQuorum,
                ackQuorum,
                mode,
                segmentAgeMax,
                segmentBytesMax,
                retentionAge,
                retentionBytes,
                compression,
                digest);
    }

    /**
     * With other bounds of a segment.
     *
     * @param ageMax zero for no bound
     * @param bytesMax 0 for no bound
     * @return the options with that
     */
    public StreamOptions withSegmentBounds(Duration ageMax, long bytesMax) {
        return new StreamOptions(
                ensembleSize,
                writeQuorum,
                ackQuorum,
                transactionIdMode,
                ageMax,
                bytesMax,
                retentionAge,
                retentionBytes,
                compression,
                digest);
    }

    /**
     * With other bounds of retention; zero is no bound.
     *
     * @param age of completed segments
     * @param bytes of completed segments
     * @return the options with that
     */
    public StreamOptions withRetention(Duration age, long bytes) {
        return new StreamOptions(
                ensembleSize,
                writeQuorum,
                ackQuorum,
                transactionIdMode,
                segmentAgeMax,
                segmentBytesMax,
                age,
                bytes,
                compression,
                digest);
    }

    /**
     * With another way to store records.
     *
     * @param next the way
     * @return the options with that
     */
    public StreamOptions withCompression(Compression next) {
        return new StreamOptions(
                ensembleSize,
                writeQuorum,
                ackQuorum,
                transactionIdMode,
                segmentAgeMax,
                segmentBytesMax,
                retentionAge,
                retentionBytes,
                next,
                digest);
    }

    /**
     * With another check of entries.
     *
     * @param next the check
     * @return the options with that
     */
    public StreamOptions withDigest(Digest next) {
        return new StreamOptions(
                ensembleSize,
                writeQuorum,
                ackQuorum,
                transactionIdMode,
                segmentAgeMax,
                segmentBytesMax,
                retentionAge,
                retentionBytes,
                compression,
                next);
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

    /** How the records of an entry are stored. Every reader reads all of them. */
    public enum Compression {
        /** As they are. */
        NONE,
        /** LZ4: little work, fewer bytes. */
        LZ4,
        /** Zstandard: more work, fewer bytes still. */
        ZSTD
    }

    /** How entries are checked from end to end. */
    public enum Digest {
        /** CRC-32C: finds damage, not forgery. */
        CRC32C,
        /** HMAC-SHA-256 under the key with which the namespace is opened ({@link Namespace#open(String, byte[])}): finds forgery too. 28 bytes more per entry, and slower. */
        HMAC_SHA256
    }
}
