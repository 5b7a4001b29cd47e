// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.entrylog.Defects;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.flush.SlabFlush;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.journal.JournalListener;
import io.daybook.bookie.journal.JournalSegment;
import io.daybook.bookie.journal.Journals;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host;
import io.daybook.runtime.Timer;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journals with what becomes of their segments: a full one, or one that is old, is flushed, and taken back when its entries can be found in the index.
 *
 * <p><i>States:</i> working → stopping (what was handed over is flushed; nothing is taken back).
 *
 * <p><i>Threading:</i> the core loop.
 */
final class Flushing implements JournalListener {
    private static final Logger LOG = LoggerFactory.getLogger(Flushing.class);

    private final EventLoop core;
    private final Storage storage;
    private final LedgerTable table;
    private final Faults faults;
    private final Journals journals;
    private final BiConsumer<ExitCode, String> fatal;
    private IntConsumer roomAgain = journal -> {};
    private Timer ageTimer = () -> {};
    private boolean stopping;

    /** Begins the journals; {@code fatal} is told when a commit failed. */
    Flushing(EventLoop core, Storage storage, Bookie.Opened opened, Host host, BiConsumer<ExitCode, String> fatal) {
        this.core = core;
        this.storage = storage;
        this.table = opened.recovered().table();
        this.faults = host.faults();
        this.fatal = fatal;
        table.onDead(() -> faults.reached(SlabFlush.MEETS_DELETION));
        this.journals = new Journals(
                core,
                number -> host.newLoop("bookie-journal-" + number, Host.LoopKind.STORAGE),
                opened.journals(),
                this);
    }

    Journals journals() {
        return journals;
    }

    /** Names who is told the number of a journal that has room again. */
    void onRoom(IntConsumer listener) {
        roomAgain = listener;
    }

    /** Looks now and again for segments that are so old that they are flushed although they are not full. */
    void watchAge(long ageNanos) {
        ageTimer.cancel();
        ageTimer = core.schedule(Math.max(1, ageNanos / 4), () -> {
            journals.roll(ageNanos);
            watchAge(ageNanos);
        });
    }

    @Override
    public void readyToFlush(JournalSegment segment) {
        boolean forgotten = !segment.slab().hasEntries() && faults.at(Defects.FACTS_ALONE_TRIMMED);
        List<LedgerFacts> facts =
                forgotten ? List.of() : table.stagedFacts(segment.slab().ledgerIds());
        boolean calm = !stopping && journals.of(segment).hasFreeSegment();
        long filledNanos = core.nanoTime() - segment.filledSinceNanos();
        storage.flush(segment, facts, calm ? filledNanos / 2 : 0, rows -> flushed(segment, rows));
    }

    private void flushed(JournalSegment segment, IndexRows rows) {
        LOG.debug(
                "incarnation={} runs={} state=FLUSHED",
                segment.incarnation(),
                rows.extents().size());
        table.flushed(rows, () -> {
            if (!stopping) {
                journals.release(segment);
            }
        });
    }

    @Override
    public void roomAgain(int journal) {
        roomAgain.accept(journal);
    }

    @Override
    public void failed(String reason) {
        fatal.accept(ExitCode.JOURNAL_FAILED, reason);
    }

    /** Takes nothing back any more: the bookie stops. */
    void stop() {
        stopping = true;
        ageTimer.cancel();
    }
}
