// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.netty.buffer.ByteBuf;

/**
 * The kinds of frames. A frame begins with one byte of type, one byte of layout version and two zero bytes, then the message's fixed header
 * ({@link #PREFIX_BYTES} bytes in), then its body.
 */
public enum MessageType {
    /** First frame of a link, from the side that connected. */
    HELLO(1),
    /** Answer to {@link #HELLO}. */
    HELLO_ANSWER(2),
    /** Store an entry. */
    ADD(3),
    /** Outcome of a range of adds. */
    ADD_ACK(4),
    /** Entries of a ledger, now or when they arrive. */
    READ(5),
    /** Answer to {@link #READ}. */
    READ_ANSWER(6),
    /** Refuse normal adds to a ledger from now on. */
    FENCE(7),
    /** Answer to {@link #FENCE}. */
    FENCE_ANSWER(8),
    /** The writer's last add confirmed, told while it is idle. */
    PUBLISH(9),
    /** Answer to {@link #PUBLISH}. */
    PUBLISH_ACK(10),
    /** Why the sender is about to close the link. */
    ERROR(11),
    /** Make durable now what was added with deferred sync. */
    FORCE(12),
    /** What a bookie knows of itself, for an operator. */
    DESCRIBE(13),
    /** Answer to {@link #DESCRIBE}. */
    DESCRIPTION(14);

    /** The layout version of every message so far. */
    public static final int LAYOUT_VERSION = 1;

    /** Bytes before the message's header. */
    public static final int PREFIX_BYTES = 4;

    private static final MessageType[] BY_NUMBER = values();

    private final int number;

    MessageType(int number) {
        this.number = number;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** Writes the prefix of a frame of this type. */
    public void writePrefix(ByteBuf out) {
        out.writeByte(number);
        out.writeByte(LAYOUT_VERSION);
        out.writeShort(0);
    }

    /** The type of a frame; throws {@link BadFrameException} when the prefix is not one of this version. Moves no index. */
    public static MessageType of(ByteBuf frame) {
        int start = frame.readerIndex();
        if (frame.readableBytes() < PREFIX_BYTES) {
            throw new BadFrameException("a frame of " + frame.readableBytes() + " bytes is too short");
        }
        int number = frame.getUnsignedByte(start);
        int version = frame.getUnsignedByte(start + 1);
        if (number < 1 || number > BY_NUMBER.length || version != LAYOUT_VERSION) {
            throw new BadFrameException("unknown message type " + number + " version " + version);
        }
        return BY_NUMBER[number - 1];
    }
}
