// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.netty.buffer.ByteBuf;

/**
 * Asks for the sync of what was added to a ledger with {@link AddRequest#FLAG_DEFERRED} on the same link before: {@link MessageType#FORCE}. It has no answer of
 * its own and promises nothing: the acknowledgements of the adds follow.
 *
 * <p>Layout (little-endian): ledger id 8, flags 4, reserved 4.
 */
public record ForceRequest(long ledgerId) {
    /** Bytes of the whole frame. */
    public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 16;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        MessageType.FORCE.writePrefix(out);
        out.writeLongLE(ledgerId);
        out.writeLongLE(0);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static ForceRequest read(ByteBuf frame) {
        WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "force");
        ForceRequest request = new ForceRequest(frame.getLongLE(frame.readerIndex() + MessageType.PREFIX_BYTES));
        if (request.ledgerId < 0) {
            throw new BadFrameException("a force of ledger " + request.ledgerId);
        }
        return request;
    }
}
