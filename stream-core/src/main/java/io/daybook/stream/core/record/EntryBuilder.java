// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Gathers the records of one entry and encodes them. */
public final class EntryBuilder {
    /** A smaller body is not worth the work. */
    private static final int COMPRESSED_BYTES_MIN = 64;

    private static final int LENGTH_BYTES_MAX = 5;

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

    /** Encodes the entry into a new buffer, which the caller owns; there is at least one record. It is compressed when that makes it smaller. */
    public ByteBuf encode(long firstSequenceId, EntryCodec codec) {
        ByteBuf plain = PooledByteBufAllocator.DEFAULT.directBuffer(bytesMax);
        try {
            encodePlain(firstSequenceId, plain);
            return compressed(plain, codec);
        } catch (RuntimeException | Error failure) {
            plain.release();
            throw failure;
        }
    }

    private static ByteBuf compressed(ByteBuf plain, EntryCodec codec) {
        int bodyBytes = plain.readableBytes() - EntryFormat.FLAGS_END;
        if (codec == EntryCodec.NONE || bodyBytes < COMPRESSED_BYTES_MIN) {
            return plain;
        }
        byte[] body = new byte[bodyBytes];
        plain.getBytes(EntryFormat.FLAGS_END, body);
        byte[] compressed = codec.compressIfPossible(body);
        if (compressed.length + LENGTH_BYTES_MAX >= bodyBytes) {
            return plain;
        }
        plain.clear();
        plain.writeByte(EntryFormat.VERSION);
        plain.writeByte(codec.number());
        EntryFormat.writeNumber(plain, bodyBytes);
        return plain.writeBytes(compressed);
    }

    private void encodePlain(long firstSequenceId, ByteBuf out) {
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
    }
}
