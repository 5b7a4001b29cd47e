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
public final class EntryLogScan implements AutoCloseable {
    private static final int WINDOW_BYTES = 1024 * 1024;

    private final Checksum checksum = new Checksum();
    private final int logId;
    private final BookieId bookieId;
    private final EntryLogVisitor visitor;
    private final DiskFile file;
    private final long size;

    /** Part of the file, from position {@code base} on. */
    private ByteBuffer window;

    private long base;
    private long at;
    private int entries;
    private int facts;
    private int previousLogId = EntryLogFormat.NO_LOG;
    private boolean isBegun;
    private boolean isAfterDamage;
    private boolean whole;

    private EntryLogScan(int logId, BookieId bookieId, DiskFile file, EntryLogVisitor visitor, ByteBuffer memory) {
        this.logId = logId;
        this.bookieId = bookieId;
        this.visitor = visitor;
        this.file = file;
        this.size = file.size();
        this.window = memory.clear().limit(0).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Scans a log; throws {@link io.daybook.runtime.DiskException} when it cannot be read. */
    public static EntryLogScan of(Disk disk, int logId, BookieId bookieId, EntryLogVisitor visitor) {
        try (EntryLogScan scan = begin(disk, logId, bookieId, visitor, newMemory(WINDOW_BYTES))) {
            boolean isDone;
            do {
                isDone = scan.scanSome(Long.MAX_VALUE);
            } while (!isDone);
            return scan;
        }
    }

    /** Memory for {@link #begin}. */
    public static ByteBuffer newMemory(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    /**
     * Begins a scan that is made piece by piece; throws {@link io.daybook.runtime.DiskException} when the log cannot be opened.
     *
     * @param memory as much is read at once, unless a record is longer; one scan at a time may use it
     */
    public static EntryLogScan begin(
            Disk disk, int logId, BookieId bookieId, EntryLogVisitor visitor, ByteBuffer memory) {
        DiskFile file = disk.open(EntryLogFormat.name(logId), Disk.OpenMode.READ_ONLY);
        try {
            return new EntryLogScan(logId, bookieId, file, visitor, memory);
        } catch (RuntimeException failure) {
            file.close();
            throw failure;
        }
    }

    /** The log written before this one, {@link EntryLogFormat#NO_LOG} when there was none or the header is damaged. */
    public int previousLogId() {
        return previousLogId;
    }

    /** Whether every record, from header to footer, was there and undamaged; once all is scanned. */
    public boolean isWhole() {
        return whole;
    }

    /** Bytes of the log. */
    public long bytes() {
        return size;
    }

    /** Up to where the log is scanned. */
    public long position() {
        return at;
    }

    /**
     * Scans about that many bytes more; throws {@link io.daybook.runtime.DiskException} when the log cannot be read.
     *
     * @return whether all is scanned
     */
    public boolean scanSome(long bytes) {
        long until = bytes > size - at ? size : at + bytes;
        if (!isBegun) {
            isBegun = true;
            whole = isRecord(0) && readHeader();
            at = whole ? end(0) : 0;
            damagedUnless(whole);
        }
        while (at < size) {
            if (!isRecord(at)) {
                whole = false;
                damagedUnless(false);
                at += Long.BYTES;
            } else if (take((int) (at - base))) {
                return true;
            }
            if (at >= until && at < size) {
                return false;
            }
        }
        whole = false;
        damagedUnless(false);
        return true;
    }

    private void damagedUnless(boolean isSound) {
        if (!isSound && !isAfterDamage) {
            visitor.damaged(at);
        }
        isAfterDamage = !isSound;
    }

    /** Tells the record at an index of the window; whether it was the footer. */
    private boolean take(int index) {
        int type = EntryLogFormat.type(window, index);
        if (type == EntryLogFormat.FOOTER) {
            boolean isComplete = counts(index, entries, facts);
            // What is missing was told where it was missed, unless nothing of it is there.
            if (!isComplete && whole) {
                visitor.damaged(at);
            }
            whole &= isComplete;
            return true;
        }
        damagedUnless(true);
        if (EntryLogFormat.canBeEntry(window, index)) {
            entries++;
            visitor.entry(EntryLogFormat.ledgerId(window, index), EntryLogFormat.entryId(window, index), at, end(at));
        } else if (type == EntryLogFormat.FACTS) {
            facts++;
            visitor.facts(readFacts(index + EntryLogFormat.RECORD_HEADER_BYTES));
        }
        at = end(at);
        return false;
    }

    /** Whether a whole, undamaged record stands at a position; the window holds it then. */
    private boolean isRecord(long position) {
        if (size - position < EntryLogFormat.RECORD_HEADER_BYTES
                || !isInWindow(position, EntryLogFormat.RECORD_HEADER_BYTES)) {
            return false;
        }
        int index = (int) (position - base);
        if (!EntryLogFormat.hasHeader(window, index, logId)) {
            return false;
        }
        int length = EntryLogFormat.bodyBytes(window, index);
        int bytes = EntryLogFormat.RECORD_HEADER_BYTES + length;
        if (length > Limits.ENTRY_BYTES_MAX || bytes > size - position || !isInWindow(position, bytes)) {
            return false;
        }
        int moved = (int) (position - base);
        return EntryLogFormat.crc(window, moved) == checksum.of(window, moved + 4, bytes - 4);
    }

    /** Moves the window, if need be, so that it holds these bytes; false when the file does not have them. */
    private boolean isInWindow(long position, int bytes) {
        if (position >= base && position + bytes <= base + window.limit()) {
            return true;
        }
        if (window.capacity() < bytes) {
            window = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        window.clear();
        base = position;
        file.read(position, window);
        window.flip();
        return window.limit() >= bytes;
    }

    private long end(long position) {
        return position + EntryLogFormat.recordBytes(EntryLogFormat.bodyBytes(window, (int) (position - base)));
    }

    private boolean readHeader() {
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

    private boolean counts(int index, int entriesTold, int factsTold) {
        int body = index + EntryLogFormat.RECORD_HEADER_BYTES;
        return window.getInt(body) == entriesTold && window.getInt(body + 4) == factsTold;
    }

    private LedgerFacts readFacts(int body) {
        return LedgerFacts.ofFlags(
                window.getLong(body), window.getLong(body + 8), window.getLong(body + 16), window.getLong(body + 24));
    }

    /** Releases the file. */
    @Override
    public void close() {
        file.close();
    }
}
