// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.recovery;

import io.daybook.ledger.quorum.EntryVerdict;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongFunction;

/**
 * Looks, from one entry on and several at once, for the first entry that certainly does not exist, and hands out those before it in order.
 *
 * <p><i>Threading:</i> confined to its recovery's loop.
 */
final class TailSearch {
    private static final int WINDOW = 32;

    private final LongFunction<Candidate> candidates;
    private final Listener listener;
    private final Deque<Candidate> window = new ArrayDeque<>();
    private long nextToAsk;
    private long lastHinted;
    private boolean isEnded;

    /**
     * Begins nowhere before {@link #start}.
     *
     * @param candidates makes the candidate of an entry
     */
    TailSearch(LongFunction<Candidate> candidates, Listener listener) {
        this.candidates = candidates;
        this.listener = listener;
    }

    /** Told what is found. */
    interface Listener {
        /** The next entry exists; the buffer is valid during the call. */
        void found(long entryId, ByteBuf entry);

        /** Whether further entries can be taken in now; when that changes {@link TailSearch#goOn} is called. */
        boolean hasRoom();

        /** The entry does not exist: the end is before it. */
        void endBefore(long entryId);
    }

    /**
     * Begins.
     *
     * @param lastHinted up to where entries probably exist
     */
    void start(long firstEntryId, long lastHinted) {
        this.nextToAsk = firstEntryId;
        this.lastHinted = lastHinted;
        goOn();
    }

    /** Decides what can be decided and asks further. */
    void goOn() {
        while (!isEnded && !window.isEmpty() && listener.hasRoom()) {
            Candidate first = window.element();
            EntryVerdict.Kind verdict = first.verdict();
            if (verdict == EntryVerdict.Kind.ABSENT) {
                stop();
                listener.endBefore(first.entryId());
                return;
            }
            if (verdict != EntryVerdict.Kind.PRESENT) {
                break;
            }
            window.remove();
            listener.found(first.entryId(), first.copy());
            first.end();
        }
        askFurther();
    }

    /** Asks nobody any more. */
    void stop() {
        isEnded = true;
        window.forEach(Candidate::end);
        window.clear();
    }

    private void askFurther() {
        while (!isEnded && window.size() < WINDOW && (window.isEmpty() || nextToAsk <= lastHinted + 1)) {
            Candidate next = candidates.apply(nextToAsk);
            nextToAsk++;
            window.add(next);
            next.ask();
        }
    }
}
