// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;

/** Who asks for reads. On the core loop. */
public interface ReadOwner {
    /** Its reads that are held, so that they can be given up when the link is gone. */
    HeldReads held();

    /** Whether it takes an answer now: the client takes those before, and the share has room for more. When not, {@link Reads#resume} follows. */
    boolean takesAnswer(AnswerShare share);

    /** An answer of about so many bytes is being made for it. */
    void answering(AnswerShare share, int reservedBytes);

    /** That answer is made; consumes it. */
    void answered(AnswerShare share, int reservedBytes, ByteBuf answer);

    /** Where the answer goes. */
    Link link();

    /** The read was answered, or given up because the link is gone; called once for each read. */
    void readEnded();
}
