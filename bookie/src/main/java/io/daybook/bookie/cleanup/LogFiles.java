// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogScan;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.IndexDamagedException;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of logs as compaction deals with them: what is in them, and getting rid of them, by way of the trash.
 *
 * <p><i>Threading:</i> blocks; the work loop.
 */
final class LogFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);

    private final DataDisks data;
    private final BookieId bookieId;
    private final TreeMap<String, Long> trashSinceNanos = new TreeMap<>();

    LogFiles(DataDisks data, BookieId bookieId) {
        this.data = data;
        this.bookieId = bookieId;
    }

    /** What index files say of logs, whose content is known by that; logs of which it is not known are in {@code damaged}. */
    static final class Content implements IndexTarget {
        private final List<Integer> logIds = new ArrayList<>();
        private final List<Integer> damaged = new ArrayList<>();
        private final List<Extent> runs = new ArrayList<>();
        private final TreeSet<Long> ledgerIds = new TreeSet<>();
        private boolean complete;

        @Override
        public void log(int logId, int previousLogId) {
            complete = true;
        }

        @Override
        public void extent(Extent extent) {
            runs.add(extent);
        }

        @Override
        public void facts(LedgerFacts facts) {
            ledgerIds.add(facts.ledgerId());
        }

        @Override
        public void incomplete(int logId) {
            complete = false;
        }

        List<Integer> logIds() {
            return logIds;
        }

        List<Integer> damaged() {
            return damaged;
        }

        List<Extent> runs() {
            return runs;
        }

        /** The ledgers of which there are facts, rising. */
        long[] ledgerIds() {
            return ledgerIds.stream().mapToLong(Long::longValue).toArray();
        }
    }

    /** Reads the index files of logs. */
    Content read(List<Integer> logIds) {
        Content content = new Content();
        for (int logId : logIds) {
            content.complete = false;
            try {
                readIndex(logId, content);
            } catch (DiskException failure) {
                LOG.error("file={} state=KEPT {}", EntryLogFormat.name(logId), failure.getMessage());
            }
            if (content.complete) {
                content.logIds.add(logId);
            } else {
                content.damaged.add(logId);
                content.runs.removeIf(run -> run.logId() == logId);
            }
        }
        return content;
    }

    private void readIndex(int logId, Content content) {
        try {
            IndexFile.read(data.of(IndexFile.name(logId)), logId, content);
        } catch (IndexDamagedException damaged) {
            LOG.warn("file={} state=REBUILDING reason={}", IndexFile.name(logId), damaged.getMessage());
            IndexRows rows = new IndexRows(logId);
            EntryLogScan scan = EntryLogScan.of(data.of(EntryLogFormat.name(logId)), logId, bookieId, rows);
            if (scan.isWhole()) {
                rows.replace(data.of(IndexFile.name(logId), EntryLogFormat.name(logId)), scan.previousLogId());
                rows.tellRuns(content);
                rows.facts().forEach(content::facts);
            }
        }
    }

    /** Puts logs that do not count any more into the trash; what fails is tried again by {@link #emptyTrash}. */
    void trash(List<Integer> logIds, long nowNanos) {
        Set<Disk> changed = new LinkedHashSet<>();
        for (int logId : logIds) {
            for (String name : List.of(EntryLogFormat.name(logId), IndexFile.name(logId))) {
                trash(name, nowNanos, changed);
            }
        }
        changed.forEach(LogFiles::syncNames);
    }

    private void trash(String name, long nowNanos, Set<Disk> changed) {
        try {
            Disk disk = data.of(name);
            if (disk.exists(name)) {
                disk.rename(name, EntryLogFormat.trashName(name));
            }
            trashSinceNanos.put(EntryLogFormat.trashName(name), nowNanos);
            changed.add(disk);
        } catch (DiskException failure) {
            // Under its own name: it goes with the trash all the same.
            trashSinceNanos.put(name, nowNanos);
            LOG.warn("file={} state=REMOVING {}: tried again", name, failure.getMessage());
        }
    }

    /** Takes note of what is in the trash since an earlier life of the bookie. */
    void findTrash(long nowNanos) {
        for (String name : data.names()) {
            if (EntryLogFormat.isTrash(name)) {
                trashSinceNanos.putIfAbsent(name, nowNanos);
            }
        }
    }

    /** Unlinks what was put into the trash before {@code beforeNanos}; what fails is tried again the next time. */
    void emptyTrash(long beforeNanos) {
        unlink(disk -> true, beforeNanos);
    }

    /** As {@link #emptyTrash}, in directories alone to which less than so many bytes can still be written, as far as that can be measured. */
    void emptyTrashOfScarce(long beforeNanos, long scarceBytes) {
        unlink(disk -> isScarce(disk, scarceBytes), beforeNanos);
    }

    private static boolean isScarce(Disk disk, long scarceBytes) {
        try {
            return disk.usableBytes("") < scarceBytes;
        } catch (DiskException failure) {
            LOG.warn("path={} state=UNMEASURED its trash is kept for its time: {}", disk, failure.getMessage());
            return false;
        }
    }

    private void unlink(Predicate<Disk> from, long beforeNanos) {
        Set<Disk> changed = new LinkedHashSet<>();
        trashSinceNanos
                .entrySet()
                .removeIf(trash -> trash.getValue() <= beforeNanos && unlink(trash.getKey(), from, changed));
        changed.forEach(LogFiles::syncNames);
    }

    /** Whether it is gone. */
    private boolean unlink(String name, Predicate<Disk> from, Set<Disk> changed) {
        try {
            Disk disk = data.of(name);
            if (!from.test(disk)) {
                return false;
            }
            if (disk.exists(name)) {
                disk.delete(name);
            }
            changed.add(disk);
            return true;
        } catch (DiskException failure) {
            LOG.warn("file={} state=REMOVING {}: tried again", name, failure.getMessage());
            return false;
        }
    }

    private static void syncNames(Disk disk) {
        try {
            disk.syncDirectory("");
        } catch (DiskException failure) {
            LOG.warn("path={} state=REMOVING the directory cannot be synced: {}", disk, failure.getMessage());
        }
    }
}
