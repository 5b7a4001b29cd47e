// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.checkpoint.JournalCount;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What waits for room in a journal, in order for each journal; links that append are not read while any of it does, because what comes next on a link is not
 * known. While the bookie is read-only nothing waits behind anything else, as adds are refused.
 *
 * <p><i>Invariants:</i> B14: fences go before everything else that waits for their journal, and never wait for another journal.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class RoomQueue {
    private final JournalCount journals;
    private final Line[] lines;
    private AppendGate gate = stops -> {};
    private int blockedLines;
    private boolean isGateStopped;
    private boolean isReadOnly;

    /** Nothing waits. */
    RoomQueue(JournalCount journals) {
        this.journals = journals;
        lines = new Line[journals.count()];
        for (int journal = 0; journal < lines.length; journal++) {
            lines[journal] = new Line();
        }
    }

    /** Something that needs room in the journal. */
    interface Waiting {
        /** Tries from the start; false when there is no room. */
        boolean tryNow();

        /** The bookie stops: gives back what is held. */
        default void drop() {}
    }

    /** What waits for one journal. */
    private static final class Line {
        private final Deque<Waiting> fences = new ArrayDeque<>();
        private final Deque<Waiting> others = new ArrayDeque<>();
    }

    private Line line(long ledgerId) {
        return lines[journals.ofLedger(ledgerId)];
    }

    /** Names what stops and resumes append links. */
    void gate(AppendGate appendGate) {
        gate = appendGate;
    }

    /** Whether new entries are refused; what waits is looked at again. */
    void readOnly(boolean refusing) {
        isReadOnly = refusing;
        for (int journal = 0; journal < lines.length; journal++) {
            roomAgain(journal);
        }
    }

    boolean isReadOnly() {
        return isReadOnly;
    }

    /** Whether an add to a ledger must wait for those before it. */
    boolean isBlocked(long ledgerId) {
        return blockedLines > 0 && !isReadOnly && !line(ledgerId).others.isEmpty();
    }

    /** Tries now, or when there is room and no fence waits before it. */
    void fence(long ledgerId, Waiting fence) {
        Deque<Waiting> fences = line(ledgerId).fences;
        if (!fences.isEmpty() || !fence.tryNow()) {
            fences.addLast(fence);
        }
    }

    /** Tries now, or in its turn: facts that fit do not queue behind adds. */
    void attempt(long ledgerId, Waiting fact) {
        if (!fact.tryNow()) {
            add(ledgerId, fact);
        }
    }

    /** Has found no room and waits. */
    void add(long ledgerId, Waiting waiting) {
        line(ledgerId).others.addLast(waiting);
        settleGate();
    }

    /** A journal has room again. */
    void roomAgain(int journal) {
        Line line = lines[journal];
        // While it is read-only, adds are refused: they need not wait for what waits before them.
        if (takesAll(line.fences, false) || isReadOnly) {
            takesAll(line.others, isReadOnly);
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
        for (Line line : lines) {
            line.others.forEach(Waiting::drop);
            line.others.clear();
            line.fences.clear();
        }
        blockedLines = 0;
    }

    /** Links that append are not read while adds wait; those of a read-only bookie are refused, whatever else waits. */
    private void settleGate() {
        blockedLines = 0;
        for (Line line : lines) {
            blockedLines += line.others.isEmpty() ? 0 : 1;
        }
        boolean stops = blockedLines > 0 && !isReadOnly;
        if (stops != isGateStopped) {
            isGateStopped = stops;
            gate.stopAppends(stops);
        }
    }
}
