// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/** A request on its way to a bookie: what it waits for and until when. */
abstract sealed class Request {
    final long id;
    final long ledgerId;
    final BookieLink link;
    final long deadlineNanos;

    private Request(long id, long ledgerId, BookieLink link, long deadlineNanos) {
        this.id = id;
        this.ledgerId = ledgerId;
        this.link = link;
        this.deadlineNanos = deadlineNanos;
    }

    /** No answer will come. */
    abstract void failed(StatusCode status);

    /** A read. */
    static final class Read extends Request {
        final boolean isWaiting;
        final long sentNanos;
        private final long firstEntryId;
        private final ReadListener listener;

        Read(BookieLink link, long nowNanos, long id, ReadRequest request, ReadListener listener) {
            super(id, request.ledgerId(), link, nowNanos + request.timeoutMillis() * 1_000_000L);
            this.sentNanos = nowNanos;
            this.isWaiting = request.has(ReadRequest.FLAG_WAIT);
            this.firstEntryId = request.firstEntryId();
            this.listener = listener;
        }

        void answered(ReadAnswer answer, ByteBuf frame) {
            listener.answered(answer, frame);
        }

        boolean isAnsweredBy(ReadAnswer answer) {
            return answer.ledgerId() == ledgerId && answer.firstEntryId() == firstEntryId;
        }

        @Override
        void failed(StatusCode status) {
            listener.answered(new ReadAnswer(id, ledgerId, firstEntryId, -1, 0, status, 0), Unpooled.EMPTY_BUFFER);
        }
    }

    /** A fence. */
    static final class Fence extends Request {
        private final Consumer<FenceAnswer> listener;

        Fence(BookieLink link, long deadlineNanos, long id, long ledgerId, Consumer<FenceAnswer> listener) {
            super(id, ledgerId, link, deadlineNanos);
            this.listener = listener;
        }

        void answered(FenceAnswer answer) {
            listener.accept(answer);
        }

        @Override
        void failed(StatusCode status) {
            listener.accept(new FenceAnswer(id, ledgerId, -1, -1, status));
        }
    }

    /** A publish. */
    static final class Publish extends Request {
        private final Consumer<PublishAck> listener;

        Publish(BookieLink link, long deadlineNanos, long id, long ledgerId, Consumer<PublishAck> listener) {
            super(id, ledgerId, link, deadlineNanos);
            this.listener = listener;
        }

        void answered(PublishAck answer) {
            listener.accept(answer);
        }

        @Override
        void failed(StatusCode status) {
            listener.accept(new PublishAck(id, ledgerId, status));
        }
    }
}
