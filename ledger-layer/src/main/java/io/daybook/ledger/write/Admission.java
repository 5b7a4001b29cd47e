// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.ledger.bookies.HeldBytes;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Situations;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Lets the appends of a writer begin as long as there is room for their bytes, in order. Those that have none wait: nothing of them was copied or sent.
 * Callers may wait for room too.
 *
 * <p><i>States:</i> taking, or overrun: so much waits that further appends are refused until some caller has waited for room, so that the refused ones are
 * an unbroken run. <i>Invariants:</i> V10: the bytes under way and the bytes that wait are each at most the bound of a writer and one entry.
 * <i>Threading:</i> confined to its owner's loop.
 */
final class Admission {
    /** What an entry under way costs beside its frame: objects, the roundings of the allocator. */
    private static final int ENTRY_OVERHEAD_BYTES = 200;

    private final HandleContext context;
    private final HeldBytes held;
    private final MemberCare care;
    private final Owner owner;
    private final long bytesMax;
    private final Deque<Waiting> appends = new ArrayDeque<>();
    private final Deque<CompletableFuture<Void>> callers = new ArrayDeque<>();
    private final Runnable resume = this::resume;
    private long waitingBytes;
    private long underWayBytes;
    private boolean isOverrun;
    private boolean isEnded;

    /**
     * For one writer.
     *
     * @param care knows the members for which the writer must wait
     */
    Admission(HandleContext context, MemberCare care, Owner owner) {
        this.context = context;
        this.held = context.links().held();
        this.bytesMax = held.bounds().writerBytes();
        this.care = care;
        this.owner = owner;
    }

    /** The writer. */
    interface Owner {
        /** Whether acknowledgements are so late that what would be sent now could only wait elsewhere. */
        boolean isLate();

        /** There is room for the append; consumes the payload. */
        void begin(ByteBuf payload, AppendListener listener);
    }

    private record Waiting(ByteBuf payload, AppendListener listener) {
        long cost() {
            return Admission.cost(payload.readableBytes());
        }
    }

    /** Lets the append begin now or later; returns false, and takes nothing over, when too much waits. */
    boolean offer(ByteBuf payload, AppendListener listener) {
        if (takesAtOnce()) {
            start(payload, listener);
            return true;
        }
        Waiting waiting = new Waiting(payload, listener);
        if (isOverrun || (waitingBytes > 0 && waitingBytes + waiting.cost() > bytesMax)) {
            isOverrun = true;
            return false;
        }
        context.faults().reached(Situations.APPEND_WAITED);
        appends.add(waiting);
        waitingBytes += waiting.cost();
        held.whenRoom(resume);
        return true;
    }

    /** Whether an append would begin at once. */
    boolean takesAtOnce() {
        return appends.isEmpty() && !isOverrun && hasRoom();
    }

    /** Completes {@code caller} when an append would begin at once. */
    void whenRoom(CompletableFuture<Void> caller) {
        callers.add(caller);
        resume();
    }

    /** An append with a payload of this size is not under way any more. */
    void finished(int payloadBytes) {
        underWayBytes -= cost(payloadBytes);
        held.give(cost(payloadBytes));
    }

    /** Begins what has room now. */
    void resume() {
        while (isWanted() && hasRoom()) {
            if (appends.isEmpty()) {
                isOverrun = false;
                callers.remove().complete(null);
            } else {
                Waiting first = appends.remove();
                waitingBytes -= first.cost();
                start(first.payload, first.listener);
            }
        }
        if (isWanted()) {
            held.whenRoom(resume);
        }
    }

    /** Whether anything or anybody waits for room. */
    boolean isWanted() {
        return !appends.isEmpty() || !callers.isEmpty();
    }

    /** How many appends wait. */
    int waitingCount() {
        return appends.size();
    }

    /** Whether so much is under way that further appends, of this writer or others, may have to wait. */
    boolean isCrowded() {
        return underWayBytes > bytesMax / 2 || held.isCrowded();
    }

    /** Whether no append waits. */
    boolean isDrained() {
        return appends.isEmpty();
    }

    /** Bytes of the appends that wait. */
    long waitingBytes() {
        return waitingBytes;
    }

    /** The writer has ended: what waits is refused with its failure, and callers go on to see it. */
    void end(Termination why) {
        isEnded = true;
        held.forget(resume);
        for (Waiting each = appends.poll(); each != null; each = appends.poll()) {
            each.payload.release();
            context.listeners().failed(each.listener, why.refused());
        }
        waitingBytes = 0;
        for (CompletableFuture<Void> each = callers.poll(); each != null; each = callers.poll()) {
            each.complete(null);
        }
    }

    private boolean hasRoom() {
        if (isEnded) {
            return appends.isEmpty();
        }
        care.failSlowAgain();
        return underWayBytes < bytesMax && held.hasRoom() && !care.holdsBack() && !owner.isLate();
    }

    private void start(ByteBuf payload, AppendListener listener) {
        long cost = cost(payload.readableBytes());
        underWayBytes += cost;
        held.take(cost);
        owner.begin(payload, listener);
    }

    private static long cost(int payloadBytes) {
        return (long) payloadBytes + ENTRY_OVERHEAD_BYTES;
    }
}
