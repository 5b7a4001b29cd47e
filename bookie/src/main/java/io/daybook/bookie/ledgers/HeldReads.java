// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.protocol.wire.ReadRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/** The reads of one link that wait: for an entry, or until the client takes their answers. On the core loop. */
public final class HeldReads {
    final Set<TailWaiter> waiters = new LinkedHashSet<>();
    final Deque<ReadRequest> postponed = new ArrayDeque<>();

    /** None. */
    public HeldReads() {}

    /** How many wait for an entry. */
    public int waitingCount() {
        return waiters.size();
    }

    /** Whether reads wait until their answers are taken. */
    public boolean hasPostponed() {
        return !postponed.isEmpty();
    }
}
