// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Situations;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Which of the pending entries of a writer somebody waits for, and for what: of a writer that defers the sync, entries are to be taken at once and durable
 * only below a mark, which moves when somebody forces them, when they take so much memory that others may have to wait, and when the writer is closed. Of any
 * other writer all are to be durable.
 *
 * <p><i>Invariants:</i> acceptance is told in the order of the entries, and of each before its acknowledgement (L1); whoever forces is told when everything
 * below the mark was acknowledged, never before (L2).
 *
 * <p><i>Threading:</i> confined to its owner's loop.
 */
final class SyncDemand {
    private static final long NOBODY = -1;

    private final HandleContext context;
    private final PendingEntries pending;
    private final Sender sender;
    private final Admission admission;
    private final boolean isDeferred;
    private final Deque<Caller> callers = new ArrayDeque<>();
    private final Runnable onCrowded = this::relieve;
    private long accepted;
    private long wantedBefore;
    private long wantedNanos;
    private long advancedNanos;

    SyncDemand(HandleContext context, PendingEntries pending, Sender sender, Admission admission, boolean isDeferred) {
        this.context = context;
        this.pending = pending;
        this.sender = sender;
        this.admission = admission;
        this.isDeferred = isDeferred;
        this.wantedBefore = isDeferred ? 0 : Long.MAX_VALUE;
        this.advancedNanos = context.loop().nanoTime();
        if (isDeferred) {
            context.links().held().onCrowded(onCrowded);
        }
    }

    /** Somebody who waits until all entries below {@code before} are durable. */
    private record Caller(long before, CompletableFuture<Long> outcome) {}

    /** Completes {@code caller} with the last entry that is durable when all below {@code before} are. */
    void force(long before, CompletableFuture<Long> caller) {
        callers.add(new Caller(before, caller));
        want(before);
    }

    /** Everything is to be durable, also what is appended later. */
    void forceAll() {
        want(Long.MAX_VALUE);
    }

    private void want(long before) {
        if (isDeferred && before > wantedBefore) {
            if (wantedBefore <= pending.first()) {
                wantedNanos = context.loop().nanoTime();
            }
            wantedBefore = before;
            sender.force(before);
        }
    }

    /** What is taken and not durable is held in memory, to be sent again: when that is much it is made durable, one half of the bound after the other. */
    void relieve() {
        if (isDeferred && wantedBefore <= pending.first() && !pending.isEmpty() && admission.isCrowded()) {
            context.faults().reached(Situations.FORCED_FOR_ROOM);
            want(pending.next());
        }
    }

    /** Tells the acceptance of the next entry if enough members have taken it; returns whether it did. */
    boolean tryAccept() {
        if (!isDeferred || accepted == pending.next() || !pending.isTaken(accepted)) {
            return false;
        }
        advanced();
        pending.tellAccepted(accepted++);
        return true;
    }

    /** The writer goes on: an entry was accepted or acknowledged. */
    void advanced() {
        advancedNanos = context.loop().nanoTime();
    }

    /**
     * The link to a member is gone: the bookie may have crashed and lost what it had taken and not synced, and what was on its way to it. Returns whether
     * there is any, whether somebody waits for it or not: it must be sent again.
     */
    boolean linkLost(int slot) {
        if (pending.forgetTaken(slot)) {
            context.faults().reached(Situations.ACCEPTED_IN_DOUBT);
        }
        return pending.isUnacked(slot);
    }

    /** The writer is given up: what was taken of it is made durable all the same, though nobody waits for that. */
    void letGo() {
        if (isDeferred && !pending.isEmpty()) {
            sender.forceNow();
        }
    }

    /** Entries were acknowledged: tells those who waited for them. */
    void acknowledged(long lastAddConfirmed) {
        while (!callers.isEmpty() && callers.element().before <= pending.first()) {
            callers.remove().outcome.complete(lastAddConfirmed);
        }
        relieve();
    }

    /** The writer has failed. */
    void fail(LedgerException why) {
        for (Caller each = callers.poll(); each != null; each = callers.poll()) {
            each.outcome.completeExceptionally(why);
        }
    }

    /** The writer has ended. */
    void stop() {
        context.links().held().forgetCrowded(onCrowded);
    }

    // ---- what is waited for ----

    /** Whether nobody waits for any entry. */
    boolean isIdle() {
        return oldest() == NOBODY;
    }

    /** The oldest entry that somebody waits for, -1 for none. */
    long oldest() {
        if (!pending.isEmpty() && pending.first() < wantedBefore) {
            return pending.first();
        }
        return accepted < pending.next() && isDeferred ? accepted : NOBODY;
    }

    /** For how long somebody has waited for the oldest such entry; 0 when nobody waits. */
    long waitedNanos(long nowNanos) {
        long id = oldest();
        if (id == NOBODY) {
            return 0;
        }
        long sinceAdded = nowNanos - pending.get(id).addedNanos;
        return isDeferred && id < wantedBefore ? Math.min(sinceAdded, nowNanos - wantedNanos) : sinceAdded;
    }

    /** For how long the oldest such entry has been waited for and no other: bookies that are slow but go on are overload, and fail no writer. */
    long stuckNanos(long nowNanos) {
        return Math.min(waitedNanos(nowNanos), nowNanos - advancedNanos);
    }

    /** Whether the member in {@code slot} has yet to answer for an entry that somebody waits for. */
    boolean isLacking(int slot) {
        int bit = 1 << slot;
        long id = pending.first();
        for (; id < Math.min(wantedBefore, pending.next()); id++) {
            if ((pending.unackedSlots(id) & bit) != 0) {
                return true;
            }
        }
        for (id = Math.max(id, accepted); id < pending.next(); id++) {
            if ((pending.untakenSlots(id) & bit) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether only the member in {@code slot} is missing to what the oldest entry waits for. */
    boolean lacksOnly(int slot) {
        long id = oldest();
        if (id == NOBODY) {
            return false;
        }
        boolean isWanted = id < wantedBefore;
        int missing = isWanted ? pending.unackedSlots(id) : pending.untakenSlots(id);
        return missing == 1 << slot && !(isWanted ? pending.isAcked(id) : pending.isTaken(id));
    }
}
