// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.Extents;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.bookie.index.LogTable;
import io.daybook.bookie.index.Shelf;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.index.pages.RunPage;
import io.daybook.bookie.index.pages.Walk;
import io.daybook.protocol.StatusCode;
import io.netty.util.collection.LongObjectHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * All ledgers of one core loop.
 *
 * <p><i>Invariants:</i> B6: absence is promised only while the table is sound.
 *
 * <p><i>Threading:</i> the storage loop while the bookie starts, then the core loop.
 */
public final class LedgerTable implements IndexTarget {
    /** What a ledger takes in memory, beside its runs. */
    private static final int LEDGER_BYTES = 160;

    private final LongObjectHashMap<Ledger> ledgers = new LongObjectHashMap<>();
    private final LogTable logs;
    private final PageCache cache;
    private final Shelf shelf;
    private final SortedSet<Integer> doubtedLogs = new TreeSet<>();
    private final List<Runnable> whenBuried = new ArrayList<>();
    private Runnable whenDead = () -> {};
    private int burials;
    private boolean sound = true;

    /** Empty; all of its index stays in memory. */
    public LedgerTable(JournalCount journals) {
        this(journals, PageCache.unbounded());
    }

    /** Empty, with an index that takes its memory from there. */
    public LedgerTable(JournalCount journals, PageCache cache) {
        this.logs = new LogTable(journals);
        this.cache = cache;
        this.shelf = new Shelf(logs, cache);
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

    /**
     * How many ledgers there are.
     *
     * @param held of which there is more than a tombstone
     * @param inLimbo of which entries may be missing
     * @param buried of which only a tombstone is left
     */
    public record Counts(long held, long inLimbo, long buried) {}

    /** How many ledgers there are; looks at each. */
    public Counts counts() {
        long held = 0;
        long inLimbo = 0;
        long buried = 0;
        for (Ledger ledger : ledgers.values()) {
            held += ledger.isHeld() ? 1 : 0;
            inLimbo += ledger.isKnown() && ledger.isInLimbo() ? 1 : 0;
            buried += ledger.buriedAt() > 0 && !ledger.isHeld() ? 1 : 0;
        }
        return new Counts(held, inLimbo, buried);
    }

    /** What to answer for something that is not here, of a ledger of which something is known or not: the ledger, or an entry whose page is in memory. */
    StatusCode absent(@Nullable Ledger ledger, long entryId, StatusCode promise) {
        boolean certain = sound && (ledger == null || !(ledger.isInLimbo() || ledger.extents.isDoubtful(entryId)));
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
            cache.fixed(LEDGER_BYTES);
        }
        return ledger;
    }

    /** Forgets a ledger of which nothing is held and for which nobody waits any more. */
    void dropIfUnused(Ledger ledger) {
        if (!ledger.isKnown() && ledger.waiters.isEmpty()) {
            remove(ledger.ledgerId);
        }
    }

    private void remove(long ledgerId) {
        if (ledgers.remove(ledgerId) != null) {
            cache.fixed(-LEDGER_BYTES);
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

    /** A run of entries became durable outside the journal. It is found from now on, or when pages of the index that are cold were read. */
    @Override
    public void extent(Extent extent) {
        add(extent, () -> {});
    }

    private void add(Extent extent, Runnable then) {
        Ledger ledger = obtain(extent.ledgerId());
        if (isDead(extent, ledger)) {
            addDead(extent);
            then.run();
            return;
        }
        ledger.runHeld(extent.end() - 1);
        whenWarm(ledger, extent, () -> {
            if (isDead(extent, ledger)) {
                addDead(extent);
            } else {
                ledger.extents.add(extent, shelf);
                cache.trim();
            }
            then.run();
        });
    }

    private boolean isDead(Extent extent, Ledger ledger) {
        return logs.age(extent.logId()) < ledger.buriedAt();
    }

    private void addDead(Extent extent) {
        logs.storedDead(extent);
        whenDead.run();
    }

    /** Names who is told of each run that is put in although it belongs to what was given up after its entries were taken. */
    public void onDead(Runnable listener) {
        whenDead = listener;
    }

    /** The runs of a new log became durable outside the journal; {@code then} follows when all of them are found. */
    public void flushed(IndexRows rows, Runnable then) {
        rows.tellLog(this);
        logs.filling(rows.logId(), true);
        Walk.over(rows.extents(), this::add, () -> {
            logs.filling(rows.logId(), false);
            then.run();
        });
    }

    @Override
    public void facts(LedgerFacts facts) {
        Ledger ledger = obtain(facts.ledgerId());
        ledger.restore(facts);
        // Logs are not loaded in the order of their age.
        if (facts.buriedAt() > 0 && !ledger.extents.isEmpty()) {
            removeIf(
                    ledger.extents,
                    logId -> logs.age(logId) < ledger.buriedAt(),
                    () -> ledger.entriesHeld(!ledger.extents.isEmpty()));
        }
    }

    // ---- cold pages ----

    /** What the memory of the index is bounded by. */
    public PageCache cache() {
        return cache;
    }

    /**
     * Reads what the index says of the entries from {@code from} to before {@code end}. {@code then} is told, at once or later, whether it is in memory; false
     * when the device did not answer.
     */
    void whenIndexed(Ledger ledger, long from, long end, Consumer<Boolean> then) {
        List<RunPage> cold = ledger.extents.cold(from, end);
        if (cold.isEmpty()) {
            then.accept(true);
            return;
        }
        cache.read(cold, false, isReadable -> {
            if (isReadable) {
                whenIndexed(ledger, from, end, then);
            } else {
                then.accept(false);
            }
        });
    }

    /** As {@link #whenIndexed}, of a ledger by its id; one that is not here is indexed. */
    public void whenIndexed(long ledgerId, long from, long end, Consumer<Boolean> then) {
        Ledger ledger = ledgers.get(ledgerId);
        if (ledger == null) {
            then.accept(true);
        } else {
            whenIndexed(ledger, from, end, then);
        }
    }

    private void whenWarm(Ledger ledger, Extent range, Runnable then) {
        List<RunPage> cold = ledger.extents.cold(range.firstEntryId(), range.end());
        if (cold.isEmpty()) {
            then.run();
        } else {
            cache.read(cold, true, isReadable -> whenWarm(ledger, range, then));
        }
    }

    /** Takes out the runs in logs of which {@code in} is true, page by page. */
    private void removeIf(Extents extents, IntPredicate in, Runnable then) {
        extents.removeFromTailIf(in, shelf);
        // The last first: what is taken out in front moves all that is behind it.
        List<RunPage> pages = new ArrayList<>(extents.pages());
        Collections.reverse(pages);
        Walk.over(
                pages,
                (page, next) -> cache.read(List.of(page), true, isReadable -> {
                    extents.removeIf(page, in, shelf);
                    next.run();
                }),
                then);
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
        Extents given = ledger.extents;
        ledger.extents = new Extents();
        ledger.bury(incarnation);
        burials++;
        removeIf(given, logId -> true, () -> {
            given.pages().forEach(cache::removed);
            burials--;
            if (burials == 0) {
                List<Runnable> now = List.copyOf(whenBuried);
                whenBuried.clear();
                now.forEach(Runnable::run);
            }
        });
    }

    /** Runs {@code then} when of everything that was given up nothing counts as alive any more, at once or later. */
    public void whenBuried(Runnable then) {
        if (burials == 0) {
            then.run();
        } else {
            whenBuried.add(then);
        }
    }

    /** Forgets a tombstone: no writer of the ledger can come back, and nothing of it is held. */
    public void forget(long ledgerId) {
        Ledger ledger = ledgers.get(ledgerId);
        if (ledger != null && ledger.buriedAt() > 0 && !ledger.isHeld() && ledger.waiters.isEmpty()) {
            remove(ledgerId);
        }
    }

    /** The parts of runs, as an index file tells them, that are alive; told at once or later. */
    public void alive(List<Extent> runs, Consumer<List<Extent>> then) {
        List<Extent> alive = new ArrayList<>();
        Walk.over(
                runs,
                (run, next) -> {
                    Ledger ledger = ledgers.get(run.ledgerId());
                    if (ledger == null) {
                        next.run();
                        return;
                    }
                    whenWarm(ledger, run, () -> {
                        alive.addAll(ledger.extents.alive(run));
                        next.run();
                    });
                },
                () -> then.accept(alive));
    }

    /**
     * Points to copies that lie in another log, wherever the origin still counts and lies in one of {@code origins}; {@code then} follows at once or later.
     */
    public void move(List<Extent> copies, Set<Integer> origins, Runnable then) {
        copies.forEach(copy -> logs.stored(copy.logId(), copy.bytes()));
        Walk.over(
                copies,
                (copy, next) -> {
                    Ledger ledger = ledgers.get(copy.ledgerId());
                    if (ledger == null) {
                        next.run();
                        return;
                    }
                    whenWarm(ledger, copy, () -> {
                        ledger.extents.move(copy, origins::contains, shelf);
                        cache.trim();
                        next.run();
                    });
                },
                then);
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
