// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.limbo;

import io.daybook.bookie.ledgers.Appends;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends limbo of ledgers that are closed and of which this bookie holds every entry that metadata assigns to it, because nothing was lost or because it
 * was repaired: what it calls absent then is not assigned to it.
 *
 * <p><i>States:</i> resting → asking for one ledger → comparing it, some entries in a turn → the next ledger → resting.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class LimboEnd {
    /** A situation of simulated runs: a ledger came out of limbo. */
    public static final String ENDED = "ledger-out-of-limbo";

    private static final Logger LOG = LoggerFactory.getLogger(LimboEnd.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int ENTRIES_OF_TURN = 5_000;

    private final EventLoop core;
    private final LedgerMetadataStore ledgers;
    private final LedgerTable table;
    private final Appends appends;
    private final BookieId self;
    private final Deque<Long> left = new ArrayDeque<>();
    private Runnable onEnded = () -> {};
    private Timer timer = () -> {};
    private boolean stopped;

    /** For the bookie {@code self}. */
    public LimboEnd(EventLoop core, LedgerMetadataStore ledgers, LedgerTable table, Appends appends, BookieId self) {
        this.core = core;
        this.ledgers = ledgers;
        this.table = table;
        this.appends = appends;
        this.self = self;
    }

    /** Runs {@code task} whenever a ledger comes out of limbo. */
    public void onEnded(Runnable task) {
        onEnded = task;
    }

    /** Looks now and again. */
    public void start() {
        timer = core.schedule(INTERVAL_NANOS, () -> {
            for (long ledgerId : table.ledgersInLimbo()) {
                left.addLast(ledgerId);
            }
            next();
        });
    }

    /** Ends. */
    public void stop() {
        stopped = true;
        timer.cancel();
    }

    private void next() {
        if (stopped) {
            return;
        }
        Long ledgerId = left.pollFirst();
        if (ledgerId == null) {
            start();
            return;
        }
        core.resume(ledgers.readLatest(ledgerId), (metadata, failure) -> {
            if (metadata != null && metadata.value().state() == LedgerState.CLOSED) {
                compareFrom(metadata.value(), 0);
            } else {
                LOG.debug("ledger={} state=LIMBO not closed, gone or unknown", ledgerId);
                next();
            }
        });
    }

    private void compareFrom(LedgerMetadata ledger, long from) {
        if (stopped) {
            return;
        }
        long end = Math.min(ledger.lastEntryId() + 1, from + ENTRIES_OF_TURN);
        table.whenIndexed(ledger.ledgerId(), from, end, isKnown -> {
            if (stopped) {
                return;
            }
            if (isKnown) {
                compare(ledger, from, end);
            } else {
                LOG.debug("ledger={} entry={} state=LIMBO its index cannot be read", ledger.ledgerId(), from);
                next();
            }
        });
    }

    private void compare(LedgerMetadata ledger, long from, long end) {
        for (long entryId = from; entryId < end; entryId++) {
            if (isAssigned(ledger, entryId) && !appends.holds(ledger.ledgerId(), entryId)) {
                LOG.debug("ledger={} entry={} state=LIMBO it is missing here", ledger.ledgerId(), entryId);
                next();
                return;
            }
        }
        if (end <= ledger.lastEntryId()) {
            core.execute(() -> compareFrom(ledger, end));
        } else {
            appends.endLimbo(ledger.ledgerId());
            onEnded.run();
            next();
        }
    }

    /** Whether metadata says that this bookie has a copy: the write set of an entry are the members (entry + i) mod E. */
    private boolean isAssigned(LedgerMetadata ledger, long entryId) {
        Fragment fragment = ledger.fragmentOf(entryId);
        int slot = fragment.ensemble().indexOf(self);
        int ensembleSize = ledger.quorums().ensembleSize();
        return slot >= 0
                && Math.floorMod(slot - entryId, (long) ensembleSize)
                        < ledger.quorums().writeQuorum();
    }
}
