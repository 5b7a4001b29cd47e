// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * An immutable file that says where the entries of one entry log lie. All numbers are little-endian.
 *
 * <p>Layout: magic 8, format version 4, log id 4, previous log id 4, table rows 4, extents 4, facts 4, flags 4 (1: made from a damaged log,
 * some entries may be missing), zero 4; the table: one position 4 (unsigned) per
 * entry and after each run of consecutive entries the position of its end; extents: ledger id 8, first entry id 8, count 4, table row 4; facts:
 * ledger id 8, last add confirmed 8, last entry id 8, flags 8 as {@link LedgerFacts#flags} gives them; CRC32C 4 of everything before.
 */
public final class IndexFile {
    private static final long MAGIC = 0x31584544_4e494244L;
    private static final int VERSION = 1;
    static final int HEADER_BYTES = 40;
    private static final int FLAGS_INDEX = 32;
    private static final int INCOMPLETE = 1;
    private static final int EXTENT_BYTES = 24;
    private static final int FACTS_BYTES = 32;
    private static final int CRC_BYTES = 4;
    private static final String PREFIX = "index-";
    private static final String SUFFIX = ".idx";

    private IndexFile() {}

    /** The name of the index file of a log. */
    public static String name(int logId) {
        return PREFIX + String.format("%08x", logId) + SUFFIX;
    }

    /** The log whose index file has that name, or 0 when it is not the name of one. */
    public static int logId(String name) {
        boolean isName = name.length() == PREFIX.length() + 8 + SUFFIX.length()
                && name.startsWith(PREFIX)
                && name.endsWith(SUFFIX)
                && name.substring(PREFIX.length(), PREFIX.length() + 8).matches("[0-9a-f]{8}");
        return isName ? Integer.parseUnsignedInt(name, PREFIX.length(), PREFIX.length() + 8, 16) : 0;
    }

    /** Writes the file under the name {@code as}. Its bytes are durable on return, its name is not. */
    static void write(Disk disk, String as, int logId, int previousLogId, IndexRows rows) {
        ByteBuffer out = encode(logId, previousLogId, rows);
        try (DiskFile file = disk.open(as, Disk.OpenMode.CREATE_NEW)) {
            file.write(0, out);
            file.sync();
        }
    }

    /** Whether a file says of its log what {@code rows} do; whether the log was damaged when it was made counts for nothing. */
    static boolean agrees(Disk disk, int logId, int previousLogId, IndexRows rows) {
        ByteBuffer expected = encode(logId, previousLogId, rows);
        ByteBuffer actual = readWhole(disk, name(logId));
        actual.putInt(FLAGS_INDEX, expected.getInt(FLAGS_INDEX));
        int bytes = expected.limit() - CRC_BYTES;
        return actual.limit() == expected.limit() && actual.slice(0, bytes).equals(expected.slice(0, bytes));
    }

    private static ByteBuffer encode(int logId, int previousLogId, IndexRows rows) {
        List<IndexTarget.Extent> extents = rows.extents();
        List<LedgerFacts> facts = rows.facts();
        int bytes = HEADER_BYTES + rows.tableRows() * 4 + extents.size() * EXTENT_BYTES + facts.size() * FACTS_BYTES;
        ByteBuffer out = ByteBuffer.allocate(bytes + CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(VERSION).putInt(logId).putInt(previousLogId);
        out.putInt(rows.tableRows()).putInt(extents.size()).putInt(facts.size());
        out.putInt(rows.isIncomplete() ? INCOMPLETE : 0).putInt(0);
        for (int row = 0; row < rows.tableRows(); row++) {
            out.putInt(rows.position(row));
        }
        for (IndexTarget.Extent extent : extents) {
            out.putLong(extent.ledgerId()).putLong(extent.firstEntryId());
            out.putInt(extent.count()).putInt(extent.tableRow());
        }
        for (LedgerFacts of : facts) {
            out.putLong(of.ledgerId()).putLong(of.lastAddConfirmed());
            out.putLong(of.lastEntryId()).putLong(of.flags());
        }
        out.putInt(new Checksum().of(out, 0, bytes));
        return out.flip();
    }

    /**
     * Reads the index file of a log, all of which is checked before anything is told.
     *
     * @return the previous log's id
     * @throws IndexDamagedException when it is missing or damaged
     */
    public static int read(Disk disk, int logId, IndexTarget target) {
        ByteBuffer in = readWhole(disk, name(logId));
        int tableRows = in.getInt(20);
        int extents = in.getInt(24);
        int facts = in.getInt(28);
        long expected =
                HEADER_BYTES + tableRows * 4L + (long) extents * EXTENT_BYTES + (long) facts * FACTS_BYTES + CRC_BYTES;
        if (in.getLong(0) != MAGIC || in.getInt(8) != VERSION || in.getInt(12) != logId || expected != in.limit()) {
            throw new IndexDamagedException(name(logId) + " has a wrong header");
        }
        target.log(logId, in.getInt(16));
        if ((in.getInt(FLAGS_INDEX) & INCOMPLETE) != 0) {
            target.incomplete(logId);
        }
        int at = HEADER_BYTES + tableRows * 4;
        for (int i = 0; i < extents; i++, at += EXTENT_BYTES) {
            target.extent(extent(in, at, logId));
        }
        for (int i = 0; i < facts; i++, at += FACTS_BYTES) {
            target.facts(
                    LedgerFacts.ofFlags(in.getLong(at), in.getLong(at + 8), in.getLong(at + 16), in.getLong(at + 24)));
        }
        return in.getInt(16);
    }

    private static IndexTarget.Extent extent(ByteBuffer in, int at, int logId) {
        int count = in.getInt(at + 16);
        int row = in.getInt(at + 20);
        int bytes = in.getInt((int) tablePosition(row + count)) - in.getInt((int) tablePosition(row));
        return new IndexTarget.Extent(in.getLong(at), in.getLong(at + 8), count, logId, row, bytes);
    }

    private static ByteBuffer readWhole(Disk disk, String name) {
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            long size = file.size();
            if (size < HEADER_BYTES + CRC_BYTES || size > Integer.MAX_VALUE - 8) {
                throw new IndexDamagedException(name + " has " + size + " bytes");
            }
            ByteBuffer in = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
            file.read(0, in);
            in.flip();
            if (in.limit() < size || in.getInt(in.limit() - CRC_BYTES) != checksumOf(in)) {
                throw new IndexDamagedException(name + " fails its checksum");
            }
            return in;
        } catch (DiskException failure) {
            throw new IndexDamagedException(name + " cannot be read: " + failure.getMessage());
        }
    }

    private static int checksumOf(ByteBuffer in) {
        return new Checksum().of(in, 0, in.limit() - CRC_BYTES);
    }

    /** Where a row of the table stands in the file. */
    static long tablePosition(int row) {
        return HEADER_BYTES + Integer.toUnsignedLong(row) * 4L;
    }
}
