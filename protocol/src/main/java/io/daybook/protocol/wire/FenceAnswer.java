// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.daybook.protocol.StatusCode;
import io.netty.buffer.ByteBuf;

/**
 * Answer to a fence: {@link MessageType#FENCE_ANSWER}.
 *
 * <p>Layout (little-endian): request id 8, ledger id 8, last add confirmed 8, last entry id 8, status 2, flags 2, reserved 4.
 *
 * @param lastAddConfirmed the highest last add confirmed this bookie knows, -1 for none
 * @param lastEntryId the highest entry id it holds, -1 for none
 * @param status {@link StatusCode#OK} when the fence is durable
 */
public record FenceAnswer(long requestId, long ledgerId, long lastAddConfirmed, long lastEntryId, StatusCode status) {
    /** Bytes of the whole frame. */
    public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 40;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        MessageType.FENCE_ANSWER.writePrefix(out);
        out.writeLongLE(requestId);
        out.writeLongLE(ledgerId);
        out.writeLongLE(lastAddConfirmed);
        out.writeLongLE(lastEntryId);
        out.writeShortLE(status.number());
        out.writeShortLE(0);
        out.writeIntLE(0);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static FenceAnswer read(ByteBuf frame) {
        WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "fence answer");
        int at = frame.readerIndex() + MessageType.PREFIX_BYTES;
        return new FenceAnswer(
                frame.getLongLE(at),
                frame.getLongLE(at + 8),
                frame.getLongLE(at + 16),
                frame.getLongLE(at + 24),
                StatusCode.of(frame.getUnsignedShortLE(at + 32)));
    }
}
