// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The end-to-end check of an entry: computed over its header and payload, stored between the two ({@link EntryLayout}).
 *
 * <p><i>Threading:</i> keeps state while it computes and uses the buffer's own view of its memory, so one instance and the buffers given to it belong
 * to one thread at a time.
 */
public abstract sealed class EntryDigest permits EntryDigest.Checksum, HmacSha256EntryDigest {
    EntryDigest() {}

    /** CRC-32C: finds damage. */
    public static EntryDigest crc32c() {
        return new Checksum();
    }

    /** HMAC-SHA-256 with the ledger's key, which must not be empty: finds forgery too. */
    public static EntryDigest hmacSha256(byte[] key) {
        return new HmacSha256EntryDigest(key);
    }

    /** Bytes of the digest. */
    public abstract int bytes();

    /** Where the payload begins in an entry. */
    public final int payloadIndex() {
        return EntryLayout.HEADER_BYTES + bytes();
    }

    /** Computes the digest of the entry from {@code start} to the writer index, whose header and payload are in place, and puts it into place. */
    public final void write(ByteBuf entry, int start) {
        int entryBytes = entry.writerIndex() - start;
        if (entryBytes < payloadIndex()) {
            throw new IllegalArgumentException("an entry of " + entryBytes + " bytes has no room for its digest");
        }
        compute(entry, start, entryBytes);
        store(entry, start + EntryLayout.HEADER_BYTES);
    }

    /** Whether the entry from reader to writer index is whole and has the digest of its bytes. Moves no index. */
    public final boolean verify(ByteBuf entry) {
        return verify(entry, entry.readerIndex(), entry.readableBytes());
    }

    /** Whether the entry of {@code entryBytes} from {@code start} is whole and has the digest of its bytes. Moves no index. */
    public final boolean verify(ByteBuf entry, int start, int entryBytes) {
        if (entryBytes < payloadIndex()) {
            return false;
        }
        compute(entry, start, entryBytes);
        return matches(entry, start + EntryLayout.HEADER_BYTES);
    }

    private void compute(ByteBuf entry, int start, int entryBytes) {
        reset();
        update(entry, start, EntryLayout.HEADER_BYTES);
        int payloadBytes = entryBytes - payloadIndex();
        if (payloadBytes > 0) {
            update(entry, start + payloadIndex(), payloadBytes);
        }
    }

    private void update(ByteBuf entry, int index, int length) {
        if (entry.hasArray()) {
            update(entry.array(), entry.arrayOffset() + index, length);
        } else if (entry.nioBufferCount() == 1) {
            update(entry.internalNioBuffer(index, length));
        } else {
            for (ByteBuffer part : entry.nioBuffers(index, length)) {
                update(part);
            }
        }
    }

    abstract void reset();

    abstract void update(byte[] bytes, int offset, int length);

    abstract void update(ByteBuffer bytes);

    /** Puts what was computed to {@code at}. */
    abstract void store(ByteBuf entry, int at);

    /** Whether what was computed stands at {@code at}. */
    abstract boolean matches(ByteBuf entry, int at);

    /** The CRC-32C, as a little-endian number. */
    static final class Checksum extends EntryDigest {
        private final CRC32C crc = new CRC32C();

        @Override
        public int bytes() {
            return Integer.BYTES;
        }

        @Override
        void reset() {
            crc.reset();
        }

        @Override
        void update(byte[] bytes, int offset, int length) {
            crc.update(bytes, offset, length);
        }

        @Override
        void update(ByteBuffer bytes) {
            crc.update(bytes);
        }

        @Override
        void store(ByteBuf entry, int at) {
            entry.setIntLE(at, (int) crc.getValue());
        }

        @Override
        boolean matches(ByteBuf entry, int at) {
            return entry.getIntLE(at) == (int) crc.getValue();
        }
    }
}
