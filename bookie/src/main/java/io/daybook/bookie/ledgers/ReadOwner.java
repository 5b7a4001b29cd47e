// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;

/** Who asks for reads. On the core loop. */
public interface ReadOwner {
    /** Which part of the room for answers a read takes: readers of old entries, however many and however slow, leave room to those at the tail. */
    enum Share {
        /** Reads answered from the slabs, and those that fence: recovery waits for them. */
        TAIL,
        /** All others that are answered from flushed files. */
        CATCH_UP
    }

    /** Its reads that are held, so that they can be given up when the link is gone. */
    HeldReads held();

    /** Whether it takes an answer now: the client takes those before, and the share has room for more. When not, {@link Reads#resume} follows. */
    boolean takesAnswer(Share share);

    /** An answer of so many bytes at most is being made for it. */
    void answering(Share share, int reservedBytes);

    /** That answer is not made after all. */
    void answerGivenUp(Share share, int reservedBytes);

    /** That answer is made; consumes it. */
    void answered(Share share, int reservedBytes, ByteBuf answer);

    /** Where the answer goes. */
    Link link();

    /** The read was answered, or given up because the link is gone; called once for each read. */
    void readEnded();
}
