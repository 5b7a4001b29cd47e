// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.Checkpoint;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.bookie.disk.SpaceWatch;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.flush.SlabFlush;
import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.index.IndexConfig;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.index.pages.PageFile;
import io.daybook.bookie.journal.JournalDamagedException;
import io.daybook.bookie.journal.JournalReplay;
import io.daybook.bookie.journal.JournalRing;
import io.daybook.bookie.journal.ReplayTarget;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.bookie.limbo.DamageNotes;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.Faults;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a bookie's state back from its directories: reads the index, makes damaged index files again from their entry logs, and flushes what each
 * journal holds beyond its mark. A crash at any point leaves the same state to start from (B8).
 *
 * <p><i>Threading:</i> blocks; the storage loop, before anything is served.
 */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final DataDisks data;
    private final List<Directories.Directory> directories;
    private final JournalCount journals;
    private final BookieId bookieId;
    private final Checkpoint checkpoint;
    private final LedgerTable table;
    private final PageFile pages;
    private final SlabFlush flush;
    private final Catalog catalog;
    private final DamageNotes notes;
    private final Faults faults;

    /**
     * Reads what is there now: after a failure a copy of the checkpoint may be ahead of what was in memory, and what it counts as flushed must not be
     * taken for a remnant.
     */
    private Recovery(Directories directories, BookieId bookieId, SpaceWatch space, IndexConfig index, Faults faults) {
        directories.disks().forEach(SmallFile::removeUnfinished);
        this.data = directories.data();
        this.directories = directories.journals();
        this.journals = directories.journalCount();
        this.bookieId = bookieId;
        this.checkpoint = checkpoint(directories, bookieId);
        this.flush = new SlabFlush(data, space::roomiest, bookieId, checkpoint.marks(), faults);
        PageCache cache = PageCache.bounded(index.bytesMax());
        this.pages = new PageFile(data.first(), cache.rowsMax());
        cache.over(pages.atOnce());
        this.table = new LedgerTable(journals, cache);
        this.catalog = Catalog.read(directories.disks(), bookieId, journals);
        this.notes = DamageNotes.read(data.first());
        this.faults = faults;
    }

    /**
     * What a bookie goes on with; the next incarnation and sequence of each journal are those of its mark.
     *
     * @param rings the names of the files of each journal, all free
     */
    record Recovered(
            LedgerTable table,
            Checkpoint checkpoint,
            Catalog catalog,
            SlabFlush flush,
            SpaceWatch space,
            DamageNotes notes,
            PageFile pages,
            List<List<String>> rings) {}

    /** Recovers; throws {@link BookieStartException}, {@link DiskException} or {@link io.daybook.bookie.journal.JournalDamagedException}. */
    static Recovered run(Directories directories, BookieId bookieId, BookieConfig config, Faults faults) {
        DataDisks data = directories.data();
        SpaceWatch space = new SpaceWatch(
                data,
                directories.journals().stream().map(Directories.Directory::disk).toList(),
                config.space(),
                config.slabBytes());
        int directoriesLeft = data.all().size();
        while (true) {
            Recovery recovery = new Recovery(directories, bookieId, space, config.index(), faults);
            try {
                return recover(recovery, config, space);
            } catch (RuntimeException | OutOfMemoryError failed) {
                recovery.pages.close();
                if (!(failed instanceof DiskException failure)) {
                    throw failed;
                }
                // Each directory may refuse once, whatever it says of its space; then what is kept back is given up.
                Disk where = directoriesLeft > 0 ? recovery.flush.where() : null;
                if (failure.kind() != DiskException.Kind.FULL || directoriesLeft < 0 || !space.foundFull(where)) {
                    throw failure;
                }
                directoriesLeft--;
                LOG.warn("bookie={} state=DISK_FULL the start is made again: {}", bookieId, failure.getMessage());
            }
        }
    }

    private static Checkpoint checkpoint(Directories directories, BookieId bookieId) {
        Checkpoint checkpoint = Checkpoint.read(directories.disks(), bookieId, directories.journalCount());
        if (checkpoint == null) {
            throw new BookieStartException(
                    ExitCode.DISK,
                    "the file 'checkpoint' is missing or damaged in all directories of bookie " + bookieId
                            + ": restore one from a copy, or give up this bookie and format empty directories as a"
                            + " new one");
        }
        return checkpoint;
    }

    private static Recovered recover(Recovery recovery, BookieConfig config, SpaceWatch space) {
        IndexLoad.run(recovery.data, recovery.bookieId, recovery.checkpoint.marks(), recovery.catalog, recovery.table);
        // Compaction may have removed the newest ones without a successor; a catalog must not fall back behind the
        // chain.
        recovery.checkpoint.marks().forEach(mark -> recovery.table.logs().flushedUpTo(mark.lastLogId()));
        recovery.table.covered(recovery.notes.coveredLogs());
        List<JournalReplay.End> ends = new ArrayList<>();
        for (int journal = 0; journal < recovery.journals.count(); journal++) {
            ends.add(recovery.replay(journal));
        }
        if (recovery.notes.mustDoubt()) {
            // Until all ledgers are in limbo: also when a crash after a first start of this kind left nothing that
            // looks damaged.
            recovery.table.doubtAbsence();
        }
        List<List<String>> rings = recovery.renewJournals(config, ends);
        return new Recovered(
                recovery.table,
                recovery.checkpoint,
                recovery.catalog,
                recovery.flush,
                space,
                recovery.notes,
                recovery.pages,
                rings);
    }

    // ---- journals ----

    private JournalReplay.End replay(int journal) {
        try {
            return replay(journal, directories.get(journal).disk());
        } catch (JournalDamagedException damaged) {
            throw damaged.in(directories.get(journal).path());
        }
    }

    private JournalReplay.End replay(int journal, Disk disk) {
        Mark mark = checkpoint.mark(journal);
        List<String> names = JournalRing.names(disk);
        Optional<Consumer<String>> accepted = notes.isAccepted() ? Optional.of(Recovery::accepted) : Optional.empty();
        JournalRing.lack(disk, mark, bookieId)
                .ifPresent(lack -> accepted.orElseThrow(() -> new JournalDamagedException(lack))
                        .accept(lack));
        return new JournalReplay(disk, bookieId, journals, accepted, faults)
                .replay(names, mark.incarnation(), mark.sequence(), new Target(journal));
    }

    private static void accepted(String damage) {
        LOG.error("state=DAMAGE_ACCEPTED {}", damage);
    }

    /**
     * Begins incarnations that were never used. One is skipped: the start of it may be on the device, torn, and would be taken for a record of the
     * new one. The marks count the rings' files before any of them is removed.
     */
    private List<List<String>> renewJournals(BookieConfig config, List<JournalReplay.End> ends) {
        List<Mark> next = new ArrayList<>();
        for (int journal = 0; journal < ends.size(); journal++) {
            JournalReplay.End end = ends.get(journal);
            int skipped = journals.incarnationAfter(end.incarnation());
            next.add(new Mark(
                    journals.incarnationAfter(skipped),
                    end.nextSequence(),
                    flush.lastLogId(journal),
                    config.slabCount()));
            JournalRing.grow(directories.get(journal).disk(), config.slabCount(), config.slabBytes());
        }
        checkpoint.advanceAll(next);
        return directories.stream()
                .map(directory -> JournalRing.shape(directory.disk(), config.slabCount(), config.slabBytes()))
                .toList();
    }

    /** Turns each file of a journal into an entry log. */
    private final class Target implements ReplayTarget {
        private final int journal;
        private int incarnation;
        private ByteBuffer image = ByteBuffer.allocate(0);
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
        private Slab slab = Slab.over(image);

        private Target(int journal) {
            this.journal = journal;
        }

        @Override
        public void fileBegins(int fileIncarnation, ByteBuffer fileImage) {
            incarnation = fileIncarnation;
            image = fileImage;
            bytes = Unpooled.wrappedBuffer(fileImage);
            slab = Slab.over(fileImage);
        }

        @Override
        public void entry(int offset) {
            long ledgerId = EntryLayout.ledgerId(bytes, offset);
            long entryId = EntryLayout.entryId(bytes, offset);
            table.facts(new LedgerFacts(ledgerId, false, EntryLayout.lastAddConfirmed(bytes, offset), entryId));
            slab.add(ledgerId, entryId, offset);
        }

        @Override
        public void fence(long ledgerId) {
            table.facts(new LedgerFacts(ledgerId, true, -1, -1));
            slab.touch(ledgerId);
        }

        @Override
        public void limbo(long ledgerId, int limbo) {
            table.facts(new LedgerFacts(ledgerId, false, -1, -1, limbo, 0));
            slab.touch(ledgerId);
        }

        @Override
        public void published(long ledgerId, long lastAddConfirmed) {
            table.facts(new LedgerFacts(ledgerId, false, lastAddConfirmed, -1));
            slab.touch(ledgerId);
        }

        @Override
        public void buried(long ledgerId) {
            table.facts(new LedgerFacts(ledgerId, false, -1, -1, 0, incarnation));
            slab.touch(ledgerId);
            slab.hide(ledgerId);
        }

        @Override
        public void fileEnds(long nextSequence) {
            List<LedgerFacts> facts = table.stagedFacts(slab.ledgerIds());
            IndexRows rows = flush.flush(incarnation, slab, image, facts);
            int ringFiles = checkpoint.mark(journal).ringFiles();
            checkpoint.advance(
                    journal, new Mark(journals.incarnationAfter(incarnation), nextSequence, incarnation, ringFiles));
            rows.tellRuns(table);
        }
    }
}
