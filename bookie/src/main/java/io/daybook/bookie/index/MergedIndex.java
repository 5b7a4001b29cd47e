// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * An immutable file with what the index files of several logs say, but their tables: all that a start needs of them, in one read. The index files stay what
 * counts: this one is used only while each of them is, to the byte, what it was made from. All numbers are little-endian.
 *
 * <p>Layout: magic 8, format version 4, numbers of logs, rows and facts 4 each; logs: log id 4, previous log id 4, size of its index file 4 (unsigned), CRC32C at
 * the end of that file 4; CRC32C 4 of everything before; rows, by ledger and entry: ledger id 8, first entry id 8, count 4, table row 4, bytes 4, log id 4; facts,
 * one for each ledger: as in an index file; CRC32C 4 of everything before.
 *
 * <p><i>Threading:</i> a storage loop; what is read is immutable.
 */
public final class MergedIndex {
    private static final long MAGIC = 0x31475245_4d494244L;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 24;
    private static final int LOG_BYTES = 16;
    private static final int ROW_BYTES = 32;
    private static final int FACTS_BYTES = 32;
    private static final int CRC_BYTES = 4;
    private static final String PREFIX = "merged-";
    private static final String SUFFIX = ".idx";

    private final List<Log> logs;
    private final ByteBuffer in;

    private MergedIndex(List<Log> logs, ByteBuffer in) {
        this.logs = List.copyOf(logs);
        this.in = in;
    }

    /**
     * A log as its index file was when it was merged.
     *
     * @param bytes of its index file, unsigned
     * @param crc the checksum at the end of its index file
     */
    public record Log(int logId, int previousLogId, int bytes, int crc) {
        /** As its index file is now; throws {@link IndexDamagedException} when it cannot be read. */
        public static Log of(Disk disk, int logId) {
            try (DiskFile file = disk.open(IndexFile.name(logId), Disk.OpenMode.READ_ONLY)) {
                long size = file.size();
                ByteBuffer header = ByteBuffer.allocate(IndexFile.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
                ByteBuffer end = ByteBuffer.allocate(CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
                file.read(0, header);
                file.read(Math.max(0, size - CRC_BYTES), end);
                if (header.hasRemaining() || end.hasRemaining()) {
                    throw new IndexDamagedException(IndexFile.name(logId) + " has " + size + " bytes");
                }
                return new Log(logId, header.getInt(16), (int) size, end.getInt(0));
            } catch (DiskException failure) {
                throw new IndexDamagedException(IndexFile.name(logId) + " cannot be read: " + failure.getMessage());
            }
        }
    }

    /** The name of the file in which a log is the first one. */
    public static String name(int firstLogId) {
        return PREFIX + String.format("%08x", firstLogId) + SUFFIX;
    }

    /** Whether that is the name of such a file. */
    public static boolean isName(String name) {
        return name.matches(PREFIX + "[0-9a-f]{8}" + SUFFIX);
    }

    // ---- writing ----

    /** Gathers what is to be merged. */
    public static final class Draft implements IndexTarget {
        private final List<Log> logs = new ArrayList<>();
        private final List<Extent> rows = new ArrayList<>();
        private final TreeMap<Long, LedgerFacts> facts = new TreeMap<>();

        /** Empty. */
        public Draft() {}

        /**
         * Adds a log.
         *
         * @return bytes that were read
         * @throws IndexDamagedException when its index file cannot be used, or is incomplete: nothing was added then
         */
        public long add(Disk disk, int logId) {
            Draft one = new Draft();
            IndexFile.read(disk, logId, one);
            Log log = Log.of(disk, logId);
            logs.add(log);
            rows.addAll(one.rows);
            one.facts.values().forEach(this::facts);
            return Integer.toUnsignedLong(log.bytes());
        }

        @Override
        public void log(int logId, int previousLogId) {}

        @Override
        public void extent(Extent extent) {
            rows.add(extent);
        }

        @Override
        public void facts(LedgerFacts of) {
            facts.merge(of.ledgerId(), of, LedgerFacts::join);
        }

        @Override
        public void incomplete(int logId) {
            throw new IndexDamagedException(IndexFile.name(logId) + " was made from a damaged log");
        }

        /** How many logs there are. */
        public int logs() {
            return logs.size();
        }

        /** How many rows there are. */
        public int rows() {
            return rows.size();
        }

        /** Bytes of the file. */
        public long bytes() {
            return HEADER_BYTES
                    + (long) logs.size() * LOG_BYTES
                    + CRC_BYTES
                    + (long) rows.size() * ROW_BYTES
                    + (long) facts.size() * FACTS_BYTES
                    + CRC_BYTES;
        }

        /** The ids of the logs. */
        public List<Integer> logIds() {
            return logs.stream().map(Log::logId).toList();
        }

        /** Writes the file, in place of any other that begins with the same log; durable on return. Throws {@link DiskException}. */
        public String write(Disk disk) {
            String name = name(logs.get(0).logId());
            SmallFile.replace(disk, name, encode());
            return name;
        }

        private ByteBuffer encode() {
            ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(bytes())).order(ByteOrder.LITTLE_ENDIAN);
            out.putLong(MAGIC).putInt(VERSION).putInt(logs.size()).putInt(rows.size());
            out.putInt(facts.size());
            for (Log log : logs) {
                out.putInt(log.logId()).putInt(log.previousLogId());
                out.putInt(log.bytes()).putInt(log.crc());
            }
            out.putInt(new Checksum().of(out, 0, out.position()));
            rows.sort(Comparator.comparingLong(Extent::ledgerId)
                    .thenComparingLong(Extent::firstEntryId)
                    .thenComparingInt(Extent::logId));
            for (Extent row : rows) {
                out.putLong(row.ledgerId()).putLong(row.firstEntryId());
                out.putInt(row.count()).putInt(row.tableRow());
                out.putInt(row.bytes()).putInt(row.logId());
            }
            for (LedgerFacts of : facts.values()) {
                out.putLong(of.ledgerId()).putLong(of.lastAddConfirmed());
                out.putLong(of.lastEntryId()).putLong(of.flags());
            }
            out.putInt(new Checksum().of(out, 0, out.position()));
            return out.flip();
        }
    }

    // ---- reading ----

    /** Reads a file, all of which is checked; throws {@link IndexDamagedException} that names it. */
    public static MergedIndex read(Disk disk, String name) {
        ByteBuffer in = bytes(disk, name, Integer.MAX_VALUE - 8);
        List<Log> logs = logs(in, name);
        int at = rowsAt(in);
        long expected = at + (long) in.getInt(16) * ROW_BYTES + (long) in.getInt(20) * FACTS_BYTES + CRC_BYTES;
        int end = in.limit() - CRC_BYTES;
        if (expected != in.limit() || in.getInt(end) != new Checksum().of(in, 0, end)) {
            throw new IndexDamagedException(name + " fails its checksum");
        }
        return new MergedIndex(logs, in);
    }

    /** The ids of the logs of a file, of which no more is read; throws {@link IndexDamagedException} that names it. */
    public static List<Integer> logIds(Disk disk, String name) {
        int bytesMax = HEADER_BYTES + LOG_BYTES * LOGS_MAX + CRC_BYTES;
        return logs(bytes(disk, name, bytesMax), name).stream().map(Log::logId).toList();
    }

    /** More logs are in no file. */
    private static final int LOGS_MAX = 4096;

    private static ByteBuffer bytes(Disk disk, String name, int bytesMax) {
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            ByteBuffer in =
                    ByteBuffer.allocate((int) Math.min(file.size(), bytesMax)).order(ByteOrder.LITTLE_ENDIAN);
            file.read(0, in);
            return in.flip();
        } catch (DiskException failure) {
            throw new IndexDamagedException(name + " cannot be read: " + failure.getMessage());
        }
    }

    private static List<Log> logs(ByteBuffer in, String name) {
        boolean isHeader = in.limit() >= HEADER_BYTES && in.getLong(0) == MAGIC && in.getInt(8) == VERSION;
        int count = isHeader ? in.getInt(12) : -1;
        if (count < 1 || count > LOGS_MAX || in.limit() < rowsAt(in)) {
            throw new IndexDamagedException(name + " has a wrong header");
        }
        int end = rowsAt(in) - CRC_BYTES;
        if (in.getInt(end) != new Checksum().of(in, 0, end)) {
            throw new IndexDamagedException(name + " fails the checksum of its header");
        }
        List<Log> logs = new ArrayList<>();
        for (int at = HEADER_BYTES; at < end; at += LOG_BYTES) {
            logs.add(new Log(in.getInt(at), in.getInt(at + 4), in.getInt(at + 8), in.getInt(at + 12)));
        }
        return logs;
    }

    private static int rowsAt(ByteBuffer in) {
        return HEADER_BYTES + in.getInt(12) * LOG_BYTES + CRC_BYTES;
    }

    /** The logs. */
    public List<Log> logs() {
        return logs;
    }

    /** Tells what is in it. */
    public void tell(IndexTarget target) {
        logs.forEach(log -> target.log(log.logId(), log.previousLogId()));
        int at = rowsAt(in);
        for (int i = 0; i < in.getInt(16); i++, at += ROW_BYTES) {
            target.extent(new IndexTarget.Extent(
                    in.getLong(at),
                    in.getLong(at + 8),
                    in.getInt(at + 16),
                    in.getInt(at + 28),
                    in.getInt(at + 20),
                    in.getInt(at + 24)));
        }
        for (int i = 0; i < in.getInt(20); i++, at += FACTS_BYTES) {
            target.facts(
                    LedgerFacts.ofFlags(in.getLong(at), in.getLong(at + 8), in.getLong(at + 16), in.getLong(at + 24)));
        }
    }
}
