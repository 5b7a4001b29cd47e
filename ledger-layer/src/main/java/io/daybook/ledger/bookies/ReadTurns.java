// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The reads that one bookie is asked in turn: so many are under way at once, further ones wait here in the order in which they came. A bookie that says
 * that it is busy is asked less at once, and one more after each round that it answered (additive increase, multiplicative decrease: Chiu and Jain, 1989).
 *
 * <p><i>Invariants:</i> every read is told its answer once: that of the bookie, or {@link StatusCode#BUSY} when its turn did not come within its time-out
 * or it is not wanted any more. <i>Threading:</i> confined to one loop.
 */
final class ReadTurns implements Ticking {
    /** Fewer than a bookie takes by default, so that it has room for those that do not wait for a turn. */
    static final int UNDER_WAY_MAX = 192;
    /** More than a bookie answers within a time-out. */
    static final int WAITING_MAX = 65_536;

    private final EventLoop loop;
    private final Asking asking;
    private final Deque<Turn> waiting = new ArrayDeque<>();
    private int window = UNDER_WAY_MAX;
    private int underWay;
    private int answeredOfRound;

    ReadTurns(EventLoop loop, Asking asking) {
        this.loop = loop;
        this.asking = asking;
    }

    /** How the bookie is asked. */
    interface Asking {
        /** Asks now. */
        void ask(ReadRequest request, ReadListener listener);

        /** Reads wait: {@link #tick} must be called until it declines. */
        void waiting(ReadTurns turns);
    }

    private record Turn(ReadRequest request, ReadListener listener, long untilNanos) {}

    /** Asks as soon as it is the request's turn; for that it waits as long as its time-out, which begins anew when it is asked. */
    void take(ReadRequest request, ReadListener listener) {
        Turn turn = new Turn(request, listener, loop.nanoTime() + request.timeoutMillis() * 1_000_000L);
        if (waiting.size() >= WAITING_MAX) {
            refuse(turn);
            return;
        }
        waiting.add(turn);
        askNext();
    }

    @Override
    public boolean tick(long nowNanos) {
        while (!waiting.isEmpty() && isOver(waiting.element(), nowNanos)) {
            refuse(waiting.remove());
        }
        if (underWay == 0) {
            askNext();
        }
        return !waiting.isEmpty();
    }

    private void askNext() {
        long now = loop.nanoTime();
        while (underWay < window && !waiting.isEmpty()) {
            Turn next = waiting.remove();
            if (isOver(next, now)) {
                refuse(next);
            } else {
                underWay++;
                asking.ask(next.request, (answer, frame) -> answered(next, answer, frame));
            }
        }
        if (!waiting.isEmpty()) {
            asking.waiting(this);
        }
    }

    private static boolean isOver(Turn turn, long nowNanos) {
        return nowNanos - turn.untilNanos >= 0 || !turn.listener.isWanted();
    }

    private void answered(Turn turn, ReadAnswer answer, ByteBuf frame) {
        underWay--;
        if (answer.status() == StatusCode.BUSY) {
            askAgain(turn);
            return;
        }
        answeredOfRound++;
        if (answeredOfRound >= window && window < UNDER_WAY_MAX) {
            window++;
            answeredOfRound = 0;
        }
        askNext();
        turn.listener.answered(answer, frame);
    }

    /** When another one is answered; when none is under way, at the next tick. */
    private void askAgain(Turn turn) {
        window = Math.max(1, underWay);
        answeredOfRound = 0;
        waiting.addFirst(turn);
        asking.waiting(this);
    }

    private void refuse(Turn turn) {
        ReadRequest request = turn.request;
        ReadAnswer busy = new ReadAnswer(
                0, request.ledgerId(), request.firstEntryId(), Limits.NO_ENTRY_ID, 0, StatusCode.BUSY, 0);
        loop.execute(() -> turn.listener.answered(busy, Unpooled.EMPTY_BUFFER));
    }
}
