// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads an entry log from end to end, passing over what is damaged.
 *
 * <p><i>Threading:</i> blocks; a storage loop.
 */
public final class EntryLogScan {
    private final Checksum checksum = new Checksum();
    private final int logId;
    private final ByteBuffer bytes;

    private int previousLogId = EntryLogFormat.NO_LOG;
    private boolean whole;

    private EntryLogScan(int logId, ByteBuffer bytes) {
        this.logId = logId;
        this.bytes = bytes;
    }

    /** Scans a log; throws {@link io.daybook.runtime.DiskException} when it cannot be read. */
    public static EntryLogScan of(Disk disk, int logId, BookieId bookieId, EntryLogVisitor visitor) {
        try (DiskFile file = disk.open(EntryLogFormat.name(logId), Disk.OpenMode.READ_ONLY)) {
            ByteBuffer bytes = ByteBuffer.allocateDirect((int) Math.min(file.size(), Integer.MAX_VALUE - 8))
                    .order(ByteOrder.LITTLE_ENDIAN);
            file.read(0, bytes);
            EntryLogScan scan = new EntryLogScan(logId, bytes.flip());
            scan.run(bookieId, visitor);
            return scan;
        }
    }

    /** The log written before this one, {@link EntryLogFormat#NO_LOG} when there was none or the header is damaged. */
    public int previousLogId() {
        return previousLogId;
    }

    /** Whether every record, from header to footer, was there and undamaged. */
    public boolean isWhole() {
        return whole;
    }

    private void run(BookieId bookieId, EntryLogVisitor visitor) {
        boolean headed = isRecord(0) && readHeader(bookieId);
        whole = headed;
        int at = headed ? end(0) : 0;
        int entries = 0;
        int facts = 0;
        while (at < bytes.limit()) {
            if (!isRecord(at)) {
                whole = false;
                at += Long.BYTES;
                continue;
            }
            int type = EntryLogFormat.type(bytes, at);
            if (type == EntryLogFormat.FOOTER) {
                whole &= counts(at, entries, facts);
                return;
            }
            if (EntryLogFormat.canBeEntry(bytes, at)) {
                entries++;
                visitor.entry(EntryLogFormat.ledgerId(bytes, at), EntryLogFormat.entryId(bytes, at), at, end(at));
            } else if (type == EntryLogFormat.FACTS) {
                facts++;
                visitor.facts(readFacts(at + EntryLogFormat.RECORD_HEADER_BYTES));
            }
            at = end(at);
        }
        whole = false;
    }

    private boolean isRecord(int at) {
        if (!EntryLogFormat.hasHeader(bytes, at, logId)) {
            return false;
        }
        int length = EntryLogFormat.bodyBytes(bytes, at);
        return length <= bytes.limit() - at - EntryLogFormat.RECORD_HEADER_BYTES
                && EntryLogFormat.crc(bytes, at)
                        == checksum.of(bytes, at + 4, EntryLogFormat.RECORD_HEADER_BYTES - 4 + length);
    }

    private int end(int at) {
        return at + EntryLogFormat.recordBytes(EntryLogFormat.bodyBytes(bytes, at));
    }

    private boolean readHeader(BookieId bookieId) {
        int body = EntryLogFormat.RECORD_HEADER_BYTES;
        if (EntryLogFormat.type(bytes, 0) != EntryLogFormat.HEADER
                || bytes.getInt(body) != EntryLogFormat.VERSION
                || bytes.getLong(body + 8) != bookieId.high()
                || bytes.getLong(body + 16) != bookieId.low()) {
            return false;
        }
        previousLogId = bytes.getInt(body + 24);
        return true;
    }

    private boolean counts(int at, int entries, int facts) {
        int body = at + EntryLogFormat.RECORD_HEADER_BYTES;
        return bytes.getInt(body) == entries && bytes.getInt(body + 4) == facts;
    }

    private LedgerFacts readFacts(int body) {
        return LedgerFacts.ofFlags(
                bytes.getLong(body), bytes.getLong(body + 8), bytes.getLong(body + 16), bytes.getLong(body + 24));
    }
}
