// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.Extents;
import io.daybook.protocol.Limits;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What the core loop knows of one ledger.
 *
 * <p><i>States:</i> unknown (only somebody waits for it) → open → fenced; never back (B3). A fence counts for adds from the moment it is staged, and
 * for readers from the moment it is durable.
 *
 * <p><i>Invariants:</i> the last add confirmed never goes back and is shown only when it is durable (L10); nothing is kept per entry.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class Ledger {
    final long ledgerId;

    /** Others once what was there is given up. */
    Extents extents = new Extents();

    /** In the order in which they came; very many may wait for one ledger, and any of them may leave. */
    Set<TailWaiter> waiters = Collections.emptySet();

    private boolean known;
    private boolean holdsEntries;
    private int buriedAt;
    private long writes;
    private boolean fenceStaged;
    private boolean fenceDurable;
    private int limbo;
    private long lastAddConfirmed = Limits.NO_ENTRY_ID;
    private long lastEntryId = Limits.NO_ENTRY_ID;
    private long stagedLastAddConfirmed = Limits.NO_ENTRY_ID;

    AckRun openRun = AckRun.NONE;
    boolean wakeQueued;

    Ledger(long ledgerId) {
        this.ledgerId = ledgerId;
    }

    /** Holds a read until its entry is here. */
    void hold(TailWaiter waiter) {
        if (waiters.isEmpty()) {
            // Few ledgers have readers at their tail.
            waiters = new LinkedHashSet<>();
        }
        waiters.add(waiter);
    }

    /** Takes in facts that are durable. */
    void restore(LedgerFacts facts) {
        known = true;
        fenceStaged |= facts.fenced();
        fenceDurable |= facts.fenced();
        lastAddConfirmed = Math.max(lastAddConfirmed, facts.lastAddConfirmed());
        stagedLastAddConfirmed = Math.max(stagedLastAddConfirmed, lastAddConfirmed);
        lastEntryId = Math.max(lastEntryId, facts.lastEntryId());
        limbo = Math.max(limbo, facts.limbo());
        buriedAt = Math.max(buriedAt, facts.buriedAt());
    }

    /** Whether there are entries that were not given up. */
    void entriesHeld(boolean held) {
        holdsEntries = held;
    }

    /** A run of entries is in a log; its facts may have been lost with part of it. */
    void runHeld(long lastOfRun) {
        known = true;
        holdsEntries = true;
        lastEntryId = Math.max(lastEntryId, lastOfRun);
    }

    /** All entries taken so far are given up, as of the journal incarnation {@code incarnation}. */
    void bury(int incarnation) {
        known = true;
        buriedAt = incarnation;
        holdsEntries = false;
        openRun = AckRun.NONE;
    }

    /** The journal incarnation in which entries were given up for the last time, 0 for never: those in older logs are dead. */
    int buriedAt() {
        return buriedAt;
    }

    /** How many entries were taken, or offered again, since the bookie started. */
    long writes() {
        return writes;
    }

    /** Whether there is anything that cleanup could give up. */
    boolean isHeld() {
        return known && (buriedAt == 0 || holdsEntries);
    }

    /** The facts once everything staged so far is durable. */
    LedgerFacts stagedFacts() {
        return new LedgerFacts(ledgerId, fenceStaged, stagedLastAddConfirmed, lastEntryId, limbo, buriedAt);
    }

    void entryStaged(long entryId, long carriedLastAddConfirmed) {
        known = true;
        holdsEntries = true;
        writes++;
        lastEntryId = Math.max(lastEntryId, entryId);
        stagedLastAddConfirmed = Math.max(stagedLastAddConfirmed, carriedLastAddConfirmed);
    }

    /** An entry comes that may be here already. */
    void entryOffered() {
        writes++;
    }

    void publishedStaged(long published) {
        known = true;
        stagedLastAddConfirmed = Math.max(stagedLastAddConfirmed, published);
    }

    void fenceStaged() {
        known = true;
        fenceStaged = true;
    }

    /** Limbo begins or ends. */
    void limboStaged(int next) {
        known = true;
        limbo = next;
    }

    /** How often limbo began and ended: odd while the ledger is in limbo. */
    int limbo() {
        return limbo;
    }

    /** Whether entries of it may have been lost here, so that none is called absent (B6). */
    boolean isInLimbo() {
        return (limbo & 1) != 0;
    }

    /** Whether that moved what readers may see. */
    boolean confirmedDurably(long confirmed) {
        boolean moves = confirmed > lastAddConfirmed;
        lastAddConfirmed = Math.max(lastAddConfirmed, confirmed);
        return moves;
    }

    void fencedDurably() {
        fenceDurable = true;
    }

    /** Whether this bookie holds anything of it: an entry, a fence, a last add confirmed. */
    boolean isKnown() {
        return known;
    }

    /** Whether normal adds are refused. */
    boolean isFenced() {
        return fenceStaged;
    }

    /** Whether the fence can be told. */
    boolean isFencedDurably() {
        return fenceDurable;
    }

    /** The highest that may be told, -1 for none. */
    long lastAddConfirmed() {
        return lastAddConfirmed;
    }

    /** The highest entry id that was taken, -1 for none. */
    long lastEntryId() {
        return lastEntryId;
    }

    /** The highest last add confirmed that was taken, durable or not. */
    long stagedLastAddConfirmed() {
        return stagedLastAddConfirmed;
    }
}
