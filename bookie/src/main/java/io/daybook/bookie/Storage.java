// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.checkpoint.Checkpoint;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.ColdRead;
import io.daybook.bookie.index.ColdReader;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.journal.JournalSegment;
import io.daybook.bookie.ledgers.ColdReads;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Invariants;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The work that blocks: flushes on the storage loop, reads of flushed entries on the read loop; results come back on the core loop.
 *
 * <p><i>States:</i> working → failed (a flush failed: none follows, so that the mark cannot pass what was not moved).
 *
 * <p><i>Invariants:</i> B7: a segment is handed back for reuse only when the mark is beyond it, and its entries are in the index by then (B11).
 *
 * <p><i>Threading:</i> the core loop, but for the methods that say otherwise.
 */
final class Storage implements ColdReads {
    private final EventLoop core;
    private final EventLoop storage;
    private final EventLoop read;
    private final SlabFlush flush;
    private final Checkpoint checkpoint;
    private final ColdReader coldReader;
    private final int ringFiles;
    private final BiConsumer<ExitCode, String> fatal;
    private boolean failed;

    /** The loops of a bookie. */
    record Loops(EventLoop core, EventLoop storage, EventLoop read) {}

    Storage(
            Loops loops,
            Recovery.Recovered recovered,
            ColdReader coldReader,
            int ringFiles,
            BiConsumer<ExitCode, String> fatal) {
        this.core = loops.core();
        this.storage = loops.storage();
        this.read = loops.read();
        this.flush = recovered.flush();
        this.checkpoint = recovered.checkpoint();
        this.coldReader = coldReader;
        this.ringFiles = ringFiles;
        this.fatal = fatal;
    }

    /** Moves a segment out of the journal; {@code done} follows on the core loop with the new runs, unless that fails. */
    void flush(JournalSegment segment, List<LedgerFacts> facts, Consumer<IndexRows> done) {
        ByteBuffer view = segment.slab().sealedView();
        Mark next = new Mark(segment.incarnation() + 1, segment.nextSequence(), segment.incarnation(), ringFiles);
        storage.execute(() -> {
            if (!failed) {
                flushNow(segment, view, facts, next, done);
            }
        });
    }

    /** On the storage loop. */
    private void flushNow(
            JournalSegment segment, ByteBuffer view, List<LedgerFacts> facts, Mark next, Consumer<IndexRows> done) {
        try {
            IndexRows rows = flush.flush(segment.incarnation(), segment.slab(), view, facts);
            checkpoint.advance(next);
            core.execute(() -> done.accept(rows));
        } catch (DiskException failure) {
            failed = true;
            core.execute(() -> fatal.accept(
                    ExitCode.STORAGE_FAILED, "cannot move entries out of the journal: " + failure.getMessage()));
        } catch (Invariants.InvariantViolation violation) {
            failed = true;
            core.execute(() -> fatal.accept(ExitCode.VIOLATION, String.valueOf(violation.getMessage())));
        }
    }

    @Override
    public void begin(ColdRead cold, Consumer<ColdRead> done) {
        read.execute(() -> {
            coldReader.run(cold);
            core.execute(() -> done.accept(cold));
        });
    }

    /** Runs {@code then} on the core loop after every read begun so far has come back; no later one will use these logs. */
    void forget(List<Integer> logIds, Runnable then) {
        read.execute(() -> {
            logIds.forEach(coldReader::forget);
            core.execute(then);
        });
    }

    /** Runs {@code then} on the core loop after every read and flush begun so far has come back. */
    void drain(Runnable then) {
        storage.execute(() -> read.execute(() -> {
            coldReader.close();
            core.execute(then);
        }));
    }

    /** No flush that has not begun yet will be made. From the storage loop. */
    void stopFlushing() {
        storage.execute(() -> failed = true);
    }
}
