// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.BookieId;
import java.nio.ByteBuffer;

/**
 * The bytes of a journal file: commits, each at a block boundary; a commit is a {@link #COMMIT} record followed by the records it made durable. All
 * numbers are little-endian.
 *
 * <p>Record: CRC32C 4 (over everything after it, body included), magic 2, type 1, zero 1, sequence 8, incarnation 4, body bytes 4, body; the next
 * record begins at a multiple of 8. So an entry is preceded by its length, as it is in the answer to a read. The incarnation counts the uses of journal files, the sequence counts records; stale bytes of a file's earlier
 * use carry another incarnation.
 *
 * <p>Commit body: proven sequence 8 (every record up to it was durable when this commit was made), bookie id 16, format version 4, bytes of the
 * commit 4, records 4, zero 4. A commit's own sequence is that of its first record.
 */
final class JournalFormat {
    static final int VERSION = 1;
    static final int HEADER_BYTES = 24;
    static final int COMMIT_BODY_BYTES = 40;
    static final int COMMIT_BYTES = HEADER_BYTES + COMMIT_BODY_BYTES;
    static final int FACT_BODY_BYTES = 16;

    static final int COMMIT = 1;
    static final int ENTRY = 2;
    static final int FENCE = 3;
    static final int PUBLISHED = 4;
    static final int LIMBO = 5;
    static final int TOMBSTONE = 6;

    private static final short MAGIC = (short) 0xDB4A;
    private static final int CRC_BYTES = 4;
    private static final int BODY_BYTES_AT = HEADER_BYTES - 4;

    private JournalFormat() {}

    /** Bytes that a record with such a body takes. */
    static int recordBytes(int bodyBytes) {
        return align8(HEADER_BYTES + bodyBytes);
    }

    static int align8(int bytes) {
        return (bytes + 7) & -8;
    }

    static int roundUp(int bytes, int block) {
        return (bytes + block - 1) & -block;
    }

    /** Writes all of a record's header but the checksum, and zeros the gap after the body. */
    static void writeHeader(ByteBuffer out, int at, int typeAndBodyBytes, int incarnation, long sequence) {
        int bodyBytes = bodyBytesOf(typeAndBodyBytes);
        out.putLong(at + recordBytes(bodyBytes) - 8, 0);
        out.putShort(at + 4, MAGIC);
        out.put(at + 6, (byte) (typeAndBodyBytes >>> 28));
        out.put(at + 7, (byte) 0);
        out.putLong(at + 8, sequence);
        out.putInt(at + 16, incarnation);
        out.putInt(at + BODY_BYTES_AT, bodyBytes);
    }

    /** Packs a type and the size of a body, which is below 256 MiB. */
    static int typeAndBodyBytes(int type, int bodyBytes) {
        return (type << 28) | bodyBytes;
    }

    private static int bodyBytesOf(int typeAndBodyBytes) {
        return typeAndBodyBytes & 0x0fff_ffff;
    }

    /** Writes the checksum of a record whose other bytes are in place. */
    static void seal(ByteBuffer out, int at, Checksum checksum) {
        int bytes = HEADER_BYTES - CRC_BYTES + out.getInt(at + BODY_BYTES_AT);
        out.putInt(at, checksum.of(out, at + CRC_BYTES, bytes));
    }

    /** Whether a whole, undamaged record that ends by {@code end} stands at {@code at}. */
    static boolean isValid(ByteBuffer in, int at, int end, Checksum checksum) {
        if (end - at < HEADER_BYTES || in.getShort(at + 4) != MAGIC) {
            return false;
        }
        int bodyBytes = in.getInt(at + BODY_BYTES_AT);
        return bodyBytes >= 0
                && bodyBytes <= end - at - HEADER_BYTES
                && in.getInt(at) == checksum.of(in, at + CRC_BYTES, HEADER_BYTES - CRC_BYTES + bodyBytes);
    }

    /** Whether something that begins like a record and could end by {@code end} stands at {@code at}; says nothing about its bytes. */
    static boolean hasHeader(ByteBuffer in, int at, int end) {
        return end - at >= HEADER_BYTES
                && in.getShort(at + 4) == MAGIC
                && in.getInt(at + BODY_BYTES_AT) >= 0
                && in.getInt(at + BODY_BYTES_AT) <= end - at - HEADER_BYTES;
    }

    static int type(ByteBuffer in, int at) {
        return in.get(at + 6);
    }

    /** Whether records of a commit may be of that type. */
    static boolean isKnown(int type) {
        return type >= ENTRY && type <= TOMBSTONE;
    }

    static int bodyBytes(ByteBuffer in, int at) {
        return in.getInt(at + BODY_BYTES_AT);
    }

    static int incarnation(ByteBuffer in, int at) {
        return in.getInt(at + 16);
    }

    static long sequence(ByteBuffer in, int at) {
        return in.getLong(at + 8);
    }

    /** Writes the body of a commit record. */
    static void writeCommitBody(ByteBuffer out, int at, CommitGroup group, BookieId bookieId, long provenSequence) {
        int body = at + HEADER_BYTES;
        out.putLong(body, provenSequence);
        out.putLong(body + 8, bookieId.high());
        out.putLong(body + 16, bookieId.low());
        out.putInt(body + 24, VERSION);
        out.putInt(body + 28, group.end - group.start);
        out.putInt(body + 32, group.records);
        out.putInt(body + 36, 0);
    }

    /** Whether a whole commit record of this bookie and version stands at {@code at}. */
    static boolean isCommit(ByteBuffer in, int at, BookieId bookieId, Checksum checksum) {
        int body = at + HEADER_BYTES;
        return in.limit() - at >= COMMIT_BYTES
                && type(in, at) == COMMIT
                && bodyBytes(in, at) == COMMIT_BODY_BYTES
                && isValid(in, at, at + COMMIT_BYTES, checksum)
                && in.getLong(body + 8) == bookieId.high()
                && in.getLong(body + 16) == bookieId.low()
                && in.getInt(body + 24) == VERSION;
    }

    static long provenSequence(ByteBuffer in, int commitAt) {
        return in.getLong(commitAt + HEADER_BYTES);
    }

    static int commitBytes(ByteBuffer in, int commitAt) {
        return in.getInt(commitAt + HEADER_BYTES + 28);
    }

    static int commitRecords(ByteBuffer in, int commitAt) {
        return in.getInt(commitAt + HEADER_BYTES + 32);
    }
}
