// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

import io.daybook.protocol.EntryLayout;
import java.nio.ByteBuffer;

/**
 * The bytes of an entry log: records, one after the other, in order of ledger and entry, then the facts, then a footer and zeros up to a block
 * boundary. All numbers are little-endian.
 *
 * <p>Record: CRC32C 4 (over everything after it, body included), magic 2, type 1, zero 1, log id 4, body bytes 4, body; the next record begins at a
 * multiple of 8. Bodies: {@link #HEADER}: format version 4, zero 4, bookie id 16, previous log id 4, zero 4. {@link #ENTRY}: the entry.
 * {@link #FACTS}: ledger id 8, last add confirmed 8, last entry id 8, flags 8 as {@link LedgerFacts#flags}
 * gives them. {@link #FOOTER}: entries 4, facts 4.
 */
public final class EntryLogFormat {
    /** Bytes of a record before its body. */
    public static final int RECORD_HEADER_BYTES = 16;

    /** Log id that means: there is none. */
    public static final int NO_LOG = 0;

    static final int VERSION = 1;
    static final int HEADER = 1;
    static final int ENTRY = 2;
    static final int FACTS = 3;
    static final int FOOTER = 4;
    static final int HEADER_BODY_BYTES = 32;
    static final int FACTS_BODY_BYTES = 32;
    static final int FOOTER_BODY_BYTES = 8;

    private static final short MAGIC = (short) 0xDB45;
    private static final String PREFIX = "entries-";
    private static final String SUFFIX = ".log";
    private static final String TRASH_SUFFIX = ".trash";

    private EntryLogFormat() {}

    /** Whether a log was made by compaction; the others have the number of the journal incarnation whose entries they took. */
    public static boolean isCompacted(int logId) {
        return logId < 0;
    }

    /** The name of a log. */
    public static String name(int logId) {
        return PREFIX + String.format("%08x", logId) + SUFFIX;
    }

    /** The log of that name, or {@link #NO_LOG} when it is not the name of one. */
    public static int logId(String name) {
        boolean isName = name.length() == PREFIX.length() + 8 + SUFFIX.length()
                && name.startsWith(PREFIX)
                && name.endsWith(SUFFIX)
                && name.substring(PREFIX.length(), PREFIX.length() + 8).matches("[0-9a-f]{8}");
        return isName ? Integer.parseUnsignedInt(name, PREFIX.length(), PREFIX.length() + 8, 16) : NO_LOG;
    }

    /** Under which name a log or index file of that name is kept once compaction has replaced it. */
    public static String trashName(String name) {
        return name + TRASH_SUFFIX;
    }

    /** Whether that is the name of a file that was replaced. */
    public static boolean isTrash(String name) {
        return name.endsWith(TRASH_SUFFIX);
    }

    /** Bytes that a record with such a body takes. */
    static int recordBytes(int bodyBytes) {
        return (RECORD_HEADER_BYTES + bodyBytes + 7) & -8;
    }

    /** Writes all of a record's header but the checksum. */
    static void writeHeader(ByteBuffer out, int type, int bodyBytes, int logId) {
        out.putShort(4, MAGIC);
        out.put(6, (byte) type);
        out.put(7, (byte) 0);
        out.putInt(8, logId);
        out.putInt(12, bodyBytes);
    }

    static int crc(ByteBuffer in, int at) {
        return in.getInt(at);
    }

    static int type(ByteBuffer in, int at) {
        return in.get(at + 6);
    }

    static int bodyBytes(ByteBuffer in, int at) {
        return in.getInt(at + 12);
    }

    /** Whether what stands at {@code at} begins like a record of that log; says nothing about its body. */
    static boolean hasHeader(ByteBuffer in, int at, int logId) {
        return in.limit() - at >= RECORD_HEADER_BYTES
                && in.getShort(at + 4) == MAGIC
                && in.getInt(at + 8) == logId
                && in.getInt(at + 12) >= 0;
    }

    static long ledgerId(ByteBuffer in, int recordAt) {
        return in.getLong(recordAt + RECORD_HEADER_BYTES);
    }

    static long entryId(ByteBuffer in, int recordAt) {
        return in.getLong(recordAt + RECORD_HEADER_BYTES + Long.BYTES);
    }

    static boolean canBeEntry(ByteBuffer in, int at) {
        return type(in, at) == ENTRY && bodyBytes(in, at) >= EntryLayout.HEADER_BYTES;
    }
}
