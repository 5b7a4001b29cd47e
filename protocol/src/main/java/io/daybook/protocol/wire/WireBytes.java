// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.protocol.wire.tables.BadTableException;
import io.daybook.protocol.wire.tables.FlatBufferVerifier;
import io.daybook.protocol.wire.tables.TableShape;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;

/** Checks on frames before they are read, and the way of tables into and out of frames. */
public final class WireBytes {
    private WireBytes() {}

    /** Throws {@link BadFrameException} unless the frame has between {@code min} and {@code max} bytes. */
    public static void requireLength(ByteBuf frame, int min, int max, String what) {
        int length = frame.readableBytes();
        if (length < min || length > max) {
            throw new BadFrameException("the frame of a " + what + " has " + length + " bytes");
        }
    }

    /** Bytes of the table of a control message; more are refused before they are copied. */
    static final int TABLE_BYTES_MAX = 16 * 1024;

    /** Characters of a text in a control message; a longer one is cut by its sender. */
    static final int TEXT_CHARS_MAX = 1024;

    /** Writes a frame whose body is the table that {@code builder} ended with. */
    public static void writeTable(ByteBuf out, MessageType type, FlatBufferBuilder builder) {
        type.writePrefix(out);
        out.writeBytes(builder.dataBuffer());
    }

    /** The table of a frame, verified; throws {@link BadFrameException}. */
    static ByteBuffer readTable(ByteBuf frame, MessageType type, TableShape shape) {
        return readTable(frame, type, shape, TABLE_BYTES_MAX);
    }

    /** The table of a frame, of so many bytes at most, verified; throws {@link BadFrameException}. */
    public static ByteBuffer readTable(ByteBuf frame, MessageType type, TableShape shape, int bytesMax) {
        requireLength(frame, MessageType.PREFIX_BYTES, MessageType.PREFIX_BYTES + bytesMax, shape.name());
        if (MessageType.of(frame) != type) {
            throw new BadFrameException("the frame is not a " + shape.name());
        }
        byte[] table = ByteBufUtil.getBytes(
                frame,
                frame.readerIndex() + MessageType.PREFIX_BYTES,
                frame.readableBytes() - MessageType.PREFIX_BYTES);
        try {
            return FlatBufferVerifier.verified(ByteBuffer.wrap(table), shape);
        } catch (BadTableException bad) {
            throw new BadFrameException(shape.name() + ": " + bad.getMessage());
        }
    }

    /** The text, cut to {@link #TEXT_CHARS_MAX} without splitting a character. */
    public static String cut(String text) {
        if (text.length() <= TEXT_CHARS_MAX) {
            return text;
        }
        boolean splits = Character.isHighSurrogate(text.charAt(TEXT_CHARS_MAX - 1));
        return text.substring(0, splits ? TEXT_CHARS_MAX - 1 : TEXT_CHARS_MAX);
    }
}
