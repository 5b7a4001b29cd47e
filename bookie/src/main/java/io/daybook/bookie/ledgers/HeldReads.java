// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.protocol.wire.ReadRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/** The reads of one link that wait: for an entry, or until there is room for their answers. On the core loop. */
public final class HeldReads {
    final Set<TailWaiter> waiters = new LinkedHashSet<>();
    private final Deque<Postponed> tail = new ArrayDeque<>();
    private final Deque<Postponed> catchUp = new ArrayDeque<>();

    /** None. */
    public HeldReads() {}

    /**
     * A read that waits for room.
     *
     * @param firstBytes that its first entry takes in an answer, if that turned out to be more than was reserved; 0 as long as nobody knows
     */
    record Postponed(ReadRequest request, int firstBytes) {}

    /** How many wait for an entry. */
    public int waitingCount() {
        return waiters.size();
    }

    /** Those that wait for room in a share. */
    Deque<Postponed> postponed(ReadOwner.Share share) {
        return switch (share) {
            case TAIL -> tail;
            case CATCH_UP -> catchUp;
        };
    }
}
