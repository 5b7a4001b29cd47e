// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.checkpoint.Checkpoint;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.description.OfflineDescription;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogScan;
import io.daybook.bookie.entrylog.EntryLogVisitor;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.index.IndexDamagedException;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.bookie.journal.JournalDamagedException;
import io.daybook.bookie.journal.JournalReplay;
import io.daybook.bookie.journal.JournalRing;
import io.daybook.bookie.journal.ReplayTarget;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.bookie.limbo.DamageNotes;
import io.daybook.bookie.scrub.ScrubNotes;
import io.daybook.bookie.scrub.WholeCheck;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.wire.description.BookieDescription;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The directories of a bookie that does not run, held so that it cannot be started meanwhile: for looking into its files and making its index again.
 *
 * <p><i>Threading:</i> blocks; one thread. Methods throw {@link io.daybook.runtime.DiskException} when a file cannot be used.
 */
public final class OfflineBookie implements AutoCloseable {
    /** Of a damaged journal the first damage is told, for which a start refuses. */
    private static final Optional<Consumer<String>> PASSED_OVER = Optional.of(damage -> {});

    private final Directories directories;
    private final BookieCookie cookie;
    private final BookieId bookieId;

    private OfflineBookie(Directories directories, BookieCookie cookie) {
        this.directories = directories;
        this.cookie = cookie;
        this.bookieId = cookie.bookieId();
    }

    /**
     * Takes the directories that the configuration names; throws {@link BookieStartException} when a process uses them, or when they are not those of
     * one bookie.
     */
    public static OfflineBookie open(BookieConfig config, Host host) {
        Directories directories = Directories.open(config, host, false);
        try {
            return new OfflineBookie(directories, Identity.agreed(directories));
        } catch (RuntimeException refusal) {
            directories.close();
            throw refusal;
        }
    }

    /** Who it is. */
    public BookieId id() {
        return bookieId;
    }

    /** What stands in all of its directories. */
    public BookieCookie cookie() {
        return cookie;
    }

    /**
     * What its next start would find; nothing is changed. The index of all logs is read into memory. Throws {@link BookieStartException} when no copy of the
     * mark can be read.
     */
    public BookieDescription describe() {
        Checkpoint checkpoint = checkpoint();
        LedgerTable table = new LedgerTable(directories.journalCount());
        Catalog catalog = Catalog.read(directories.disks(), bookieId, directories.journalCount());
        IndexLoad.look(directories.data(), bookieId, checkpoint.marks(), catalog, table);
        int dataCount = directories.data().all().size();
        OfflineDescription.Places places = new OfflineDescription.Places(
                places(directories.all().subList(0, dataCount)), places(directories.journals()));
        return new OfflineDescription(places, bookieId, checkpoint, table).describe();
    }

    private static List<OfflineDescription.Place> places(List<Directories.Directory> some) {
        return some.stream()
                .map(directory -> new OfflineDescription.Place(directory.role(), directory.path(), directory.disk()))
                .toList();
    }

    /** The next start passes over damage of the journal and puts all ledgers into limbo. */
    public void acceptDamage() {
        Disk notes = directories.data().first();
        DamageNotes.read(notes).accepted().write(notes);
    }

    // ---- entry logs ----

    /**
     * One entry log and its index file.
     *
     * @param directory the data directory in which it is
     * @param bytes of the log; -1 when it is missing
     * @param previousLogId the newest log of a flush when it was begun, 0 for none
     * @param entries found whole in the log
     * @param facts about ledgers, found whole in the log
     * @param isWhole whether nothing in the log is damaged
     * @param isIndexed whether the index file can be used
     */
    public record Log(
            int logId,
            String directory,
            long bytes,
            int previousLogId,
            long entries,
            long facts,
            boolean isWhole,
            boolean isIndexed) {}

    /** The numbers of all logs of which the log or its index file is there. */
    public SortedSet<Integer> logIds() {
        TreeSet<Integer> ids = new TreeSet<>();
        for (String name : directories.data().names()) {
            ids.add(EntryLogFormat.logId(name));
            ids.add(IndexFile.logId(name));
        }
        ids.remove(EntryLogFormat.NO_LOG);
        return ids;
    }

    /** Whether the log itself is there. */
    public boolean hasLog(int logId) {
        return directories.data().exists(EntryLogFormat.name(logId));
    }

    /** Reads and checks every record of a log, one of {@link #logIds}. */
    public Log log(int logId) {
        String name = EntryLogFormat.name(logId);
        Directories.Directory home = homeOf(logId);
        if (!home.disk().exists(name)) {
            return new Log(logId, home.path(), -1, EntryLogFormat.NO_LOG, 0, 0, false, isIndexed(logId));
        }
        Count count = new Count();
        EntryLogScan scan = scan(logId, count);
        long bytes;
        try (DiskFile file = home.disk().open(name, Disk.OpenMode.READ_ONLY)) {
            bytes = file.size();
        }
        return new Log(
                logId,
                home.path(),
                bytes,
                scan.previousLogId(),
                count.entries,
                count.facts,
                scan.isWhole(),
                isIndexed(logId));
    }

    /** The data directory in which a log is, or at least its index file. */
    private Directories.Directory homeOf(int logId) {
        Disk disk = directories.data().of(EntryLogFormat.name(logId), IndexFile.name(logId));
        return directories.all().stream()
                .filter(directory -> directory.disk().equals(disk))
                .findFirst()
                .orElseThrow();
    }

    /** Reads a log from end to end; whole records are told, damaged ones passed over. */
    public EntryLogScan scan(int logId, EntryLogVisitor visitor) {
        return EntryLogScan.of(directories.data().of(EntryLogFormat.name(logId)), logId, bookieId, visitor);
    }

    /**
     * Checks all logs that count and their index files, those that should be there and are missing included, and notes the outcome for whoever
     * repairs. What a crash left of unfinished logs is passed over: the next start removes it. Throws {@link BookieStartException} when no copy of the
     * mark can be read.
     *
     * @param nowMillis the time by the wall clock
     * @param progress told how many bytes were read, piece by piece
     */
    public ScrubNotes scrub(long nowMillis, LongConsumer progress) {
        SortedSet<Integer> ids = logIds();
        Catalog catalog = Catalog.read(directories.disks(), bookieId, directories.journalCount());
        List<Mark> marks = checkpoint().marks();
        IndexLoad.Remnants remnants = IndexLoad.Remnants.of(catalog, marks);
        ids.removeIf(logId -> remnants.isUnfinished(logId) || remnants.isReplaced(logId));
        ids.addAll(catalog.logIds());
        for (int journal = 0; journal < marks.size(); journal++) {
            ids.addAll(chain(
                    marks.get(journal).lastLogId(), catalog.newestFlushed().get(journal)));
        }
        return new WholeCheck(directories.data(), bookieId, directories.journalCount()).run(ids, nowMillis, progress);
    }

    /** The logs of flushes of one journal that are newer than the catalog, back to the first of which nobody can tell what was before it. */
    private SortedSet<Integer> chain(int newest, int newestOfCatalog) {
        TreeSet<Integer> chain = new TreeSet<>();
        int logId = newest;
        while (logId > newestOfCatalog && chain.add(logId)) {
            logId = previousOf(logId);
        }
        return chain;
    }

    private int previousOf(int logId) {
        try {
            return IndexFile.read(directories.data().of(IndexFile.name(logId)), logId, new Count());
        } catch (IndexDamagedException damaged) {
            return hasLog(logId) ? scan(logId, new Count()).previousLogId() : EntryLogFormat.NO_LOG;
        }
    }

    /** Bytes of all logs. */
    public long logBytes() {
        long bytes = 0;
        for (int logId : logIds()) {
            if (hasLog(logId)) {
                try (DiskFile file = directories
                        .data()
                        .of(EntryLogFormat.name(logId))
                        .open(EntryLogFormat.name(logId), Disk.OpenMode.READ_ONLY)) {
                    bytes += file.size();
                }
            }
        }
        return bytes;
    }

    private boolean isIndexed(int logId) {
        return indexed(logId) >= 0;
    }

    /** How many entries the index file of a log has; -1 when it cannot be used. */
    private long indexed(int logId) {
        Count count = new Count();
        try {
            IndexFile.read(directories.data().of(IndexFile.name(logId)), logId, count);
            return count.incomplete ? -1 : count.entries;
        } catch (IndexDamagedException damaged) {
            return -1;
        }
    }

    /** Counts what it is told. */
    private static final class Count implements EntryLogVisitor, IndexTarget {
        private long entries;
        private long facts;
        private boolean incomplete;

        @Override
        public void entry(long ledgerId, long entryId, long position, long end) {
            entries++;
        }

        @Override
        public void facts(LedgerFacts of) {
            facts++;
        }

        @Override
        public void log(int logId, int previousLogId) {}

        @Override
        public void extent(Extent extent) {
            entries += extent.count();
        }

        @Override
        public void incomplete(int logId) {
            incomplete = true;
        }
    }

    // ---- index ----

    /** What became of the index file of a log. */
    public enum Rebuilt {
        /** It could be used and was left alone. */
        SOUND,
        /** It was made again from its log, and lacks nothing. */
        REBUILT,
        /** It was made again from a log that is damaged: the bookie will answer "unknown" instead of "absent". */
        INCOMPLETE,
        /** Its log is missing: nothing can be done. */
        LOST
    }

    /**
     * An index file that was looked after.
     *
     * @param entries that it has
     */
    public record Index(Rebuilt state, long entries) {}

    /**
     * Makes the index file of a log again from the log.
     *
     * @param always whether also when it can be used; one that can be used is never replaced by one that is incomplete
     */
    public Index rebuildIndex(int logId, boolean always) {
        long entries = indexed(logId);
        boolean usable = entries >= 0;
        if (usable && !(always && hasLog(logId))) {
            return new Index(Rebuilt.SOUND, entries);
        }
        if (!hasLog(logId)) {
            return new Index(Rebuilt.LOST, 0);
        }
        IndexRows rows = new IndexRows(logId);
        EntryLogScan scan = scan(logId, rows);
        if (!scan.isWhole()) {
            if (usable) {
                return new Index(Rebuilt.SOUND, entries);
            }
            rows.markIncomplete();
        }
        rows.replace(directories.data().of(IndexFile.name(logId), EntryLogFormat.name(logId)), scan.previousLogId());
        long indexed =
                rows.extents().stream().mapToLong(IndexTarget.Extent::count).sum();
        return new Index(scan.isWhole() ? Rebuilt.REBUILT : Rebuilt.INCOMPLETE, indexed);
    }

    // ---- journals ----

    /**
     * Up to where a journal is not needed any more.
     *
     * @param directory of the journal
     * @param incarnation of the first file that the next start reads
     * @param sequence of its first record
     * @param ringFiles that the journal has at least
     * @param filesFound that are there
     */
    public record JournalMark(String directory, int incarnation, long sequence, int ringFiles, int filesFound) {}

    /** The mark of each journal, in the order of their numbers; throws {@link BookieStartException} when no copy of them can be read. */
    public List<JournalMark> journalMarks() {
        Checkpoint checkpoint = checkpoint();
        List<JournalMark> marks = new ArrayList<>();
        for (Directories.Directory directory : directories.journals()) {
            Mark mark = checkpoint.mark(marks.size());
            marks.add(new JournalMark(
                    directory.path(),
                    mark.incarnation(),
                    mark.sequence(),
                    mark.ringFiles(),
                    JournalRing.names(directory.disk()).size()));
        }
        return marks;
    }

    /**
     * Tells what the next start would replay, one journal after the other. What is whole is told of a damaged one too, as a start does after its damage was
     * accepted; nothing of one that a newer version wrote.
     *
     * @return what is damaged, because of which a start refuses
     */
    public List<String> replay(ReplayTarget target) {
        Checkpoint checkpoint = checkpoint();
        List<String> damages = new ArrayList<>();
        for (int journal = 0; journal < directories.journals().size(); journal++) {
            Directories.Directory directory = directories.journals().get(journal);
            replay(checkpoint.mark(journal), directory.disk(), target)
                    .ifPresent(damage -> damages.add("the journal in " + directory.path() + " is damaged: " + damage));
        }
        return damages;
    }

    private Optional<String> replay(Mark mark, Disk journal, ReplayTarget target) {
        Optional<String> lack = JournalRing.lack(journal, mark, bookieId);
        if (lack.isEmpty()) {
            Optional<String> damage = replay(mark, journal, Optional.empty(), target);
            if (damage.isEmpty()) {
                return damage;
            }
            replay(mark, journal, PASSED_OVER, target);
            return damage;
        }
        replay(mark, journal, PASSED_OVER, target);
        return lack;
    }

    /** What ended it, if anything did. */
    private Optional<String> replay(
            Mark mark, Disk journal, Optional<Consumer<String>> passedOver, ReplayTarget target) {
        try {
            new JournalReplay(journal, bookieId, directories.journalCount(), passedOver, Faults.NONE)
                    .replay(JournalRing.names(journal), mark.incarnation(), mark.sequence(), target);
            return Optional.empty();
        } catch (JournalDamagedException damaged) {
            return Optional.of(String.valueOf(damaged.getMessage()));
        }
    }

    private Checkpoint checkpoint() {
        Checkpoint checkpoint = Checkpoint.read(directories.disks(), bookieId, directories.journalCount());
        if (checkpoint == null) {
            throw new BookieStartException(
                    ExitCode.DISK,
                    "the file 'checkpoint' is missing or damaged in all directories of bookie " + bookieId);
        }
        return checkpoint;
    }

    /** Lets the bookie be started again. */
    @Override
    public void close() {
        directories.close();
    }
}
