// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.limbo;

import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.EventLoop;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done about the doubt whether something was lost here.
 *
 * <p><i>States:</i> suspect (all ledgers are put into limbo, then the damage is noted as dealt with) → settled (limbo of single ledgers is ended when it
 * can be). A bookie that lost nothing is settled from the start. When one of several journals lost something, all ledgers are doubted
 * and not only those of that journal: what is noted of damage names none.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Doubts {
    private static final Logger LOG = LoggerFactory.getLogger(Doubts.class);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop core;
    private final EventLoop storage;
    private final Disk notesDisk;
    private final DamageNotes notes;
    private final LedgerTable table;
    private boolean isSuspect;
    private boolean stopped;

    /** As the table says; the notes were read from that disk, and the storage loop may write to it. */
    public Doubts(EventLoop core, EventLoop storage, Disk notesDisk, DamageNotes notes, LedgerTable table) {
        this.core = core;
        this.storage = storage;
        this.notesDisk = notesDisk;
        this.notes = notes;
        this.table = table;
        this.isSuspect = !table.isSound();
    }

    /** Whether it is not settled: nothing is taken, and nothing called absent. */
    public boolean isSuspect() {
        return isSuspect;
    }

    /** Goes on as if nothing were missing. */
    public void forget() {
        table.covered(table.doubtedLogs());
        isSuspect = false;
    }

    /** All ledgers there are are in limbo: notes that what is damaged now is dealt with, as often as it takes; {@code then} follows when it is settled. */
    public void noteDamage(Runnable then) {
        if (stopped) {
            return;
        }
        SortedSet<Integer> doubted = table.doubtedLogs();
        // While no catalog can be read, a log that is lost later would not be noticed.
        doubted.remove(Catalog.UNREADABLE);
        DamageNotes covering = notes.covering(doubted);
        storage.execute(() -> {
            try {
                covering.write(notesDisk);
                core.execute(() -> settle(then));
            } catch (DiskException failure) {
                LOG.warn("state=SUSPECT the notes of damage cannot be written: {}", failure.getMessage());
                storage.schedule(RETRY_NANOS, () -> core.execute(() -> noteDamage(then)));
            }
        });
    }

    private void settle(Runnable then) {
        if (!stopped) {
            forget();
            then.run();
        }
    }

    /** Ends: nothing is settled any more. */
    public void stop() {
        stopped = true;
    }
}
