// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An entry that was read and checked.
 *
 * @param firstSequenceId sequence id of its first record
 * @param records at least one, in order. Their payloads share one copy of the entry's bytes
 */
public record StreamEntry(long firstSequenceId, List<PositionedRecord> records) {
    /**
     * Decodes what is readable in {@code payload}, without moving its reader index: entry {@code entryId} of the segment numbered {@code segment}.
     *
     * @throws DamagedEntryException when it is not a whole entry of a known version
     */
    public static StreamEntry decode(long segment, long entryId, ByteBuf payload) {
        ByteBuf in = payload.duplicate();
        if (in.readableBytes() < 2) {
            throw new DamagedEntryException("it has " + in.readableBytes() + " bytes");
        }
        int version = in.readUnsignedByte();
        if (version != EntryFormat.VERSION) {
            throw new DamagedEntryException("its format version is " + version + "; this program reads version "
                    + EntryFormat.VERSION + " (use a newer one)");
        }
        EntryCodec codec = EntryCodec.ofFlags(in.readUnsignedByte());
        return decodeBody(
                new DLSN(segment, entryId, 0),
                codec == EntryCodec.NONE ? in : Unpooled.wrappedBuffer(codec.readBody(in)));
    }

    private static StreamEntry decodeBody(DLSN first, ByteBuf in) {
        long firstSequenceId = EntryFormat.readNumber(in);
        long count = EntryFormat.readNumber(in);
        if (firstSequenceId < 0 || count < 1 || count > in.readableBytes() / 2) {
            throw new DamagedEntryException("it tells of " + count + " records from sequence id " + firstSequenceId
                    + " on in " + in.readableBytes() + " bytes");
        }
        return new StreamEntry(firstSequenceId, decodeRecords(first, firstSequenceId, (int) count, in));
    }

    private static List<PositionedRecord> decodeRecords(DLSN first, long firstSequenceId, int count, ByteBuf in) {
        byte[] bytes = new byte[in.readableBytes()];
        in.getBytes(in.readerIndex(), bytes);
        int start = in.readerIndex();
        List<PositionedRecord> records = new ArrayList<>(count);
        long transactionId = 0;
        for (int slot = 0; slot < count; slot++) {
            long step = EntryFormat.readNumber(in);
            long length = EntryFormat.readNumber(in);
            transactionId += step;
            if (step < 0 || transactionId < 0) {
                throw new DamagedEntryException("the transaction id of slot " + slot + " goes back");
            }
            if (length < 0 || length > in.readableBytes()) {
                throw new DamagedEntryException("slot " + slot + " has a length of " + length + " bytes where "
                        + in.readableBytes() + " are left");
            }
            ByteBuffer payload = ByteBuffer.wrap(bytes, in.readerIndex() - start, (int) length)
                    .slice();
            in.skipBytes((int) length);
            records.add(new PositionedRecord(
                    new DLSN(first.segment(), first.entry(), slot), firstSequenceId + slot, transactionId, payload));
        }
        if (in.isReadable()) {
            throw new DamagedEntryException(in.readableBytes() + " bytes follow its last record");
        }
        return Collections.unmodifiableList(records);
    }

    /** The sequence id that follows it. */
    public long nextSequenceId() {
        return firstSequenceId + records.size();
    }

    /** Its first record. */
    public PositionedRecord first() {
        return records.get(0);
    }

    /** Its last record. */
    public PositionedRecord last() {
        return records.get(records.size() - 1);
    }
}
