// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.checkpoint.Checkpoint;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.entrylog.Defects;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.flush.FlushQueue;
import io.daybook.bookie.index.ColdRead;
import io.daybook.bookie.index.ColdReader;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.index.pages.PageFile;
import io.daybook.bookie.index.pages.PageIo;
import io.daybook.bookie.journal.JournalSegment;
import io.daybook.bookie.ledgers.ColdReads;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work that blocks: flushes on the storage loop, reads of flushed entries on the read loop; results come back on the core loop.
 *
 * <p><i>States:</i> working → failed (a flush failed: {@link FlushQueue} makes no other, so that the mark cannot pass what was not moved).
 *
 * <p><i>Invariants:</i> B7: a segment is handed back for reuse only when the mark is beyond it, and its entries are in the index by then (B11).
 *
 * <p><i>Threading:</i> the core loop, but for the methods that say otherwise.
 */
final class Storage implements ColdReads, PageIo {
    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);

    /** What must be known of the index is asked for so often, a second apart: so long a device may take to come back. */
    private static final int PAGE_READS_MAX = 60;

    private static final long RETRY_NANOS = 1_000_000_000;

    private final EventLoop core;
    private final EventLoop storage;
    private final EventLoop read;
    private final FlushQueue flushes;
    private final Faults faults;
    private final Checkpoint checkpoint;
    private final ColdReader coldReader;
    private final JournalCount journals;
    private final PageFile pages;
    private final long reservedBytes;
    private final int ringFiles;
    private final BiConsumer<ExitCode, String> fatal;

    /** Whether a page could not be read since one could. Used on the read loop only, like {@link #isAway}. */
    private boolean isFailing;

    /** Whether one that had to be known was given up since. */
    private boolean isAway;

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
        this.flushes = new FlushQueue(loops.storage(), recovered.flush(), recovered.space(), this::flushFailed);
        this.faults = recovered.flush().faults();
        this.checkpoint = recovered.checkpoint();
        this.coldReader = coldReader;
        this.journals = new JournalCount(checkpoint.marks().size());
        this.pages = recovered.pages();
        this.reservedBytes = recovered.space().reservedBytes();
        this.ringFiles = ringFiles;
        this.fatal = fatal;
        recovered.table().cache().over(this);
    }

    /**
     * Moves a segment out of its journal; {@code done} follows on the core loop with the new runs, unless that fails.
     *
     * @param spreadNanos over how long the writes may be spread while no other segment waits
     */
    void flush(JournalSegment segment, List<LedgerFacts> facts, long spreadNanos, Consumer<IndexRows> done) {
        ByteBuffer view = segment.slab().sealedView();
        int journal = journals.ofIncarnation(segment.incarnation());
        Mark next = new Mark(
                journals.incarnationAfter(segment.incarnation()),
                segment.nextSequence(),
                segment.incarnation(),
                ringFiles);
        boolean early = faults.at(Defects.EARLY_MARK);
        FlushQueue.Order order = new FlushQueue.Order(segment, view, facts, spreadNanos, rows -> {
            if (!early) {
                advance(journal, next);
            }
            core.execute(() -> done.accept(rows));
        });
        storage.execute(() -> {
            if (early) {
                advance(journal, next);
            }
            flushes.add(order);
        });
    }

    /** On the storage loop. */
    private void advance(int journal, Mark next) {
        if (faults.at(Defects.FURTHEST_MARK)) {
            advanceToFurthest(journal, next);
        } else {
            checkpoint.advance(journal, next);
        }
    }

    private void advanceToFurthest(int own, Mark next) {
        for (int journal = 0; journal < journals.count(); journal++) {
            Mark mark = checkpoint.mark(journal);
            int furthest = next.incarnation() + Math.floorMod(journal - own, journals.count());
            if (furthest > mark.incarnation()) {
                Mark raised = new Mark(furthest, mark.sequence(), mark.lastLogId(), ringFiles);
                checkpoint.advance(journal, journal == own ? next : raised);
            }
        }
    }

    /** On the storage loop. */
    private void flushFailed(Throwable failure) {
        ExitCode exitCode = failure instanceof DiskException ? ExitCode.STORAGE_FAILED : ExitCode.VIOLATION;
        String reason = failure instanceof DiskException
                ? "cannot move entries out of the journal: " + failure.getMessage()
                : String.valueOf(failure.getMessage());
        core.execute(() -> fatal.accept(exitCode, reason));
    }

    @Override
    public void begin(ColdRead cold, Consumer<ColdRead> done) {
        read.execute(() -> {
            coldReader.run(cold);
            core.execute(() -> done.accept(cold));
        });
    }

    @Override
    public void read(Place place, boolean insists, Consumer<Answer> done) {
        faults.reached(PageCache.READ_AGAIN);
        read.execute(() -> {
            if (insists) {
                insist(place, PAGE_READS_MAX, done);
            } else {
                readPage(place, answer -> core.execute(() -> done.accept(answer)));
            }
        });
    }

    /**
     * On the read loop: reads until the device answers, or was away for as long as it may. One that was is asked once for each further page, until it answers
     * again: what needs many pages would not end for hours.
     */
    private void insist(Place place, int readsLeft, Consumer<Answer> done) {
        readPage(place, answer -> {
            boolean isUnreadable = answer.equals(Answer.UNREADABLE);
            if (isUnreadable && readsLeft > 1 && !isAway) {
                read.schedule(RETRY_NANOS, () -> insist(place, readsLeft - 1, done));
                return;
            }
            isAway = isUnreadable;
            core.execute(() -> done.accept(isUnreadable ? Answer.DAMAGED : answer));
        });
    }

    /** On the read loop. Nobody is told when the bookie has stopped meanwhile. */
    private void readPage(Place place, Consumer<Answer> done) {
        Answer answer;
        try {
            answer = pages.read(place);
            isFailing = false;
            isAway = false;
        } catch (DiskException failure) {
            if (pages.isClosed()) {
                return;
            }
            if (!isFailing) {
                LOG.warn("file={} state=UNREADABLE {}", PageFile.NAME, failure.getMessage());
            }
            isFailing = true;
            answer = Answer.UNREADABLE;
        }
        done.accept(answer);
    }

    @Override
    public void write(List<Image> images, boolean isUrgent, Consumer<Boolean> done) {
        read.execute(() -> {
            boolean isDone = pages.tryWrite(images, isUrgent ? 0 : reservedBytes);
            core.execute(() -> done.accept(isDone));
        });
    }

    /** Runs {@code then} on the core loop after every read begun so far has come back; no later one will use these logs. */
    void forget(List<Integer> logIds, Runnable then) {
        read.execute(() -> {
            logIds.forEach(coldReader::forget);
            core.execute(then);
        });
    }

    /**
     * Runs {@code then} on the core loop after every read and flush begun so far has come back. What waits for space is tried once more; if there is
     * none it stays in the journal, and the next start moves it.
     */
    void drain(Runnable then) {
        storage.execute(() -> flushes.whenIdle(() -> read.execute(() -> {
            try {
                coldReader.close();
                pages.close();
            } catch (DiskException unclean) {
                LOG.warn("state=NOT_CLOSED {}", unclean.getMessage());
            } finally {
                core.execute(then);
            }
        })));
    }

    /** Nothing more is flushed; what is under way is given up, as by a crash. */
    void stopFlushing() {
        storage.execute(flushes::stop);
    }
}
