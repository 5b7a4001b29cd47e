// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.netty.buffer.ByteBuf;

/**
 * Fences a ledger: {@link MessageType#FENCE}. The answer leaves only when the fence is durable.
 *
 * <p>Layout (little-endian): request id 8, ledger id 8, flags 4, time-out in milliseconds 4.
 */
public record FenceRequest(long requestId, long ledgerId, int flags, int timeoutMillis) {
    /** Bytes of the whole frame. */
    public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 24;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        MessageType.FENCE.writePrefix(out);
        out.writeLongLE(requestId);
        out.writeLongLE(ledgerId);
        out.writeIntLE(flags);
        out.writeIntLE(timeoutMillis);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static FenceRequest read(ByteBuf frame) {
        WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "fence");
        int at = frame.readerIndex() + MessageType.PREFIX_BYTES;
        FenceRequest request = new FenceRequest(
                frame.getLongLE(at), frame.getLongLE(at + 8), frame.getIntLE(at + 16), frame.getIntLE(at + 20));
        if (request.ledgerId < 0) {
            throw new BadFrameException("a fence of ledger " + request.ledgerId);
        }
        return request;
    }
}
