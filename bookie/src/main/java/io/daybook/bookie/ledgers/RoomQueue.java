// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What waits for room in the journal, in order; links that append are not read meanwhile. While the bookie is read-only nothing waits behind anything else,
 * as adds are refused.
 *
 * <p><i>Invariants:</i> B14: fences go before everything else that waits.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class RoomQueue {
    private final Deque<Waiting> fences = new ArrayDeque<>();
    private final Deque<Waiting> others = new ArrayDeque<>();
    private AppendGate gate = stops -> {};
    private boolean isGateStopped;
    private boolean isReadOnly;

    /** Nothing waits. */
    RoomQueue() {}

    /** Something that needs room in the journal. */
    interface Waiting {
        /** Tries from the start; false when there is no room. */
        boolean tryNow();

        /** The bookie stops: gives back what is held. */
        default void drop() {}
    }

    /** Names what stops and resumes append links. */
    void gate(AppendGate appendGate) {
        gate = appendGate;
    }

    /** Whether new entries are refused; what waits is looked at again. */
    void readOnly(boolean refusing) {
        isReadOnly = refusing;
        roomAgain();
    }

    boolean isReadOnly() {
        return isReadOnly;
    }

    /** Whether an add must wait for those before it. */
    boolean isBlocked() {
        return !others.isEmpty() && !isReadOnly;
    }

    /** Tries now, or when there is room and no fence waits before it. */
    void fence(Waiting fence) {
        if (!fences.isEmpty() || !fence.tryNow()) {
            fences.addLast(fence);
        }
    }

    /** Tries now, or in its turn: facts that fit do not queue behind adds. */
    void attempt(Waiting fact) {
        if (!fact.tryNow()) {
            add(fact);
        }
    }

    /** Has found no room and waits. */
    void add(Waiting waiting) {
        others.addLast(waiting);
        settleGate();
    }

    /** The journal has room again. */
    void roomAgain() {
        // While it is read-only, adds are refused: they need not wait for what waits before them.
        if (takesAll(fences, false) || isReadOnly) {
            takesAll(others, isReadOnly);
        }
        settleGate();
    }

    /** Whether everything in the queue was done; {@code all} is tried, or only up to the first that finds no room. */
    private static boolean takesAll(Deque<Waiting> queue, boolean all) {
        for (int left = queue.size(); left > 0; left--) {
            Waiting first = queue.element();
            if (first.tryNow()) {
                queue.removeFirst();
            } else if (all) {
                queue.addLast(queue.removeFirst());
            } else {
                return false;
            }
        }
        return queue.isEmpty();
    }

    /** The bookie stops: what waits is dropped without an answer. */
    void drop() {
        others.forEach(Waiting::drop);
        others.clear();
        fences.clear();
    }

    /** Links that append are not read while adds wait; those of a read-only bookie are refused, whatever else waits. */
    private void settleGate() {
        boolean stops = isBlocked();
        if (stops != isGateStopped) {
            isGateStopped = stops;
            gate.stopAppends(stops);
        }
    }
}
