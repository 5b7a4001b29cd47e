// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;

/** Puts answers on links. A link that is closed by then takes and drops them. */
final class Answers {
    private Answers() {}

    static void send(Link link, AddAck ack) {
        ByteBuf frame = link.allocate(AddAck.FRAME_BYTES);
        ack.write(frame);
        link.send(frame);
    }

    static void send(Link link, PublishAck ack) {
        ByteBuf frame = link.allocate(PublishAck.FRAME_BYTES);
        ack.write(frame);
        link.send(frame);
    }

    static void send(Link link, FenceAnswer answer) {
        ByteBuf frame = link.allocate(FenceAnswer.FRAME_BYTES);
        answer.write(frame);
        link.send(frame);
    }

    /** An answer without entries. */
    static void send(Link link, ReadAnswer answer) {
        ByteBuf frame = link.allocate(ReadAnswer.ENTRIES_INDEX);
        answer.write(frame);
        link.send(frame);
    }
}
