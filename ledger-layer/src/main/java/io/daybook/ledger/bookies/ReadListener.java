// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.protocol.wire.ReadAnswer;
import io.netty.buffer.ByteBuf;

/** Told the answer to one read, exactly once, never from inside the call that asked. */
@FunctionalInterface
public interface ReadListener {
    /**
     * The answer.
     *
     * @param answer as the bookie sent it, or made here with {@link io.daybook.protocol.StatusCode#TIMEOUT},
     *     {@link io.daybook.protocol.StatusCode#DISCONNECTED} or {@link io.daybook.protocol.StatusCode#BUSY} and no entries
     * @param frame the whole frame, valid during the call unless retained; empty when the answer was made here
     */
    void answered(ReadAnswer answer, ByteBuf frame);

    /** Whether the bookie should still be asked when the read's turn comes. */
    default boolean isWanted() {
        return true;
    }
}
