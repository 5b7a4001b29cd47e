// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.daybook.protocol.Limits;
import io.netty.buffer.ByteBuf;

/**
 * Asks a bookie for the entries of a ledger from one id on: {@link MessageType#READ}. The bookie answers with the run of consecutive entries that
 * it holds, cut at {@code countMax}, {@code bytesMax} (at least one entry is answered whatever its size) and, unless {@link #FLAG_UNCONFIRMED} is
 * set, at the last add confirmed it knows.
 *
 * <p>Layout (little-endian): request id 8, ledger id 8, first entry id 8, count 4, bytes 4, flags 4, wait 4 and time-out 4 in milliseconds,
 * reserved 4.
 *
 * @param requestId chosen by the sender, carried back by the answer
 * @param waitMillis with {@link #FLAG_WAIT}: how long the bookie may hold the request until the first entry is there and confirmed
 * @param timeoutMillis how long the sender will wait for the answer; 0 for no bound
 */
public record ReadRequest(
        long requestId,
        long ledgerId,
        long firstEntryId,
        int countMax,
        int bytesMax,
        int flags,
        int waitMillis,
        int timeoutMillis) {
    /** Fence the ledger before answering (recovery). The answer leaves only when the fence is durable. Always set together with {@link #FLAG_UNCONFIRMED}. */
    public static final int FLAG_FENCE = 1;

    /** Do not stop at the last add confirmed. */
    public static final int FLAG_UNCONFIRMED = 2;

    /** Tail read: hold the request until the first entry can be answered, {@code waitMillis} have passed or the ledger is fenced. */
    public static final int FLAG_WAIT = 4;

    /** Bytes of the whole frame. */
    public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 48;

    /** Whether a flag is set. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        MessageType.READ.writePrefix(out);
        out.writeLongLE(requestId);
        out.writeLongLE(ledgerId);
        out.writeLongLE(firstEntryId);
        out.writeIntLE(countMax);
        out.writeIntLE(bytesMax);
        out.writeIntLE(flags);
        out.writeIntLE(waitMillis);
        out.writeIntLE(timeoutMillis);
        out.writeIntLE(0);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. Counts and bytes above the {@link Limits} are cut to them. */
    public static ReadRequest read(ByteBuf frame) {
        WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "read");
        int at = frame.readerIndex() + MessageType.PREFIX_BYTES;
        ReadRequest request = new ReadRequest(
                frame.getLongLE(at),
                frame.getLongLE(at + 8),
                frame.getLongLE(at + 16),
                Math.min(frame.getIntLE(at + 24), Limits.READ_COUNT_MAX),
                Math.min(frame.getIntLE(at + 28), Limits.READ_BYTES_MAX),
                frame.getIntLE(at + 32),
                frame.getIntLE(at + 36),
                frame.getIntLE(at + 40));
        if (request.ledgerId < 0 || request.firstEntryId < 0 || request.countMax < 1 || request.bytesMax < 0) {
            throw new BadFrameException("a read of " + request.countMax + " entries from " + request.firstEntryId);
        }
        return request;
    }
}
