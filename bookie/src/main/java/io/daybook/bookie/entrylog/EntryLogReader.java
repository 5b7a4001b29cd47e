// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.runtime.DiskFile;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies runs of entries out of entry logs, each as a 4-byte length and its bytes, checking checksum and identity of every one (B5).
 *
 * <p><i>Threading:</i> blocks; one loop per instance.
 */
public final class EntryLogReader {
    /** Bytes that one device read asks for at most, unless a single record is longer. */
    public static final int UNIT_BYTES = 1024 * 1024;

    /** Bytes of a run that can be right: one unit, or one entry of the largest size. */
    public static final int RUN_BYTES_MAX = Math.max(UNIT_BYTES, EntryLogFormat.recordBytes(Limits.ENTRY_BYTES_MAX));

    /** Of an entry's length, which stands before it in a record as in an answer. */
    private static final int LENGTH_BYTES = 4;

    private final Checksum checksum = new Checksum();
    private StatusCode status = StatusCode.OK;
    private ByteBuffer unit = ByteBuffer.allocateDirect(64 * 1024).order(ByteOrder.LITTLE_ENDIAN);

    /** {@code count} records of one ledger with consecutive entry ids, between two positions as a row of the index tells them, which may be wrong. */
    public record Run(int logId, long ledgerId, long firstEntryId, int count, long position, long end) {}

    /** What {@link #copy} appends of an entry at most whose record takes so many bytes, up to {@link #RUN_BYTES_MAX}. */
    public static int copyBytesMax(int recordBytes) {
        return recordBytes - EntryLogFormat.RECORD_HEADER_BYTES + LENGTH_BYTES;
    }

    /**
     * Appends the entries of a run to {@code out}.
     *
     * @param emptyBytes readable bytes of {@code out} before any entry was appended
     * @return how many were appended: fewer than the run holds when {@code outBytesMax} readable bytes are reached (a first entry is appended
     *     whatever its size) or a record is damaged, which {@link #status} tells
     */
    public int copy(DiskFile file, Run run, ByteBuf out, int emptyBytes, int outBytesMax) {
        status = StatusCode.OK;
        int bytes = (int) Math.min(run.end() - run.position(), Integer.MAX_VALUE / 2);
        if (unit.capacity() < bytes) {
            unit = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        unit.clear().limit(bytes);
        file.read(run.position(), unit);
        unit.flip();
        int at = 0;
        int count = 0;
        while (count < run.count() && at < unit.limit() && run.position() + at < run.end()) {
            if (!isEntry(at, run, run.firstEntryId() + count)) {
                status = StatusCode.CORRUPT;
                return count;
            }
            int length = EntryLogFormat.bodyBytes(unit, at);
            if (out.readableBytes() + LENGTH_BYTES + length > outBytesMax && out.readableBytes() > emptyBytes) {
                return count;
            }
            int body = at + EntryLogFormat.RECORD_HEADER_BYTES;
            int limit = unit.limit();
            out.writeBytes(unit.limit(body + length).position(body - LENGTH_BYTES));
            unit.limit(limit).position(0);
            count++;
            at += EntryLogFormat.recordBytes(length);
        }
        if (count == 0) {
            status = StatusCode.CORRUPT;
        }
        return count;
    }

    /** Why the last {@link #copy} ended early: {@link StatusCode#CORRUPT} or {@link StatusCode#OK}. */
    public StatusCode status() {
        return status;
    }

    private boolean isEntry(int at, Run run, long entryId) {
        if (!EntryLogFormat.hasHeader(unit, at, run.logId()) || !EntryLogFormat.canBeEntry(unit, at)) {
            return false;
        }
        int length = EntryLogFormat.bodyBytes(unit, at);
        return length <= unit.limit() - at - EntryLogFormat.RECORD_HEADER_BYTES
                && EntryLogFormat.ledgerId(unit, at) == run.ledgerId()
                && EntryLogFormat.entryId(unit, at) == entryId
                && EntryLogFormat.crc(unit, at)
                        == checksum.of(unit, at + 4, EntryLogFormat.RECORD_HEADER_BYTES - 4 + length);
    }
}
