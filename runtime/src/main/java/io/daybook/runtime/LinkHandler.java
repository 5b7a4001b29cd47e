// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

import io.netty.buffer.ByteBuf;

/** What a link tells its owner, always on the link's loop: {@link #opened} at most once, then frames, then {@link #closed} exactly once. */
public interface LinkHandler {
    /** The link can be used. */
    void opened(Link link);

    /** One whole frame; the handler consumes the buffer. */
    void frame(Link link, ByteBuf frame);

    /** The queue of outgoing bytes has drained below its low mark after {@link Link#isWritable} was false. */
    default void writable(Link link) {}

    /** The link is gone or could not be opened; nothing follows. {@code reason} is one line for people. */
    void closed(String reason);
}
