// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogScan;
import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.index.IndexDamagedException;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.bookie.index.MergedIndex;
import io.daybook.bookie.scrub.Damage;
import io.daybook.bookie.scrub.ScrubNotes;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the index files of all logs that count, makes missing and damaged ones again from their logs, and removes what a crash left of unfinished
 * flushes and compactions.
 *
 * <p><i>Invariants:</i> B6: a log that should be there and is not makes absence doubtful; B13: nothing is removed but what the mark or a readable
 * catalog proves to be a remnant.
 *
 * <p><i>Threading:</i> blocks; the storage loop, before anything is served.
 */
final class IndexLoad {
    private static final Logger LOG = LoggerFactory.getLogger(IndexLoad.class);

    private final DataDisks data;
    private final BookieId bookieId;
    private final Catalog catalog;
    private final IndexTarget target;
    private final boolean mends;
    private final TreeSet<Integer> logs = new TreeSet<>();
    private final TreeSet<Integer> present = new TreeSet<>();
    private final Set<String> names = new TreeSet<>();
    private final TreeMap<Integer, Integer> previous = new TreeMap<>();
    private boolean whole = true;

    private IndexLoad(DataDisks data, BookieId bookieId, Catalog catalog, IndexTarget target, boolean mends) {
        this.data = data;
        this.bookieId = bookieId;
        this.catalog = catalog;
        this.target = target;
        this.mends = mends;
    }

    /**
     * Tells logs that count from what a crash left.
     *
     * @param cataloged the logs that the catalog names
     * @param marks of all journals: from which of its files on each is not flushed
     */
    record Remnants(Catalog catalog, Set<Integer> cataloged, List<Mark> marks) {
        /** By what was read from a bookie's directories. */
        static Remnants of(Catalog catalog, List<Mark> marks) {
            return new Remnants(catalog, new TreeSet<>(catalog.logIds()), marks);
        }

        /** Whether a crash cut short the flush or the compaction that made a log. */
        boolean isUnfinished(int logId) {
            return EntryLogFormat.isCompacted(logId)
                    ? catalog.state() == Catalog.State.READ && !cataloged.contains(logId)
                    : logId >= marks.get(journalOf(logId)).incarnation();
        }

        private int journalOf(int logId) {
            return new JournalCount(marks.size()).ofIncarnation(logId);
        }

        /** Whether compaction has replaced a log. */
        boolean isReplaced(int logId) {
            return catalog.state() == Catalog.State.READ
                    && (EntryLogFormat.isCompacted(logId)
                            || logId <= catalog.newestFlushed().get(journalOf(logId)))
                    && !cataloged.contains(logId);
        }
    }

    /** Loads everything; throws {@link io.daybook.runtime.DiskException}. The catalog is written if there was none. */
    static void run(DataDisks data, BookieId bookieId, List<Mark> marks, Catalog catalog, IndexTarget target) {
        catalog.agree();
        IndexLoad load = new IndexLoad(data, bookieId, catalog, target, true);
        load.loadAll(marks);
        if (catalog.state() == Catalog.State.ABSENT && load.whole) {
            catalog.replace(marks.stream().map(Mark::lastLogId).toList(), List.copyOf(load.present), false);
        }
    }

    /** Tells what {@link #run} would, of a bookie that does not run, and changes nothing; throws as that does. */
    static void look(DataDisks data, BookieId bookieId, List<Mark> marks, Catalog catalog, IndexTarget target) {
        new IndexLoad(data, bookieId, catalog, target, false).loadAll(marks);
    }

    private void loadAll(List<Mark> marks) {
        Remnants remnants = Remnants.of(catalog, marks);
        data.all().forEach(disk -> find(remnants, disk));
        if (catalog.state() == Catalog.State.DAMAGED) {
            LOG.error("file={} state=DAMAGED no copy can be read: every log that is there counts", Catalog.NAME);
            doubt(Catalog.UNREADABLE);
        }
        if (catalog.isIncomplete()) {
            LOG.warn("file={} state=INCOMPLETE logs were lost earlier: nothing is called absent", Catalog.NAME);
            doubt(EntryLogFormat.NO_LOG);
        }
        loadMerged();
        loadRest();
        for (int journal = 0; journal < marks.size(); journal++) {
            checkChain(journal, marks.get(journal).lastLogId());
        }
        catalog.logIds().forEach(this::expect);
    }

    /** Finds the logs that count; what a crash left is taken away. */
    private void find(Remnants remnants, Disk disk) {
        boolean changed = false;
        for (String name : disk.list("")) {
            boolean isLog = EntryLogFormat.logId(name) != EntryLogFormat.NO_LOG;
            int logId = isLog ? EntryLogFormat.logId(name) : IndexFile.logId(name);
            if (logId == EntryLogFormat.NO_LOG) {
                continue;
            }
            if (remnants.isUnfinished(logId) || remnants.isReplaced(logId)) {
                changed |= mends && takeAway(disk, name, remnants.isUnfinished(logId));
            } else {
                requireSingle(name);
                present.add(logId);
                if (isLog) {
                    logs.add(logId);
                }
            }
        }
        if (changed) {
            disk.syncDirectory("");
        }
    }

    private static boolean takeAway(Disk disk, String name, boolean isUnfinished) {
        if (isUnfinished) {
            disk.delete(name);
        } else {
            disk.rename(name, EntryLogFormat.trashName(name));
        }
        return true;
    }

    /** Two files of one name would answer for each other. */
    private void requireSingle(String name) {
        if (!names.add(name)) {
            throw new BookieStartException(
                    ExitCode.IDENTITY,
                    "the file " + name + " is in two data directories of bookie " + bookieId
                            + ": one of them was copied there; move that copy away");
        }
    }

    /**
     * All that are there count: also those beyond a gap in the chain, or without a readable catalog. The oldest entries come first, so that what a ledger has is
     * added at its end.
     */
    private void loadRest() {
        for (int logId : present) {
            if (!previous.containsKey(logId)) {
                previous.put(logId, load(logId));
            }
        }
    }

    /** What the index files of many logs say, where that is known from a file for all of them: those that are as they were when it was made. */
    private void loadMerged() {
        Set<Integer> distrusted = distrusted();
        for (String name : data.names()) {
            if (!MergedIndex.isName(name)) {
                continue;
            }
            Disk disk = data.of(name);
            try {
                MergedIndex merged = MergedIndex.read(disk, name);
                if (merged.logs().stream().allMatch(log -> !distrusted.contains(log.logId()) && isAsItWas(log))) {
                    merged.logs().forEach(log -> previous.put(log.logId(), log.previousLogId()));
                    merged.tell(target);
                }
            } catch (IndexDamagedException damaged) {
                if (mends) {
                    LOG.warn("file={} state=REMOVED it is not needed: {}", name, damaged.getMessage());
                    removeMerged(disk, name);
                }
            }
        }
    }

    private static void removeMerged(Disk disk, String name) {
        try {
            disk.delete(name);
        } catch (DiskException failure) {
            LOG.warn("file={} state=LEFT the index files are read all the same: {}", name, failure.getMessage());
        }
    }

    private boolean isAsItWas(MergedIndex.Log log) {
        if (!logs.contains(log.logId()) || previous.containsKey(log.logId())) {
            return false;
        }
        try {
            return MergedIndex.Log.of(data.of(IndexFile.name(log.logId())), log.logId())
                    .equals(log);
        } catch (IndexDamagedException damaged) {
            return false;
        }
    }

    /** The logs whose index file was found to be damaged while the bookie ran. */
    private Set<Integer> distrusted() {
        Set<Integer> damaged = new TreeSet<>();
        try {
            ScrubNotes.read(data.first()).damages().stream()
                    .filter(damage -> damage.kind() == Damage.Kind.INDEX)
                    .forEach(damage -> damaged.add(damage.logId()));
        } catch (DiskException unreadable) {
            LOG.warn("file={} state=UNREADABLE {}", ScrubNotes.NAME, unreadable.getMessage());
        }
        return damaged;
    }

    /** The logs of flushes of one journal that are newer than the catalog. */
    private void checkChain(int journal, int newest) {
        int expected = newest;
        while (expected > catalog.newestFlushed().get(journal)) {
            expect(expected);
            int before = previous.getOrDefault(expected, EntryLogFormat.NO_LOG);
            expected = Math.min(before, expected - 1);
        }
    }

    /** A log that counts. */
    private void expect(int logId) {
        if (!present.contains(logId)) {
            LOG.error("file={} state=LOST both entry log and index file are missing", EntryLogFormat.name(logId));
            doubt(logId);
        }
    }

    private void doubt(int logId) {
        whole = false;
        target.incomplete(logId);
    }

    /** Loads the index of one log and returns the id of the previous log. */
    private int load(int logId) {
        boolean hasLog = logs.contains(logId);
        if (!hasLog) {
            LOG.error(
                    "file={} state=LOST the entry log is missing: its entries are answered as unreadable",
                    EntryLogFormat.name(logId));
        }
        try {
            return IndexFile.read(data.of(IndexFile.name(logId)), logId, target);
        } catch (IndexDamagedException damaged) {
            LOG.warn("file={} state=REBUILDING reason={}", IndexFile.name(logId), damaged.getMessage());
            if (hasLog) {
                return rebuild(logId);
            }
            LOG.error("file={} state=LOST neither entry log nor index file can be used", EntryLogFormat.name(logId));
            doubt(logId);
            return EntryLogFormat.NO_LOG;
        }
    }

    private int rebuild(int logId) {
        IndexRows rows = new IndexRows(logId);
        EntryLogScan scan = EntryLogScan.of(data.of(EntryLogFormat.name(logId)), logId, bookieId, rows);
        if (!scan.isWhole()) {
            LOG.error(
                    "file={} state=DAMAGED its index was lost and some of its records are damaged",
                    EntryLogFormat.name(logId));
            doubt(logId);
            rows.markIncomplete();
        }
        if (mends) {
            rows.replace(data.of(IndexFile.name(logId), EntryLogFormat.name(logId)), scan.previousLogId());
        } else {
            rows.finish(scan.previousLogId());
        }
        rows.tellRuns(target);
        rows.facts().forEach(target::facts);
        return scan.previousLogId();
    }
}
