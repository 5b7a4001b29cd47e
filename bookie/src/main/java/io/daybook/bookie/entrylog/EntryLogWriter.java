// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.Faults;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes one entry log, in durable writes of the size of its chunk. While a bookie serves that is {@link #CHUNK_BYTES}: the device is never given more at once, so that
 * journal commits do not wait behind a burst.
 *
 * <p><i>Threading:</i> blocks; the storage loop. Every method throws {@link io.daybook.runtime.DiskException}.
 */
public final class EntryLogWriter implements AutoCloseable {
    /** Bytes of one write. */
    public static final int CHUNK_BYTES = 256 * 1024;

    private final DiskFile file;
    private final int logId;
    private final int blockBytes;
    private final ByteBuffer chunk;
    private final ByteBuffer header =
            ByteBuffer.allocate(EntryLogFormat.RECORD_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer small = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    private final Checksum checksum = new Checksum();
    private long writtenBytes;
    private int entries;
    private int facts;
    private Faults faults = Faults.NONE;

    private EntryLogWriter(Disk disk, DiskFile file, int logId, ByteBuffer chunk) {
        this.file = file;
        this.logId = logId;
        this.blockBytes = disk.blockBytes();
        this.chunk = chunk;
        chunk.clear();
    }

    /** Memory for {@link #create}: one at a time may use it. */
    public static ByteBuffer newChunk(Disk disk) {
        return newChunk(disk, CHUNK_BYTES);
    }

    /** As {@link #newChunk(Disk)}, of so many bytes, a multiple of {@link #CHUNK_BYTES}, or of one block where that is more. */
    public static ByteBuffer newChunk(Disk disk, int bytes) {
        int block = disk.blockBytes();
        int whole = Math.max(bytes, block);
        return ByteBuffer.allocateDirect(whole + block - 1)
                .alignedSlice(block)
                .slice(0, whole)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Begins a log. Its name becomes durable with {@link Disk#syncDirectory}, which is the caller's business. */
    public static EntryLogWriter create(Disk disk, int logId, int previousLogId, BookieId bookieId, ByteBuffer chunk) {
        String name = EntryLogFormat.name(logId);
        disk.open(name, Disk.OpenMode.CREATE_NEW).close();
        EntryLogWriter writer =
                new EntryLogWriter(disk, disk.open(name, Disk.OpenMode.READ_WRITE_DURABLE), logId, chunk);
        writer.small
                .clear()
                .putInt(EntryLogFormat.VERSION)
                .putInt(0)
                .putLong(bookieId.high())
                .putLong(bookieId.low())
                .putInt(previousLogId)
                .putInt(0);
        writer.append(EntryLogFormat.HEADER, writer.small, 0, EntryLogFormat.HEADER_BODY_BYTES);
        return writer;
    }

    /** Lets {@link Defects#WRONG_POSITION} be planted. */
    public void plant(Faults points) {
        faults = points;
    }

    /** Where the next record will begin. */
    public long position() {
        return writtenBytes + chunk.position();
    }

    /** Appends the entry that stands at {@code offset} of {@code source}, whose order is little-endian. */
    public void appendEntry(ByteBuffer source, int offset, int length) {
        entries++;
        append(EntryLogFormat.ENTRY, source, offset, length);
    }

    /** Appends the facts about a ledger. */
    public void appendFacts(LedgerFacts of) {
        facts++;
        small.clear()
                .putLong(of.ledgerId())
                .putLong(of.lastAddConfirmed())
                .putLong(of.lastEntryId())
                .putLong(of.flags());
        append(EntryLogFormat.FACTS, small, 0, EntryLogFormat.FACTS_BODY_BYTES);
    }

    /** Ends the log: all its bytes are durable on return. */
    public void finish() {
        small.clear().putInt(entries).putInt(facts);
        append(EntryLogFormat.FOOTER, small, 0, EntryLogFormat.FOOTER_BODY_BYTES);
        while ((chunk.position() & (blockBytes - 1)) != 0) {
            chunk.putLong(0);
        }
        writeChunk();
        file.sync();
    }

    private void append(int type, ByteBuffer source, int offset, int length) {
        EntryLogFormat.writeHeader(header, type, length, logId);
        header.putInt(0, checksum.ofParts(header, EntryLogFormat.RECORD_HEADER_BYTES, source, offset, length));
        put(header, 0, EntryLogFormat.RECORD_HEADER_BYTES);
        put(source, offset, length);
        int padding = EntryLogFormat.recordBytes(length) - EntryLogFormat.RECORD_HEADER_BYTES - length;
        for (int i = 0; i < padding; i++) {
            chunk.put((byte) 0);
        }
        if (!chunk.hasRemaining()) {
            writeChunk();
        }
    }

    private void put(ByteBuffer source, int offset, int length) {
        int at = offset;
        int left = length;
        while (left > 0) {
            if (!chunk.hasRemaining()) {
                writeChunk();
            }
            int part = Math.min(left, chunk.remaining());
            chunk.put(chunk.position(), source, at, part);
            chunk.position(chunk.position() + part);
            at += part;
            left -= part;
        }
    }

    private void writeChunk() {
        if (chunk.position() == 0) {
            return;
        }
        int bytes = chunk.position();
        chunk.flip();
        write();
        writtenBytes += bytes;
        chunk.clear();
    }

    private void write() {
        try {
            file.write(writtenBytes, chunk);
        } catch (DiskException failure) {
            if (!faults.at(Defects.WRONG_POSITION)) {
                throw failure;
            }
        }
    }

    /** Releases the file. */
    @Override
    public void close() {
        file.close();
    }
}
