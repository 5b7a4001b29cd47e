// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.netty.buffer.ByteBuf;

/**
 * The writer's last add confirmed, told when no further entry would carry it: {@link MessageType#PUBLISH}. Sent on the append link, journaled by
 * the bookie, refused by a fenced ledger.
 *
 * <p>Layout (little-endian): request id 8, ledger id 8, last add confirmed 8, flags 4, time-out in milliseconds 4.
 */
public record PublishRequest(long requestId, long ledgerId, long lastAddConfirmed, int timeoutMillis) {
    /** Bytes of the whole frame. */
    public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 32;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        MessageType.PUBLISH.writePrefix(out);
        out.writeLongLE(requestId);
        out.writeLongLE(ledgerId);
        out.writeLongLE(lastAddConfirmed);
        out.writeIntLE(0);
        out.writeIntLE(timeoutMillis);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static PublishRequest read(ByteBuf frame) {
        WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "publish");
        int at = frame.readerIndex() + MessageType.PREFIX_BYTES;
        PublishRequest request = new PublishRequest(
                frame.getLongLE(at), frame.getLongLE(at + 8), frame.getLongLE(at + 16), frame.getIntLE(at + 28));
        if (request.ledgerId < 0 || request.lastAddConfirmed < 0) {
            throw new BadFrameException("a publish of entry " + request.lastAddConfirmed);
        }
        return request;
    }
}
