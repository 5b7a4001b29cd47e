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
import org.jspecify.annotations.Nullable;

/**
 * The reads that one bookie is asked in turn. At most {@link #UNDER_WAY_MAX} are under way at once, further ones wait here and follow in the order in
 * which they came; all handles of the loop share the turns, whoever asks for much before others is before them. Urgent ones, which ask for no entry, pass
 * those: up to {@link #URGENT_MAX} go beyond the bound unless the bookie was busy lately, further ones get every second turn that is free. The other turns
 * are left to the others, so that neither kind starves.
 *
 * <p>A bookie that says that it is busy is asked again, and asked less at once: no more than it has under way at that moment, and one more after each round
 * that it answered (additive increase, multiplicative decrease: Chiu and Jain, 1989). When nothing is under way, it is busy with others and asked one thing
 * a tick.
 *
 * <p><i>Invariants:</i> every read is told its answer once, later: that of the bookie, or {@link StatusCode#BUSY} when its turn did not come within its
 * time-out, when it is not wanted any more, or when {@link #WAITING_MAX} wait already. <i>Threading:</i> confined to one loop.
 */
final class ReadTurns implements Ticking {
    /** Fewer than a bookie takes by default, so that it has room for those that do not wait for a turn. */
    static final int UNDER_WAY_MAX = 192;
    /** Urgent ones that are under way beyond that; still fewer than a bookie takes by default. */
    static final int URGENT_MAX = 32;
    /** More than a bookie answers within a time-out. */
    static final int WAITING_MAX = 65_536;

    private final EventLoop loop;
    private final Asking asking;
    private final Deque<Turn> urgent = new ArrayDeque<>();
    private final Deque<Turn> waiting = new ArrayDeque<>();
    private int window = UNDER_WAY_MAX;
    private int underWay;
    private int urgentUnderWay;
    /** Whether the last turn within the window was that of an urgent one. */
    private boolean wasUrgent;

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

    private record Turn(ReadRequest request, ReadListener listener, long untilNanos, boolean isUrgent) {}

    /** Asks as soon as it is the request's turn; for that it waits as long as its time-out, which begins anew when it is asked. */
    void take(ReadRequest request, ReadListener listener) {
        take(request, listener, false);
    }

    /** As {@link #take}, before those that are not urgent, but for every second turn of theirs. */
    void takeUrgent(ReadRequest request, ReadListener listener) {
        take(request, listener, true);
    }

    private void take(ReadRequest request, ReadListener listener, boolean isUrgent) {
        long until = loop.nanoTime() + request.timeoutMillis() * 1_000_000L;
        Turn turn = new Turn(request, listener, until, isUrgent);
        if (queueOf(turn).size() >= WAITING_MAX) {
            refuse(turn);
            return;
        }
        queueOf(turn).add(turn);
        askNext();
    }

    private Deque<Turn> queueOf(Turn turn) {
        return turn.isUrgent ? urgent : waiting;
    }

    @Override
    public boolean tick(long nowNanos) {
        refuseOver(urgent, nowNanos);
        refuseOver(waiting, nowNanos);
        if (underWay == 0) {
            askNext();
        }
        return isAnyWaiting();
    }

    private void refuseOver(Deque<Turn> queue, long nowNanos) {
        while (!queue.isEmpty() && isOver(queue.element(), nowNanos)) {
            refuse(queue.remove());
        }
    }

    private boolean isAnyWaiting() {
        return !urgent.isEmpty() || !waiting.isEmpty();
    }

    private void askNext() {
        long now = loop.nanoTime();
        for (Deque<Turn> queue = nextQueue(now); queue != null; queue = nextQueue(now)) {
            Turn turn = queue.remove();
            underWay++;
            urgentUnderWay += turn.isUrgent ? 1 : 0;
            asking.ask(turn.request, (answer, frame) -> answered(turn, answer, frame));
        }
        if (isAnyWaiting()) {
            asking.waiting(this);
        }
    }

    /** Whose first one is the next in turn; null when there is none, or no turn is free. */
    private @Nullable Deque<Turn> nextQueue(long nowNanos) {
        refuseOver(urgent, nowNanos);
        refuseOver(waiting, nowNanos);
        int beyondMax = window == UNDER_WAY_MAX ? URGENT_MAX : 0;
        if (urgentUnderWay < beyondMax && !urgent.isEmpty()) {
            return urgent;
        }
        boolean isFree = underWay - Math.min(urgentUnderWay, beyondMax) < window;
        if (!isFree || !isAnyWaiting()) {
            return null;
        }
        boolean isUrgent = waiting.isEmpty() || (!urgent.isEmpty() && !wasUrgent);
        wasUrgent = isUrgent;
        return isUrgent ? urgent : waiting;
    }

    private static boolean isOver(Turn turn, long nowNanos) {
        return nowNanos - turn.untilNanos >= 0 || !turn.listener.isWanted();
    }

    private void answered(Turn turn, ReadAnswer answer, ByteBuf frame) {
        underWay--;
        urgentUnderWay -= turn.isUrgent ? 1 : 0;
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
        window = Math.max(1, Math.min(underWay, UNDER_WAY_MAX));
        answeredOfRound = 0;
        queueOf(turn).addFirst(turn);
        asking.waiting(this);
    }

    private void refuse(Turn turn) {
        ReadRequest request = turn.request;
        ReadAnswer busy = new ReadAnswer(
                0, request.ledgerId(), request.firstEntryId(), Limits.NO_ENTRY_ID, 0, StatusCode.BUSY, 0);
        loop.execute(() -> turn.listener.answered(busy, Unpooled.EMPTY_BUFFER));
    }
}
