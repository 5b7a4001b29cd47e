// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC32C over parts of buffers, without allocation.
 *
 * <p><i>Threading:</i> an instance and the buffers given to it belong to one loop: a call moves the buffer's position and limit and puts them back.
 */
public final class Checksum {
    private final CRC32C crc = new CRC32C();

    /** The checksum of {@code length} bytes from {@code offset} on. */
    public int of(ByteBuffer bytes, int offset, int length) {
        crc.reset();
        update(bytes, offset, length);
        return (int) crc.getValue();
    }

    /** The checksum of two parts, one after the other. */
    public int ofParts(ByteBuffer head, int headLength, ByteBuffer body, int offset, int length) {
        crc.reset();
        update(head, 4, headLength - 4);
        update(body, offset, length);
        return (int) crc.getValue();
    }

    private void update(ByteBuffer bytes, int offset, int length) {
        int limit = bytes.limit();
        int position = bytes.position();
        bytes.limit(offset + length).position(offset);
        crc.update(bytes);
        bytes.limit(limit).position(position);
    }
}
