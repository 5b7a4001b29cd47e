// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.bookie.index.LogTable;
import io.daybook.protocol.StatusCode;
import io.netty.util.collection.LongObjectHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
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
    private final LogTable logs;
    private final SortedSet<Integer> doubtedLogs = new TreeSet<>();
    private boolean sound = true;

    /** Empty. */
    public LedgerTable(JournalCount journals) {
        logs = new LogTable(journals);
    }

    /** From now on nothing is called absent: something that was stored here may be missing. */
    public void doubtAbsence() {
        sound = false;
    }

    /** Whether everything that was stored here is in the index, or known to have been given up. */
    public boolean isSound() {
        return sound;
    }

    /** The logs of which something is missing. */
    public SortedSet<Integer> doubtedLogs() {
        return new TreeSet<>(doubtedLogs);
    }

    /** All ledgers of the time of these logs are in limbo: what is missing of the logs casts no doubt on others. */
    public void covered(Set<Integer> logIds) {
        logIds.forEach(logs::used);
        doubtedLogs.removeAll(logIds);
        sound = doubtedLogs.isEmpty();
    }

    /** The ledgers that are known and not in limbo, rising. */
    public long[] ledgersOutOfLimbo() {
        return ledgersOf(false);
    }

    /** The ledgers that are in limbo, rising. */
    public long[] ledgersInLimbo() {
        return ledgersOf(true);
    }

    private long[] ledgersOf(boolean inLimbo) {
        long[] ids = new long[ledgers.size()];
        int count = 0;
        for (Ledger ledger : ledgers.values()) {
            if (ledger.isKnown() && ledger.isInLimbo() == inLimbo) {
                ids[count++] = ledger.ledgerId;
            }
        }
        long[] sorted = Arrays.copyOf(ids, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /** What to answer for something that is not here, of a ledger of which something is known or not. */
    StatusCode absent(@Nullable Ledger ledger, StatusCode promise) {
        boolean certain = sound && (ledger == null || !ledger.isInLimbo());
        return certain ? promise : StatusCode.UNKNOWN_STATE;
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

    /** Forgets the ledger of that id when nothing is held of it and nobody waits. */
    void dropIfUnused(long ledgerId) {
        Ledger ledger = ledgers.get(ledgerId);
        if (ledger != null) {
            dropIfUnused(ledger);
        }
    }

    /** The logs that hold the entries. */
    public LogTable logs() {
        return logs;
    }

    @Override
    public void log(int logId, int previousLogId) {
        logs.add(logId, previousLogId);
    }

    /** A run of entries became durable outside the journal. */
    @Override
    public void extent(Extent extent) {
        Ledger ledger = obtain(extent.ledgerId());
        if (logs.age(extent.logId()) < ledger.buriedAt()) {
            logs.storedDead(extent);
        } else {
            ledger.extents.add(extent, logs);
            ledger.runHeld(extent.end() - 1);
        }
    }

    @Override
    public void facts(LedgerFacts facts) {
        Ledger ledger = obtain(facts.ledgerId());
        ledger.restore(facts);
        // Logs are not loaded in the order of their age.
        if (facts.buriedAt() > 0) {
            ledger.extents.removeIf(logId -> logs.age(logId) < ledger.buriedAt(), logs);
            ledger.entriesHeld(ledger.extents.size() > 0);
        }
    }

    // ---- cleanup ----

    /** The ledgers of which anything is held that could be given up, rising. */
    public long[] heldLedgers() {
        long[] held = new long[ledgers.size()];
        int count = 0;
        for (Ledger ledger : ledgers.values()) {
            if (ledger.isHeld()) {
                held[count++] = ledger.ledgerId;
            }
        }
        long[] sorted = Arrays.copyOf(held, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /** The ledgers of which only the tombstone is left, rising. */
    public long[] buriedLedgers() {
        long[] buried = new long[ledgers.size()];
        int count = 0;
        for (Ledger ledger : ledgers.values()) {
            if (ledger.buriedAt() > 0 && !ledger.isHeld()) {
                buried[count++] = ledger.ledgerId;
            }
        }
        long[] sorted = Arrays.copyOf(buried, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /** How many entries of a ledger were taken, or offered again, since the bookie started. */
    public long writes(long ledgerId) {
        Ledger ledger = ledgers.get(ledgerId);
        return ledger == null ? 0 : ledger.writes();
    }

    /** Gives up all that is flushed of a ledger, as of the active journal incarnation. */
    void bury(Ledger ledger, int incarnation) {
        ledger.extents.removeIf(logId -> true, logs);
        ledger.bury(incarnation);
    }

    /** Forgets a tombstone: no writer of the ledger can come back, and nothing of it is held. */
    public void forget(long ledgerId) {
        Ledger ledger = ledgers.get(ledgerId);
        if (ledger != null && ledger.buriedAt() > 0 && !ledger.isHeld() && ledger.waiters.isEmpty()) {
            ledgers.remove(ledgerId);
        }
    }

    /** The parts of a run, as an index file tells it, that are alive. */
    public List<Extent> alive(Extent run) {
        Ledger ledger = ledgers.get(run.ledgerId());
        return ledger == null ? List.of() : ledger.extents.alive(run);
    }

    /** Points to copies that lie in another log, wherever the origin still counts and lies in one of {@code origins}. */
    public void move(List<Extent> copies, Set<Integer> origins) {
        int from = 0;
        while (from < copies.size()) {
            long ledgerId = copies.get(from).ledgerId();
            int to = from + 1;
            while (to < copies.size() && copies.get(to).ledgerId() == ledgerId) {
                to++;
            }
            Ledger ledger = ledgers.get(ledgerId);
            if (ledger != null) {
                ledger.extents.move(copies.subList(from, to), origins::contains, logs);
            }
            from = to;
        }
        copies.forEach(copy -> logs.stored(copy.logId(), copy.bytes()));
    }

    @Override
    public void incomplete(int logId) {
        doubtedLogs.add(logId);
        logs.used(logId);
        sound = false;
    }

    /** The facts about ledgers as of everything staged so far. */
    public List<LedgerFacts> stagedFacts(long[] ledgerIds) {
        List<LedgerFacts> facts = new ArrayList<>(ledgerIds.length);
        for (long ledgerId : ledgerIds) {
            facts.add(obtain(ledgerId).stagedFacts());
        }
        return facts;
    }

    /** The facts about those of the ledgers that are not forgotten, as of everything staged so far. */
    public List<LedgerFacts> knownFacts(long[] ledgerIds) {
        List<LedgerFacts> facts = new ArrayList<>(ledgerIds.length);
        for (long ledgerId : ledgerIds) {
            Ledger ledger = ledgers.get(ledgerId);
            if (ledger != null && ledger.isKnown()) {
                facts.add(ledger.stagedFacts());
            }
        }
        return facts;
    }
}
