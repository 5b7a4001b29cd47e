// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.daybook.protocol.StatusCode;
import io.netty.buffer.ByteBuf;

/**
 * The outcome of consecutive adds of one handle: one {@link MessageType#ADD_ACK} frame per commit, handle and run of ids with the same status.
 *
 * <p>Layout (little-endian): ledger id 8, first entry id 8, count 4, handle 4, status 2, flags 2 (those of the adds), reserved 4.
 *
 * @param count entries from {@code firstEntryId} on, at least 1
 * @param handle the number that the adds carried
 * @param flags the flags that the adds carried
 */
public record AddAck(long ledgerId, long firstEntryId, int count, int handle, int flags, StatusCode status) {
    /** Bytes of the whole frame. */
    public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 32;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        MessageType.ADD_ACK.writePrefix(out);
        out.writeLongLE(ledgerId);
        out.writeLongLE(firstEntryId);
        out.writeIntLE(count);
        out.writeIntLE(handle);
        out.writeShortLE(status.number());
        out.writeShortLE(flags);
        out.writeIntLE(0);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static AddAck read(ByteBuf frame) {
        WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "add ack");
        int at = frame.readerIndex() + MessageType.PREFIX_BYTES;
        AddAck ack = new AddAck(
                frame.getLongLE(at),
                frame.getLongLE(at + 8),
                frame.getIntLE(at + 16),
                frame.getIntLE(at + 20),
                frame.getUnsignedShortLE(at + 26),
                StatusCode.of(frame.getUnsignedShortLE(at + 24)));
        if (ack.count < 1 || ack.firstEntryId < 0 || ack.firstEntryId > Long.MAX_VALUE - ack.count) {
            throw new BadFrameException("an add ack of " + ack.count + " entries from " + ack.firstEntryId);
        }
        return ack;
    }
}
