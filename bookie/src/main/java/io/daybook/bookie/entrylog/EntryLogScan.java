// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
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
    private static final int WINDOW_BYTES = 1024 * 1024;

    private final Checksum checksum = new Checksum();
    private final int logId;
    private final DiskFile file;
    private final long size;

    /** Part of the file, from position {@code base} on. */
    private ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES).limit(0).order(ByteOrder.LITTLE_ENDIAN);

    private long base;
    private int previousLogId = EntryLogFormat.NO_LOG;
    private boolean whole;

    private EntryLogScan(int logId, DiskFile file) {
        this.logId = logId;
        this.file = file;
        this.size = file.size();
    }

    /** Scans a log; throws {@link io.daybook.runtime.DiskException} when it cannot be read. */
    public static EntryLogScan of(Disk disk, int logId, BookieId bookieId, EntryLogVisitor visitor) {
        try (DiskFile file = disk.open(EntryLogFormat.name(logId), Disk.OpenMode.READ_ONLY)) {
            EntryLogScan scan = new EntryLogScan(logId, file);
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
        long at = headed ? end(0) : 0;
        int entries = 0;
        int facts = 0;
        while (at < size) {
            if (!isRecord(at)) {
                whole = false;
                at += Long.BYTES;
                continue;
            }
            int index = (int) (at - base);
            int type = EntryLogFormat.type(window, index);
            if (type == EntryLogFormat.FOOTER) {
                whole &= counts(index, entries, facts);
                return;
            }
            if (EntryLogFormat.canBeEntry(window, index)) {
                entries++;
                visitor.entry(
                        EntryLogFormat.ledgerId(window, index), EntryLogFormat.entryId(window, index), at, end(at));
            } else if (type == EntryLogFormat.FACTS) {
                facts++;
                visitor.facts(readFacts(index + EntryLogFormat.RECORD_HEADER_BYTES));
            }
            at = end(at);
        }
        whole = false;
    }

    /** Whether a whole, undamaged record stands at a position; the window holds it then. */
    private boolean isRecord(long at) {
        if (size - at < EntryLogFormat.RECORD_HEADER_BYTES || !isInWindow(at, EntryLogFormat.RECORD_HEADER_BYTES)) {
            return false;
        }
        int index = (int) (at - base);
        if (!EntryLogFormat.hasHeader(window, index, logId)) {
            return false;
        }
        int length = EntryLogFormat.bodyBytes(window, index);
        int bytes = EntryLogFormat.RECORD_HEADER_BYTES + length;
        if (length > Limits.ENTRY_BYTES_MAX || bytes > size - at || !isInWindow(at, bytes)) {
            return false;
        }
        int moved = (int) (at - base);
        return EntryLogFormat.crc(window, moved) == checksum.of(window, moved + 4, bytes - 4);
    }

    /** Moves the window, if need be, so that it holds these bytes; false when the file does not have them. */
    private boolean isInWindow(long at, int bytes) {
        if (at >= base && at + bytes <= base + window.limit()) {
            return true;
        }
        if (window.capacity() < bytes) {
            window = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        window.clear();
        base = at;
        file.read(at, window);
        window.flip();
        return window.limit() >= bytes;
    }

    private long end(long at) {
        return at + EntryLogFormat.recordBytes(EntryLogFormat.bodyBytes(window, (int) (at - base)));
    }

    private boolean readHeader(BookieId bookieId) {
        int body = EntryLogFormat.RECORD_HEADER_BYTES;
        if (EntryLogFormat.type(window, 0) != EntryLogFormat.HEADER
                || window.getInt(body) != EntryLogFormat.VERSION
                || window.getLong(body + 8) != bookieId.high()
                || window.getLong(body + 16) != bookieId.low()) {
            return false;
        }
        previousLogId = window.getInt(body + 24);
        return true;
    }

    private boolean counts(int at, int entries, int facts) {
        int body = at + EntryLogFormat.RECORD_HEADER_BYTES;
        return window.getInt(body) == entries && window.getInt(body + 4) == facts;
    }

    private LedgerFacts readFacts(int body) {
        return LedgerFacts.ofFlags(
                window.getLong(body), window.getLong(body + 8), window.getLong(body + 16), window.getLong(body + 24));
    }
}
