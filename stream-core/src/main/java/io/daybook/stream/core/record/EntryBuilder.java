// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Gathers the records of one entry and encodes them. */
public final class EntryBuilder {
    private final List<RecordBytes> records = new ArrayList<>();
    private int bytesMax = EntryFormat.HEADER_BYTES_MAX;

    /** Adds a record behind those already there. */
    public void add(RecordBytes record) {
        records.add(record);
        bytesMax += record.encodedBytesMax();
    }

    /** Records so far. */
    public int count() {
        return records.size();
    }

    /** Bytes of the entry, at most. */
    public int bytesMax() {
        return bytesMax;
    }

    /** Encodes the entry into a new buffer, which the caller owns; there is at least one record. */
    public ByteBuf encode(long firstSequenceId) {
        ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(bytesMax);
        out.writeByte(EntryFormat.VERSION);
        out.writeByte(0);
        EntryFormat.writeNumber(out, firstSequenceId);
        EntryFormat.writeNumber(out, records.size());
        long transactionId = 0;
        for (RecordBytes record : records) {
            EntryFormat.writeNumber(out, record.transactionId() - transactionId);
            EntryFormat.writeNumber(out, record.payload().length);
            out.writeBytes(record.payload());
            transactionId = record.transactionId();
        }
        return out;
    }
}
