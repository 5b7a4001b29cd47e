// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.description;

import io.daybook.protocol.wire.BadFrameException;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.WireBytes;
import io.netty.buffer.ByteBuf;

/**
 * Asks a bookie what it knows of itself: {@link MessageType#DESCRIBE}. Sent only on a link whose hello offered {@link #FEATURE} and was answered with it.
 *
 * <p>Layout (little-endian): request id 8.
 */
public record DescribeRequest(long requestId) {
    /** The bit of a hello's features that says that the sender may ask this, and of the answer that it will be answered. */
    public static final long FEATURE = 1;

    /** Bytes of the whole frame. */
    public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 8;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        MessageType.DESCRIBE.writePrefix(out);
        out.writeLongLE(requestId);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static DescribeRequest read(ByteBuf frame) {
        WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "question what a bookie is");
        return new DescribeRequest(frame.getLongLE(frame.readerIndex() + MessageType.PREFIX_BYTES));
    }
}
