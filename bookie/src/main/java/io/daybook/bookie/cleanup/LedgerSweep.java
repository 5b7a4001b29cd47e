// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.bookie.entrylog.Defects;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the ledgers whose entries here nobody will ever ask for, and gives them up: those that are gone from metadata, and closed ones of which no
 * fragment names this bookie (surplus copies). Only a closed ledger can have surplus copies: the recovery of an open one copies entries to bookies
 * that metadata does not name yet.
 *
 * <p><i>States:</i> idle → listing → looking at listed ledgers in turn → asking for each that was suspected long enough → idle.
 *
 * <p><i>Invariants:</i> A1, M7, D15: nothing is given up but what two questions, a grace time apart, found not to be needed: a complete listing, begun
 * after the local ledgers were counted, and a read of that one ledger after everything acknowledged before it. Any failure of the first kind voids the
 * round, of the second the suspicion's turn. A ledger of which anything was taken between the questions is not given up.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class LedgerSweep {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerSweep.class);
    private static final int PAGE = 1000;

    /** Ledgers looked at for surplus copies in one round: some a second with the default interval. */
    private static final int LOOKS_OF_ROUND = 4096;

    /** Questions that wait for answers at once: so tombstones share journal commits, and the metadata store is not flooded. */
    private static final int QUESTIONS_AT_ONCE = 32;

    /** A writer of a ledger that is gone learns it from its first refused add; an add of it travels seconds at most. */
    private static final long TOMBSTONE_NANOS = TimeUnit.HOURS.toNanos(24);

    private final CleanupParts parts;
    private final CleanupConfig config;
    private final TreeMap<Long, Suspicion> suspected = new TreeMap<>();
    private final TreeMap<Long, Long> tombstonesSinceNanos = new TreeMap<>();
    private long[] local = {};
    private final BitSet listed = new BitSet();
    private long surplusCursor = -1;
    private Runnable done = () -> {};
    private boolean stopped;
    private long buried;
    private String lastFailure = "";

    /** A ledger that may not be needed: since when, and how many of its entries had been taken by then. */
    private record Suspicion(boolean gone, long sinceNanos, long writes) {}

    LedgerSweep(CleanupParts parts, CleanupConfig config) {
        this.parts = parts;
        this.config = config;
    }

    /** Makes one round; {@code then} follows on the core loop, unless it is stopped. */
    void run(Runnable then) {
        done = then;
        local = parts.table().heldLedgers();
        listed.clear();
        listFrom(-1);
    }

    // ---- the first question ----

    private void listFrom(long after) {
        parts.core().resume(parts.metadata().list(after, PAGE), (page, failure) -> {
            if (!stopped) {
                listed(page, failure);
            }
        });
    }

    private void listed(@Nullable Page<Long> page, @Nullable Throwable failure) {
        if (page == null) {
            fail("the ledgers cannot be listed: " + reason(failure));
            if (parts.faults().at(Defects.ONE_LISTING_DECIDES)) {
                compare();
            } else {
                done.run();
            }
            return;
        }
        for (long ledgerId : page.items()) {
            int index = Arrays.binarySearch(local, ledgerId);
            if (index >= 0) {
                listed.set(index);
            }
        }
        if (page.isLast() || page.items().isEmpty()) {
            if (page.isLast()) {
                compare();
            } else {
                fail("the listing of ledgers ended without saying that it is complete");
                done.run();
            }
        } else {
            listFrom(page.items().get(page.items().size() - 1));
        }
    }

    private void compare() {
        for (int i = 0; i < local.length; i++) {
            Suspicion before = suspected.get(local[i]);
            boolean suspectedGone = before != null && before.gone();
            if (listed.get(i) && suspectedGone) {
                suspected.remove(local[i]);
            } else if (!listed.get(i) && !suspectedGone) {
                suspect(local[i], true);
            }
        }
        suspected.keySet().removeIf(ledgerId -> Arrays.binarySearch(local, ledgerId) < 0);
        new Questions(turn(), parts.metadata()::read, this::looked, this::askAgain).ask();
    }

    private void suspect(long ledgerId, boolean gone) {
        long writes = parts.table().writes(ledgerId);
        suspected.put(ledgerId, new Suspicion(gone, parts.core().nanoTime(), writes));
    }

    /** The listed ledgers held here whose turn it is, none of which is suspected. */
    private Deque<Long> turn() {
        Deque<Long> turn = new ArrayDeque<>();
        int start = Arrays.binarySearch(local, surplusCursor + 1);
        start = start < 0 ? -start - 1 : start;
        int looked = 0;
        for (; looked < local.length && turn.size() < LOOKS_OF_ROUND; looked++) {
            int index = (start + looked) % local.length;
            long ledgerId = local[index];
            surplusCursor = ledgerId;
            if (listed.get(index) && !suspected.containsKey(ledgerId)) {
                turn.add(ledgerId);
            }
        }
        return turn;
    }

    private void looked(long ledgerId, Answer answer, Runnable next) {
        if (answer.metadata() != null && isSurplus(answer.metadata())) {
            suspect(ledgerId, false);
        }
        next.run();
    }

    private boolean isSurplus(Versioned<LedgerMetadata> metadata) {
        LedgerMetadata ledger = metadata.value();
        return ledger.state() == LedgerState.CLOSED
                && ledger.fragments().stream()
                        .noneMatch(fragment -> fragment.ensemble().contains(parts.bookieId()));
    }

    // ---- the second question ----

    private Deque<Long> due() {
        Deque<Long> due = new ArrayDeque<>();
        long graceNanos = config.grace().toNanos();
        long now = parts.core().nanoTime();
        boolean early = parts.faults().at(Defects.ONE_LISTING_DECIDES);
        suspected.forEach((ledgerId, suspicion) -> {
            boolean old = now - suspicion.sinceNanos() >= graceNanos && now != suspicion.sinceNanos();
            if (old || early) {
                due.add(ledgerId);
            }
        });
        return due;
    }

    private void askAgain() {
        if (parts.faults().at(Defects.ONE_LISTING_DECIDES)) {
            due().forEach(ledgerId -> bury(ledgerId, () -> {}));
            forgetTombstones();
            return;
        }
        new Questions(due(), parts.metadata()::readLatest, this::answeredAgain, this::forgetTombstones).ask();
    }

    private void answeredAgain(long ledgerId, Answer answer, Runnable next) {
        Suspicion suspicion = suspected.get(ledgerId);
        if (suspicion != null && isConfirmed(ledgerId, suspicion, answer)) {
            bury(ledgerId, next);
        } else {
            next.run();
        }
    }

    /** What the second answer says: a suspicion that it refutes is dropped, one that it leaves open stays for the next round. */
    private boolean isConfirmed(long ledgerId, Suspicion suspicion, Answer answer) {
        Versioned<LedgerMetadata> metadata = answer.metadata();
        if (metadata == null && !answer.isNotFound()) {
            fail("ledger " + ledgerId + " cannot be read: " + reason(answer.failure()));
            return false;
        }
        boolean confirmed = suspicion.gone()
                ? metadata == null
                : metadata != null && isSurplus(metadata) && parts.table().writes(ledgerId) == suspicion.writes();
        if (!confirmed) {
            suspected.remove(ledgerId);
        }
        return confirmed;
    }

    private void bury(long ledgerId, Runnable next) {
        Suspicion suspicion = suspected.remove(ledgerId);
        boolean gone = suspicion == null || suspicion.gone();
        LOG.debug("ledger={} state=BURIED reason={}", ledgerId, gone ? "gone" : "surplus");
        // Whatever a writer adds to a ledger that is gone is not needed either.
        long writes = suspicion == null || gone ? parts.table().writes(ledgerId) : suspicion.writes();
        boolean begun = parts.appends().bury(ledgerId, gone, writes, () -> {
            buried++;
            next.run();
        });
        if (!begun) {
            // There is no room, or something was taken: the next round asks again.
            if (suspicion != null) {
                suspected.put(ledgerId, suspicion);
            }
            next.run();
        }
    }

    // ---- tombstones ----

    /** The tombstones that have been there for long enough to ask whether their ledgers are gone. */
    private Deque<Long> oldTombstones() {
        long now = parts.core().nanoTime();
        long[] tombstones = parts.table().buriedLedgers();
        tombstonesSinceNanos.keySet().removeIf(ledgerId -> Arrays.binarySearch(tombstones, ledgerId) < 0);
        Deque<Long> old = new ArrayDeque<>();
        for (long ledgerId : tombstones) {
            tombstonesSinceNanos.putIfAbsent(ledgerId, now);
            boolean due = now - tombstonesSinceNanos.get(ledgerId) >= TOMBSTONE_NANOS;
            if (due) {
                old.add(ledgerId);
            }
        }
        return old;
    }

    private void forgetTombstones() {
        new Questions(oldTombstones(), parts.metadata()::readLatest, this::answeredOfTombstone, done).ask();
    }

    /** A tombstone goes when its ledger is gone; that of a surplus copy stays, with the fence that it may keep (B3). */
    private void answeredOfTombstone(long ledgerId, Answer answer, Runnable next) {
        if (answer.isNotFound()) {
            parts.table().forget(ledgerId);
        } else {
            tombstonesSinceNanos.put(ledgerId, parts.core().nanoTime());
        }
        next.run();
    }

    // ---- questions ----

    /** What the metadata store says of a ledger. */
    private record Answer(
            @Nullable Versioned<LedgerMetadata> metadata,
            @Nullable Throwable failure) {
        private boolean isNotFound() {
            return failure instanceof MetadataException refusal && refusal.code() == MetadataException.Code.NOT_FOUND;
        }
    }

    /** Asks for one ledger. */
    @FunctionalInterface
    private interface Question {
        CompletableFuture<Versioned<LedgerMetadata>> about(long ledgerId);
    }

    /** Takes one answer and goes on when it has dealt with it. */
    @FunctionalInterface
    private interface Taker {
        void take(long ledgerId, Answer answer, Runnable next);
    }

    /** Questions about ledgers, several at once, and what follows when all are answered. */
    private final class Questions {
        private final Deque<Long> left;
        private final Question question;
        private final Taker taker;
        private final Runnable then;
        private int asked;
        private boolean ended;

        private Questions(Deque<Long> left, Question question, Taker taker, Runnable then) {
            this.left = left;
            this.question = question;
            this.taker = taker;
            this.then = then;
        }

        private void ask() {
            while (!stopped && asked < QUESTIONS_AT_ONCE && !left.isEmpty()) {
                long ledgerId = left.removeFirst();
                asked++;
                parts.core().resume(question.about(ledgerId), (metadata, failure) -> {
                    if (!stopped) {
                        taker.take(ledgerId, new Answer(metadata, failure), this::dealtWith);
                    }
                });
            }
            if (!stopped && asked == 0 && !ended) {
                ended = true;
                then.run();
            }
        }

        private void dealtWith() {
            asked--;
            ask();
        }
    }

    // ---- results ----

    private static String reason(@Nullable Throwable failure) {
        return failure == null ? "no answer" : String.valueOf(failure.getMessage());
    }

    private void fail(String reason) {
        if (!reason.equals(lastFailure)) {
            LOG.warn("state=CLEANUP_WAITS {}", reason);
        }
        lastFailure = reason;
    }

    /** Nothing is asked or given up any more. */
    void stop() {
        stopped = true;
    }

    long buried() {
        return buried;
    }

    int waiting() {
        return suspected.size();
    }

    String lastFailure() {
        return lastFailure;
    }
}
