// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.check;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The identity of one appended payload: who wrote it, the how-manieth it was, and a checksum of all its bytes. No two appends of a history have the same.
 *
 * @param session who wrote it: the letters, digits and signs of a file name
 * @param counter counts the appends of the session, from 0
 * @param crc CRC-32C of the whole payload
 */
public record Value(String session, long counter, int crc) {
    private static final int HEAD_BYTES = Long.BYTES + Short.BYTES;
    private static final String DAMAGED = "?";

    /** A payload that carries its session and counter, then {@code fillBytes} bytes that depend on both. */
    public static ByteBuf payload(String session, long counter, int fillBytes) {
        byte[] name = session.getBytes(StandardCharsets.UTF_8);
        ByteBuf payload = Unpooled.buffer(HEAD_BYTES + name.length + fillBytes);
        payload.writeLong(counter).writeShort(name.length).writeBytes(name);
        long state = counter * 0x9E3779B97F4A7C15L + session.hashCode();
        for (int i = 0; i < fillBytes; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            payload.writeByte((int) (state >>> 56));
        }
        return payload;
    }

    /** The value of a payload, whatever became of its bytes. Moves no index. */
    public static Value of(ByteBuf payload) {
        int start = payload.readerIndex();
        int bytes = payload.readableBytes();
        byte[] copy = new byte[bytes];
        payload.getBytes(start, copy);
        CRC32C crc = new CRC32C();
        crc.update(copy, 0, bytes);
        if (bytes < HEAD_BYTES) {
            return new Value(DAMAGED, -1, (int) crc.getValue());
        }
        int nameBytes = payload.getUnsignedShort(start + Long.BYTES);
        if (bytes < HEAD_BYTES + nameBytes) {
            return new Value(DAMAGED, -1, (int) crc.getValue());
        }
        String session = new String(copy, HEAD_BYTES, nameBytes, StandardCharsets.UTF_8);
        boolean plain = !session.isEmpty() && session.chars().allMatch(Value::isPlain);
        return new Value(plain ? session : DAMAGED, payload.getLong(start), (int) crc.getValue());
    }

    private static boolean isPlain(int character) {
        boolean isLetter = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
        boolean isDigit = character >= '0' && character <= '9';
        return isLetter || isDigit || "._-".indexOf(character) >= 0;
    }

    /** Reads the text form; throws {@link IllegalArgumentException} that names the text when it is not one. */
    public static Value parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + text + "' is not a value of the form session/counter/crc");
        }
        return new Value(parts[0], Long.parseLong(parts[1]), Integer.parseUnsignedInt(parts[2], 16));
    }

    @Override
    public String toString() {
        return session + '/' + counter + '/' + Integer.toHexString(crc);
    }
}
