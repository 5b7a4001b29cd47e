// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.protocol.StatusCode;
import io.netty.util.collection.LongObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All ledgers of one core loop.
 *
 * <p><i>Invariants:</i> B6: absence is promised only while the table is sound.
 *
 * <p><i>Threading:</i> the storage loop while the bookie starts, then the core loop.
 */
public final class LedgerTable implements IndexTarget {
    private final LongObjectHashMap<Ledger> ledgers = new LongObjectHashMap<>();
    private boolean sound = true;

    /** Empty. */
    public LedgerTable() {}

    /** From now on nothing is called absent: something that was stored here may be missing from the index. */
    public void doubtAbsence() {
        sound = false;
    }

    /** What to answer for something that is not here. */
    StatusCode absent(StatusCode promise) {
        return sound ? promise : StatusCode.UNKNOWN_STATE;
    }

    /** The ledger, or null when nothing at all is known of it. */
    @Nullable
    Ledger get(long ledgerId) {
        return ledgers.get(ledgerId);
    }

    /** The ledger, made when there is none. */
    Ledger obtain(long ledgerId) {
        Ledger ledger = ledgers.get(ledgerId);
        if (ledger == null) {
            ledger = new Ledger(ledgerId);
            ledgers.put(ledgerId, ledger);
        }
        return ledger;
    }

    /** Forgets a ledger of which nothing is held and for which nobody waits any more. */
    void dropIfUnused(Ledger ledger) {
        if (!ledger.isKnown() && ledger.waiters.isEmpty()) {
            ledgers.remove(ledger.ledgerId);
        }
    }

    /** A run of entries became durable outside the journal. */
    @Override
    public void extent(Extent extent) {
        obtain(extent.ledgerId()).extents.add(extent.firstEntryId(), extent.count(), extent.logId(), extent.tableRow());
    }

    @Override
    public void facts(LedgerFacts facts) {
        obtain(facts.ledgerId()).restore(facts);
    }

    @Override
    public void incomplete(int logId) {
        doubtAbsence();
    }

    /** Whether the index holds an entry. */
    public boolean isFlushed(long ledgerId, long entryId) {
        Ledger ledger = ledgers.get(ledgerId);
        return ledger != null && ledger.extents.find(entryId) >= 0;
    }

    /** The facts about ledgers as of everything staged so far. */
    public List<LedgerFacts> stagedFacts(long[] ledgerIds) {
        List<LedgerFacts> facts = new ArrayList<>(ledgerIds.length);
        for (long ledgerId : ledgerIds) {
            facts.add(obtain(ledgerId).stagedFacts());
        }
        return facts;
    }
}
