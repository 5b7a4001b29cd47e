// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes received on one connection into frames.
 *
 * <p>A frame that lies within one receive buffer is handed on as a retained slice of it. A frame that reaches over the end of a receive buffer is
 * gathered in a buffer of its own, which grows with what has come in: a length that is only announced takes no memory.
 *
 * <p><i>States:</i> between frames → gathering a frame ⇄ paused (there is no room to gather more: what is received meanwhile is held) → between frames.
 *
 * <p><i>Invariants:</i> nothing is allocated for a frame before its length was checked against the limit; the buffer of a frame has at most twice the
 * bytes that have come, or {@link #GATHERED_BYTES_MIN}. <i>Threading:</i> the link's loop.
 */
final class FrameDecoder {
    static final int HEADER_BYTES = 4;

    /** The smallest buffer for a longer frame. */
    static final int GATHERED_BYTES_MIN = 4 * 1024;

    private final ByteBufAllocator allocator;
    private final PartialFrames room;
    private final Sink sink;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
    private int frameBytesMax = Link.FRAME_BYTES_INITIAL;
    private int header;
    private int headerBytes;
    private @Nullable ByteBuf gathered;
    private int gatheredBytesMax;
    private int wantedBytes;
    private boolean isPaused;
    private int bytesSeen;

    FrameDecoder(ByteBufAllocator allocator, PartialFrames room, Sink sink) {
        this.allocator = allocator;
        this.room = room;
        this.sink = sink;
    }

    /** Where frames go. */
    interface Sink {
        /** Whether it still wants frames; the rest is thrown away when not. */
        boolean takesFrames();

        /** Whether its owner wants to receive; a peer can send nothing while not. */
        boolean isRead();

        /** Consumes one frame. */
        void frame(ByteBuf frame);

        /** The peer announced a frame of that many bytes, which is not allowed; nothing of it was or will be read. */
        void refuse(int announcedBytes, int frameBytesMax);

        /** Nothing should be received for a while, or again. */
        void pause(boolean pauses);

        /** The peer sends nothing more of a frame although others wait for its room. */
        void stalled();
    }

    void limitFrameBytes(int bytesMax) {
        frameBytesMax = bytesMax;
    }

    /** Consumes a receive buffer. */
    void decode(ByteBuf received) {
        if (!sink.takesFrames()) {
            received.release();
            return;
        }
        held.addLast(received);
        if (!isPaused) {
            decodeHeld();
        }
    }

    private void decodeHeld() {
        while (!isPaused && !held.isEmpty()) {
            ByteBuf received = held.element();
            while (!isPaused && received.isReadable() && sink.takesFrames()) {
                if (gathered == null) {
                    begin(received);
                } else {
                    gather(gathered, received);
                }
            }
            // What a frame causes may have released everything.
            if (!isPaused && !held.isEmpty()) {
                held.remove().release();
            }
        }
    }

    private void begin(ByteBuf received) {
        if (!readHeader(received)) {
            return;
        }
        headerBytes = 0;
        int length = header;
        if (length < 0 || length > frameBytesMax) {
            sink.refuse(length, frameBytesMax);
            return;
        }
        if (received.readableBytes() >= length) {
            sink.frame(received.readRetainedSlice(length));
            return;
        }
        gatheredBytesMax = length;
        bytesSeen = 0;
        gathered = allocator.buffer(Math.min(length, GATHERED_BYTES_MIN), length);
    }

    private boolean readHeader(ByteBuf received) {
        if (headerBytes == 0 && received.readableBytes() >= HEADER_BYTES) {
            header = received.readInt();
            return true;
        }
        while (headerBytes < HEADER_BYTES && received.isReadable()) {
            header = (header << 8) | received.readUnsignedByte();
            headerBytes++;
        }
        return headerBytes == HEADER_BYTES;
    }

    private void gather(ByteBuf frame, ByteBuf received) {
        int taken = Math.min(gatheredBytesMax - frame.writerIndex(), received.readableBytes());
        int needed = frame.writerIndex() + taken;
        if (needed > frame.capacity() && !grows(frame, needed)) {
            return;
        }
        frame.writeBytes(received, taken);
        if (needed == gatheredBytesMax) {
            int countedBytes = counted(frame.capacity());
            gathered = null;
            if (countedBytes > 0) {
                room.ended(this, countedBytes);
            }
            sink.frame(frame);
        }
    }

    /** Whether the frame's buffer has that capacity now; otherwise this waits for room. */
    private boolean grows(ByteBuf frame, int needed) {
        int capacity = Math.min(gatheredBytesMax, Math.max(GATHERED_BYTES_MIN, 2 * Integer.highestOneBit(needed)));
        wantedBytes = counted(capacity) - counted(frame.capacity());
        if (wantedBytes > 0 && !room.admits(this, wantedBytes)) {
            isPaused = true;
            sink.pause(true);
            return false;
        }
        frame.capacity(capacity);
        return true;
    }

    private static int counted(int capacityBytes) {
        return Math.max(0, capacityBytes - PartialFrames.FREE_BYTES);
    }

    /** How many more bytes it waits for. */
    int wantedBytes() {
        return wantedBytes;
    }

    /** The bytes that it waited for are admitted. */
    void goOn() {
        ByteBuf frame = gathered;
        if (frame == null) {
            return;
        }
        isPaused = false;
        frame.capacity(PartialFrames.FREE_BYTES + counted(frame.capacity()) + wantedBytes);
        decodeHeld();
        if (!isPaused) {
            sink.pause(false);
        }
    }

    /** Whether more of the frame has come since this was asked last, or could not come because the owner does not read. */
    boolean hasComeOn() {
        int before = bytesSeen;
        bytesSeen = gathered == null ? 0 : gathered.writerIndex();
        return bytesSeen != before || !sink.isRead();
    }

    /** Others wait for the room of a frame that does not come on. */
    void giveUp() {
        sink.stalled();
        release();
    }

    /** Lets go of a frame that will never be whole, and of what was received after it. */
    void release() {
        ByteBuf frame = gathered;
        if (frame != null) {
            gathered = null;
            room.ended(this, counted(frame.capacity()));
            frame.release();
        }
        isPaused = false;
        held.forEach(ByteBuf::release);
        held.clear();
    }
}
