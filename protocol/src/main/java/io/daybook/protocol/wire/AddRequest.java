// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.daybook.protocol.EntryLayout;
import io.netty.buffer.ByteBuf;

/**
 * The header of an {@link MessageType#ADD} frame; the whole entry follows it. Read in place, without allocation.
 *
 * <p>Layout (little-endian): ledger id 8, entry id 8, handle 4, flags 4, time-out in milliseconds 4, reserved 4.
 */
public final class AddRequest {
    /** The add comes from recovery: it is taken also by a fenced ledger. */
    public static final int FLAG_RECOVERY = 1;

    /**
     * The add is answered with {@link io.daybook.protocol.StatusCode#ACCEPTED} as soon as the bookie holds the entry in memory, and with OK once it is
     * durable, for which a {@link Force} asks.
     */
    public static final int FLAG_DEFERRED = 2;

    /** Bytes of the prefix and the header: the index at which the entry starts, relative to the frame's reader index. */
    public static final int ENTRY_INDEX = MessageType.PREFIX_BYTES + 32;

    private AddRequest() {}

    /**
     * Writes prefix and header.
     *
     * @param handleAndFlags the sender's number for the handle that adds, which the acknowledgement carries back, and flags
     * @param timeoutMillis how long the sender will wait; 0 for no bound
     */
    public static void write(ByteBuf out, long ledgerId, long entryId, long handleAndFlags, int timeoutMillis) {
        MessageType.ADD.writePrefix(out);
        out.writeLongLE(ledgerId);
        out.writeLongLE(entryId);
        out.writeLongLE(handleAndFlags);
        out.writeIntLE(timeoutMillis);
        out.writeIntLE(0);
    }

    /** Joins handle and flags for {@link #write}. */
    public static long handleAndFlags(int handle, int flags) {
        return (handle & 0xffff_ffffL) | ((long) flags << 32);
    }

    /** Checks that a frame holds the header and at least an entry header that names the same ids; throws {@link BadFrameException}. */
    public static void check(ByteBuf frame) {
        int entry = frame.readerIndex() + ENTRY_INDEX;
        if (frame.readableBytes() < ENTRY_INDEX + EntryLayout.HEADER_BYTES) {
            throw new BadFrameException("an add of " + frame.readableBytes() + " bytes is too short");
        }
        if (ledgerId(frame) != EntryLayout.ledgerId(frame, entry)
                || entryId(frame) != EntryLayout.entryId(frame, entry)
                || ledgerId(frame) < 0
                || entryId(frame) < 0) {
            throw new BadFrameException("an add names other ids than its entry");
        }
    }

    /** The ledger id. */
    public static long ledgerId(ByteBuf frame) {
        return frame.getLongLE(frame.readerIndex() + 4);
    }

    /** The entry id. */
    public static long entryId(ByteBuf frame) {
        return frame.getLongLE(frame.readerIndex() + 12);
    }

    /** The sender's handle number. */
    public static int handle(ByteBuf frame) {
        return frame.getIntLE(frame.readerIndex() + 20);
    }

    /** The flags, such as {@link #FLAG_RECOVERY}. */
    public static int flags(ByteBuf frame) {
        return frame.getIntLE(frame.readerIndex() + 24);
    }

    /** How long the sender will wait, in milliseconds; 0 for no bound. */
    public static int timeoutMillis(ByteBuf frame) {
        return frame.getIntLE(frame.readerIndex() + 28);
    }

    /**
     * Asks for the sync of what was added to a ledger with {@link #FLAG_DEFERRED} on the same link before: {@link MessageType#FORCE}. It has no answer of
     * its own and promises nothing: the acknowledgements of the adds follow.
     *
     * <p>Layout (little-endian): ledger id 8, flags 4, reserved 4.
     */
    public record Force(long ledgerId) {
        /** Bytes of the whole frame. */
        public static final int FRAME_BYTES = MessageType.PREFIX_BYTES + 16;

        /** Writes the whole frame. */
        public void write(ByteBuf out) {
            MessageType.FORCE.writePrefix(out);
            out.writeLongLE(ledgerId);
            out.writeLongLE(0);
        }

        /** Reads the whole frame; throws {@link BadFrameException}. */
        public static Force read(ByteBuf frame) {
            WireBytes.requireLength(frame, FRAME_BYTES, FRAME_BYTES, "force");
            Force request = new Force(frame.getLongLE(frame.readerIndex() + MessageType.PREFIX_BYTES));
            if (request.ledgerId < 0) {
                throw new BadFrameException("a force of ledger " + request.ledgerId);
            }
            return request;
        }
    }
}
