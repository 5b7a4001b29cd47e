// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.flush;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.cache.SlabEntries;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogWriter;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.journal.Journal;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Invariants;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/**
 * Moves what is in a sealed slab into an entry log, sorted by ledger and entry, and an index file. The log is numbered like the journal's
 * incarnation, so that a flush that a crash cut short is recognised and made again.
 *
 * <p><i>Threading:</i> blocks; the storage loop.
 */
public final class SlabFlush {
    /** A situation of simulated runs: a ledger was given up while entries of it were on their way into an entry log. */
    public static final String MEETS_DELETION = "flush-meets-deletion";

    /**
     * Bytes of one write while nothing is served. A durable write into a growing file costs about as much as 4 MiB of data take, so that smaller ones are most of the time
     * of a start; larger ones gain nothing.
     */
    private static final int AT_ONCE_BYTES = 16 * EntryLogWriter.CHUNK_BYTES;

    private final DataDisks data;
    private final Supplier<Disk> place;
    private final BookieId bookieId;
    private final ByteBuffer chunk;
    private final Checksum checksum = new Checksum();
    private final Faults faults;
    private final JournalCount journals;
    private final int[] lastLogIds;
    private Disk where;

    /**
     * Over the data directories.
     *
     * @param place says in which of them the next log is made
     * @param marks of all journals
     */
    public SlabFlush(DataDisks data, Supplier<Disk> place, BookieId bookieId, List<Mark> marks, Faults faults) {
        this.data = data;
        this.place = place;
        this.faults = faults;
        this.bookieId = bookieId;
        this.journals = new JournalCount(marks.size());
        this.lastLogIds = marks.stream().mapToInt(Mark::lastLogId).toArray();
        this.where = data.first();
        this.chunk = EntryLogWriter.newChunk(data.coarsest());
    }

    /** The fault points. */
    public Faults faults() {
        return faults;
    }

    /** The newest log that counts, of the flushes of a journal. */
    public int lastLogId(int journal) {
        return lastLogIds[journal];
    }

    /** The directory of the flush that was begun last. */
    public Disk where() {
        return where;
    }

    /** Removes what a flush that found no space left behind. Throws {@link io.daybook.runtime.DiskException}. */
    void discard(int logId) {
        for (Disk disk : data.all()) {
            boolean changed = false;
            for (String name : List.of(EntryLogFormat.name(logId), IndexFile.name(logId))) {
                if (disk.exists(name)) {
                    disk.delete(name);
                    changed = true;
                }
            }
            if (changed) {
                disk.syncDirectory("");
            }
        }
    }

    /**
     * Writes log and index file at once, in large writes; both are durable on return, names included. Throws {@link io.daybook.runtime.DiskException}.
     *
     * @param view the slab's memory as this loop may read it
     */
    public IndexRows flush(int logId, Slab slab, ByteBuffer view, List<LedgerFacts> facts) {
        boolean isLarge = view.capacity() > EntryLogWriter.CHUNK_BYTES;
        ByteBuffer memory = isLarge ? EntryLogWriter.newChunk(data.coarsest(), AT_ONCE_BYTES) : chunk;
        try (Run run = new Run(create(logId, memory), logId, slab, view, facts)) {
            boolean last;
            do {
                last = run.writeSome();
            } while (!last);
            return run.rows();
        }
    }

    /** Begins a flush that is made piece by piece; one at a time. Throws {@link io.daybook.runtime.DiskException}. */
    Run begin(int logId, Slab slab, ByteBuffer view, List<LedgerFacts> facts) {
        return new Run(create(logId, chunk), logId, slab, view, facts);
    }

    private EntryLogWriter create(int logId, ByteBuffer memory) {
        where = place.get();
        EntryLogWriter log = EntryLogWriter.create(where, logId, previousLogId(logId), bookieId, memory);
        log.plant(faults);
        return log;
    }

    private int previousLogId(int logId) {
        return lastLogIds[journals.ofIncarnation(logId)];
    }

    /** One flush under way. */
    final class Run implements AutoCloseable {
        private final EntryLogWriter log;
        private final int logId;
        private final Slab slab;
        private final ByteBuffer view;
        private final List<LedgerFacts> facts;
        private final IndexRows rows;
        private final long[] ledgerIds;
        private int nextLedger;
        private int nextSlot;

        private Run(EntryLogWriter log, int logId, Slab slab, ByteBuffer view, List<LedgerFacts> facts) {
            this.log = log;
            this.logId = logId;
            this.slab = slab;
            this.view = view;
            this.facts = facts;
            this.rows = new IndexRows(logId);
            this.ledgerIds = slab.ledgerIds();
        }

        /** Of the new log: how many bytes stand in it so far. */
        long bytes() {
            return log.position();
        }

        /** The runs of the new log, when all is written. */
        IndexRows rows() {
            return rows;
        }

        /**
         * Writes about {@link EntryLogWriter#CHUNK_BYTES} more. Throws {@link io.daybook.runtime.DiskException}.
         *
         * @return whether that was the last piece: log and index file are durable then, names included
         */
        boolean writeSome() {
            long until = log.position() + EntryLogWriter.CHUNK_BYTES;
            while (nextLedger < ledgerIds.length) {
                SlabEntries entries = slab.entries(ledgerIds[nextLedger]);
                while (entries != null && nextSlot < entries.count()) {
                    if (log.position() >= until) {
                        return false;
                    }
                    append(ledgerIds[nextLedger], entries.entryId(nextSlot), entries.offset(nextSlot));
                    nextSlot++;
                }
                nextLedger++;
                nextSlot = 0;
            }
            finish();
            return true;
        }

        private void append(long ledgerId, long entryId, int offset) {
            Invariants.require(
                    Journal.isIntact(view, offset, checksum),
                    "B5: entry {} of ledger {} changed in memory since it was staged",
                    entryId,
                    ledgerId);
            long position = log.position();
            log.appendEntry(view, offset, Slab.lengthAt(view, offset));
            rows.entry(ledgerId, entryId, position, log.position());
        }

        private void finish() {
            for (LedgerFacts of : facts) {
                log.appendFacts(of);
                rows.facts(of);
            }
            log.finish();
            rows.write(where, IndexFile.name(logId), previousLogId(logId));
            where.syncDirectory("");
            lastLogIds[journals.ofIncarnation(logId)] = logId;
        }

        /** Releases the log; without its last piece it is one that a crash cut short. */
        @Override
        public void close() {
            log.close();
        }
    }
}
