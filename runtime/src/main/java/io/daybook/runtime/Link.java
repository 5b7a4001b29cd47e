// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

import io.netty.buffer.ByteBuf;

/**
 * One ordered connection between two processes. All methods are called on {@link #loop()} only. A link may be closed by either side at any time;
 * frames sent before may or may not arrive, frames never arrive twice, reordered or cut.
 */
public interface Link {
    /** Bytes a frame may have before the owner of a link raises the limit with {@link #limitFrameBytes}. */
    int FRAME_BYTES_INITIAL = 64 * 1024;

    /** The loop on which this link lives. */
    EventLoop loop();

    /** The other end, for messages. */
    Endpoint remote();

    /**
     * Queues one frame (without length prefix) and consumes the buffer, also when the link is closed. All frames queued in a turn leave with one
     * flush at its end.
     */
    void send(ByteBuf frame);

    /** Bytes queued and not yet given to the operating system. */
    long pendingBytes();

    /** Whether {@link #pendingBytes} is below the high mark (1 MiB); when it falls below again {@link LinkHandler#writable} is called. */
    boolean isWritable();

    /** Stops or resumes taking bytes from the peer. A few frames already received may still be delivered after a stop. */
    void setReading(boolean reading);

    /** Accepts incoming frames up to this many bytes; a longer one closes the link before anything is allocated for it. */
    void limitFrameBytes(int bytesMax);

    /** Closes the link after what was queued has left; {@link LinkHandler#closed} follows later. Idempotent. */
    void close(String reason);

    /** Whether neither side has closed the link yet, as far as is known here. */
    boolean isOpen();

    /** A buffer for an outgoing frame, from the pool of this link's loop. */
    ByteBuf allocate(int capacityBytes);
}
