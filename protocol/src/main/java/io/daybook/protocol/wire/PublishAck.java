// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.daybook.protocol.StatusCode;
import io.netty.buffer.ByteBuf;

/**
 * Answer to a publish: {@link MessageType#PUBLISH_ACK}.
 *
 * <p>Layout (little-endian): request id 8, ledger id 8, status 2, flags 2, reserved 4.
 */
public record PublishAck(long requestId, long ledgerId, StatusCode status) {
    /** Bytes of the whole frame. */
    public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 24;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        MessageType.PUBLISH_ACK.writePrefix(out);
        out.writeLongLE(requestId);
        out.writeLongLE(ledgerId);
        out.writeShortLE(status.number());
        out.writeShortLE(0);
        out.writeIntLE(0);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static PublishAck read(ByteBuf frame) {
        WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "publish ack");
        int at = frame.readerIndex() + MessageType.PREFIX_BYTES;
        return new PublishAck(
                frame.getLongLE(at), frame.getLongLE(at + 8), StatusCode.of(frame.getUnsignedShortLE(at + 16)));
    }
}
