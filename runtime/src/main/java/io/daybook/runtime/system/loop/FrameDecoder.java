// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes received on one connection into frames.
 *
 * <p>A frame that lies within one receive buffer is handed on as a retained slice of it. A frame that reaches over the end of a receive buffer is
 * gathered in a buffer of its own, of exactly its size: those bytes are copied once.
 *
 * <p><i>Invariants:</i> nothing is allocated for a frame before its length was checked against the limit. <i>Threading:</i> the link's loop.
 */
final class FrameDecoder {
    static final int HEADER_BYTES = 4;

    private final ByteBufAllocator allocator;
    private int frameBytesMax = Link.FRAME_BYTES_INITIAL;
    private int header;
    private int headerBytes;
    private @Nullable ByteBuf gathered;

    FrameDecoder(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Where frames go. */
    interface Sink {
        /** Whether it still wants frames; the rest is thrown away when not. */
        boolean takesFrames();

        /** Consumes one frame. */
        void frame(ByteBuf frame);

        /** The peer announced a frame of that many bytes, which is not allowed; nothing of it was or will be read. */
        void refuse(int announcedBytes, int frameBytesMax);
    }

    void limitFrameBytes(int bytesMax) {
        frameBytesMax = bytesMax;
    }

    /** Consumes a receive buffer. */
    void decode(ByteBuf received, Sink sink) {
        try {
            while (received.isReadable() && sink.takesFrames()) {
                if (gathered == null) {
                    begin(received, sink);
                } else {
                    gather(gathered, received, sink);
                }
            }
        } finally {
            received.release();
        }
    }

    private void begin(ByteBuf received, Sink sink) {
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
        gathered = allocator.buffer(length, length);
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

    private void gather(ByteBuf frame, ByteBuf received, Sink sink) {
        frame.writeBytes(received, Math.min(frame.writableBytes(), received.readableBytes()));
        if (!frame.isWritable()) {
            gathered = null;
            sink.frame(frame);
        }
    }

    /** Lets go of a frame that will never be whole. */
    void release() {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }
}
