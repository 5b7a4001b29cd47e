// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;

/** Who asks for reads. On the core loop. */
public interface ReadOwner {
    /** Its reads that are held, so that they can be given up when the link is gone. */
    HeldReads held();

    /** Whether it takes an answer now: the client takes those before, and there is memory for more. When not, {@link Reads#resume} follows. */
    boolean takesAnswer();

    /** An answer of at most so many bytes is being made for it. */
    void answering(int bytesMax);

    /** That answer is made; consumes it. */
    void answered(int bytesMax, ByteBuf answer);

    /** Where the answer goes. */
    Link link();

    /** The read was answered, or given up because the link is gone; called once for each read. */
    void readEnded();
}
