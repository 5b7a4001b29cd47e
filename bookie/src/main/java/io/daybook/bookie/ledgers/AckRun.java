// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.journal.Durable;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.runtime.Link;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive adds of one handle that wait for one commit, and are acknowledged by one frame. With deferred sync those that joined in a turn are told before, by
 * one frame, to be taken.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class AckRun implements Durable {
    /** The run that no add joins. */
    static final AckRun NONE = new AckRun();

    private final @Nullable Appends appends;
    private final @Nullable Ledger ledger;
    private final @Nullable Link link;
    private final long commitNumber;
    private final int handle;
    private final int flags;
    private final long firstEntryId;
    private int count = 1;
    private int acceptedCount;
    private boolean isQueued;
    private long lastAddConfirmed;

    private AckRun() {
        appends = null;
        ledger = null;
        link = null;
        commitNumber = -1;
        handle = 0;
        flags = 0;
        firstEntryId = -1;
    }

    AckRun(Appends appends, Ledger ledger, StagedAdd add, long commitNumber) {
        this.appends = appends;
        this.ledger = ledger;
        this.link = add.link();
        this.commitNumber = commitNumber;
        this.handle = add.handle();
        this.flags = add.flags();
        this.firstEntryId = add.entryId();
        this.lastAddConfirmed = add.lastAddConfirmed();
    }

    /** What a run needs to know of an add. */
    record StagedAdd(Link link, int handle, int flags, long entryId, long lastAddConfirmed) {}

    /** Whether the add follows this run and waits for the same commit; if so it joined. */
    boolean tryJoin(Link from, long handleAndFlags, long entryId, long carriedLastAddConfirmed, long commit) {
        boolean joins = commit == commitNumber
                && from == link
                && handleAndFlags == (((long) flags << 32) | (handle & 0xffff_ffffL))
                && entryId == firstEntryId + count;
        if (joins) {
            count++;
            lastAddConfirmed = Math.max(lastAddConfirmed, carriedLastAddConfirmed);
        }
        return joins;
    }

    /** Whether the run is to be told of acceptances at the end of this turn from now on, and was not before. */
    boolean tryQueue() {
        boolean isFresh = !isQueued;
        isQueued = true;
        return isFresh;
    }

    /** Tells that what joined since the last time is taken, unless it is durable already. */
    void accepted(StatusCode status) {
        isQueued = false;
        if (ledger != null && link != null && acceptedCount < count) {
            int joined = count - acceptedCount;
            Answers.send(
                    link, new AddAck(ledger.ledgerId, firstEntryId + acceptedCount, joined, handle, flags, status));
            acceptedCount = count;
        }
    }

    @Override
    public void durable() {
        if (appends == null || ledger == null || link == null) {
            return;
        }
        if (ledger.openRun == this) {
            ledger.openRun = NONE;
        }
        acceptedCount = count;
        Answers.send(link, new AddAck(ledger.ledgerId, firstEntryId, count, handle, flags, StatusCode.OK));
        appends.confirmed(ledger, lastAddConfirmed);
    }
}
