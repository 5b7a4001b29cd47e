// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing frames of one connection, from {@link #send} to the socket.
 *
 * <p>Lengths and small frames are written one after the other into a staging buffer, so that a turn full of acknowledgements or of small
 * entries is one buffer, or few, and as many elements of the gathering write. A larger frame goes out as it is, behind the staged bytes that precede it.
 *
 * <p><i>Invariants:</i> bytes reach the channel in the order of {@link #send}; an idle connection holds no buffer. <i>Threading:</i> the link's loop.
 */
final class FrameQueue {
    /** Up to here a copy is cheaper than an element of the gathering write. */
    static final int COPIED_BYTES_MAX = 4 * 1024;

    /** Of the first staging buffer between two flushes, and of every further one: a turn with little to say holds little. */
    private static final int STAGING_BYTES_FIRST = 16 * 1024;

    private static final int STAGING_BYTES = 64 * 1024;

    /** What Netty adds to its own count for every buffer that waits. */
    private static final int NETTY_ENTRY_BYTES =
            Integer.getInteger("io.netty.transport.outboundBufferEntrySizeOverhead", 96);

    private final Channel channel;
    private @Nullable ByteBuf staging;
    private int stagedFrom;
    private int entriesUnflushed;

    FrameQueue(Channel channel) {
        this.channel = channel;
    }

    /** Consumes a frame. */
    void send(ByteBuf frame) {
        int length = frame.readableBytes();
        if (length > COPIED_BYTES_MAX) {
            stagingFor(FrameDecoder.HEADER_BYTES).writeInt(length);
            passStaged();
            pass(frame);
            return;
        }
        stagingFor(FrameDecoder.HEADER_BYTES + length).writeInt(length).writeBytes(frame, frame.readerIndex(), length);
        frame.release();
    }

    private ByteBuf stagingFor(int bytes) {
        ByteBuf present = staging;
        if (present != null && present.writableBytes() >= bytes) {
            return present;
        }
        passLastStaged();
        int capacity = entriesUnflushed == 0 ? STAGING_BYTES_FIRST : STAGING_BYTES;
        ByteBuf fresh = channel.alloc().directBuffer(capacity, capacity);
        staging = fresh;
        return fresh;
    }

    /** Passes what is staged on to the channel and keeps the rest of the staging buffer in use. */
    private void passStaged() {
        ByteBuf present = staging;
        if (present != null && present.writerIndex() > stagedFrom) {
            int from = stagedFrom;
            stagedFrom = present.writerIndex();
            pass(present.retainedSlice(from, stagedFrom - from));
        }
    }

    /** Passes what is staged on to the channel, and the staging buffer with it. */
    private void passLastStaged() {
        ByteBuf last = staging;
        if (last == null) {
            return;
        }
        int from = stagedFrom;
        staging = null;
        stagedFrom = 0;
        if (last.writerIndex() > from) {
            pass(last.readerIndex(from));
        } else {
            last.release();
        }
    }

    private void pass(ByteBuf bytes) {
        entriesUnflushed++;
        channel.write(bytes, channel.voidPromise());
    }

    /** Gives the operating system what it takes; the channel sees to the rest. */
    void flush() {
        passLastStaged();
        entriesUnflushed = 0;
        channel.flush();
    }

    /** Bytes that wait here and in the channel. */
    long pendingBytes() {
        ByteBuf present = staging;
        long staged = present == null ? 0 : present.writerIndex() - stagedFrom;
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        if (outbound == null) {
            return staged;
        }
        long entries = (long) outbound.size() + entriesUnflushed;
        return Math.max(0, staged + outbound.totalPendingWriteBytes() - entries * NETTY_ENTRY_BYTES);
    }

    /** Lets go of what was not passed on. */
    void release() {
        ByteBuf last = staging;
        staging = null;
        stagedFrom = 0;
        if (last != null) {
            last.release();
        }
    }
}
