// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.bookie.disk.Headroom;
import io.daybook.bookie.disk.Throttle;
import io.daybook.bookie.entrylog.Defects;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogWriter;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.index.ColdReader;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.bookie.index.LogTable;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.Invariants;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what is alive out of logs of which little is, or which are small, and removes them, one batch after the other; a batch is of one journal's ledgers.
 *
 * <p><i>States:</i> idle → reading the index files of a batch → copying → replacing the catalog → letting reads go → removing → the next batch or idle.
 *
 * <p><i>Invariants:</i> B13, D14: a log is removed only when nothing in it is alive by the index, all of whose entries point to durable copies, and the
 * catalog that does not name it is durable. A log that is damaged stays and is reported, and is tried again in the next major round; an error ends the
 * round for that journal, never the loop (S-15).
 *
 * <p><i>Threading:</i> the core loop; blocking work on the work loop.
 */
final class Compaction {
    private static final Logger LOG = LoggerFactory.getLogger(Compaction.class);

    private static final Comparator<IndexTarget.Extent> IN_ORDER =
            Comparator.comparingLong(IndexTarget.Extent::ledgerId).thenComparingLong(IndexTarget.Extent::firstEntryId);

    private final CleanupParts parts;
    private final CleanupConfig config;
    private final LogTable logs;
    private final LogFiles files;
    private final CopyJob.Tools tools;
    private final TreeSet<Integer> kept = new TreeSet<>();
    private final TreeSet<Integer> told = new TreeSet<>();

    /** Directories that had no space for a copy in this round, whatever they say (S-18). */
    private final List<Disk> refusing = new ArrayList<>();

    private Runnable done = () -> {};
    private int livePercentMax;

    /** Of the logs of the batch: a new log holds ledgers of one journal, by whose flushes its age is told. */
    private int journal;

    /** The first of which nothing failed since logs were removed: what cannot be done for one journal must not keep the logs of another (B14). */
    private int firstJournal;

    private int nextLogId;
    private boolean stopped;
    private long logsRemoved;
    private long bytesCopied;
    private String lastFailure = "";

    /** Used on the work loop only. */
    private @Nullable CopyJob job;

    Compaction(CleanupParts parts, CleanupConfig config) {
        this.parts = parts;
        this.config = config;
        this.logs = parts.table().logs();
        this.files = new LogFiles(parts.data(), parts.bookieId());
        this.tools = new CopyJob.Tools(
                parts.bookieId(),
                parts.work(),
                new ColdReader(parts.data()),
                EntryLogWriter.newChunk(parts.data().coarsest()),
                new Throttle(config.bytesPerSecondMax()));
        nextLogId = logs.nextCompacted();
        onWork(this::findTrash);
    }

    private void findTrash() {
        try {
            files.findTrash(parts.work().nanoTime());
        } catch (DiskException failure) {
            LOG.warn("state=LEFT what is in the trash stays until the next start: {}", failure.getMessage());
        }
    }

    /** Compacts until nothing is left to do, or something fails; {@code then} follows on the core loop, unless it is stopped. */
    void run(boolean major, Runnable then) {
        done = then;
        refusing.clear();
        firstJournal = 0;
        if (major) {
            // What could not be read may have been the device's, for a while.
            kept.clear();
        }
        livePercentMax = major ? config.majorLivePercent() : config.minorLivePercent();
        // What was given up before counts as dead then: it may be all the space there is to be had (B14).
        parts.table().whenBuried(() -> onCore(this::nextBatch));
    }

    private void nextBatch() {
        if (stopped) {
            return;
        }
        for (journal = firstJournal; journal < logs.newestFlushed().size(); journal++) {
            List<Integer> victims = VictimChoice.choose(logs.shares(journal), kept, livePercentMax, parts.slabBytes());
            if (!victims.isEmpty()) {
                read(victims);
                return;
            }
        }
        emptyTrash(done);
    }

    private void read(List<Integer> victims) {
        onWork(() -> {
            LogFiles.Content content = files.read(victims);
            onCore(() -> choose(content));
        });
    }

    // ---- copying ----

    private void choose(LogFiles.Content content) {
        content.damaged().forEach(this::keep);
        if (content.logIds().isEmpty()) {
            nextBatch();
            return;
        }
        Set<Integer> victims = new TreeSet<>(content.logIds());
        long bytes = logs.shares(journal).stream()
                .filter(share -> victims.contains(share.logId()))
                .mapToLong(LogTable.Share::liveBytes)
                .sum();
        List<Disk> passedOver = List.copyOf(refusing);
        onWork(() -> {
            // What is kept back may be used: more comes back than is written.
            Headroom.Room room = parts.headroom().makeRoom(bytes + parts.slabBytes(), passedOver);
            onCore(() -> copyAlive(content, room.disk(), room.isEnough() || bytes == 0));
        });
    }

    private void copyAlive(LogFiles.Content content, Disk where, boolean isRoom) {
        List<Integer> victims = content.logIds();
        if (!isRoom) {
            // Logs without live entries can go all the same: so a full disk gets room (B14).
            victims = victims.stream().filter(logs::isDead).toList();
            if (victims.isEmpty()) {
                fail("there is no room to copy entries");
                return;
            }
        }
        Set<Integer> chosen = new TreeSet<>(victims);
        List<Integer> copied = victims;
        // Of the beginning: what is flushed or given up while it is found out what is alive is newer than the copies.
        int age = logs.newestFlushed().get(journal);
        // By ledger, so that pages of the index that are cold are read once.
        List<IndexTarget.Extent> runs = content.runs().stream()
                .filter(run -> chosen.contains(run.logId()))
                .sorted(IN_ORDER)
                .toList();
        parts.table()
                .alive(
                        runs,
                        alive -> onCore(() -> {
                            List<LedgerFacts> facts = parts.table().knownFacts(content.ledgerIds());
                            List<IndexTarget.Extent> inOrder =
                                    alive.stream().sorted(IN_ORDER).toList();
                            copy(where, copied, new CopyJob.Order(nextLogId, age, inOrder, facts));
                        }));
    }

    private void copy(Disk where, List<Integer> victims, CopyJob.Order order) {
        if (order.alive().isEmpty() && order.facts().isEmpty()) {
            replaceCatalog(victims);
            return;
        }
        nextLogId++;
        onWork(() -> {
            job = new CopyJob(where, order, tools, outcome -> onCore(() -> copied(where, victims, order, outcome)));
            job.begin();
        });
    }

    private void keep(int logId) {
        kept.add(logId);
        if (told.add(logId)) {
            LOG.error(
                    "file={} state=KEPT it cannot be read and is not compacted: that is tried again in each major round; if"
                            + " it is damaged, its space comes back when its ledgers are repaired elsewhere and this"
                            + " bookie is replaced",
                    EntryLogFormat.name(logId));
        }
    }

    private void copied(Disk where, List<Integer> victims, CopyJob.Order order, CopyJob.Outcome outcome) {
        bytesCopied += outcome.bytes();
        IndexRows rows = outcome.rows();
        if (rows == null && outcome.damagedLog() != EntryLogFormat.NO_LOG) {
            keep(outcome.damagedLog());
            nextBatch();
        } else if (rows == null && outcome.isFull() && isFirstRefusal(where)) {
            nextBatch();
        } else if (rows == null) {
            fail(outcome.failure());
        } else {
            if (!order.alive().isEmpty()) {
                parts.faults().reached(Cleanup.ENTRIES_MOVED);
            }
            logs.add(order.logId(), order.newestFlushed());
            parts.table().move(rows.extents(), new TreeSet<>(victims), () -> onCore(() -> replaceCatalog(victims)));
        }
    }

    /** Whether there is another directory to be tried. */
    private boolean isFirstRefusal(Disk where) {
        if (refusing.contains(where)) {
            return false;
        }
        refusing.add(where);
        boolean isOther = refusing.size() < parts.data().all().size();
        LOG.info(
                "path={} state=REFUSES {}",
                where,
                isOther ? "copies go to another data directory" : "no data directory is left for copies");
        return isOther;
    }

    // ---- taking effect ----

    private void replaceCatalog(List<Integer> victims) {
        parts.table().whenBuried(() -> onCore(() -> replaceCatalogNow(victims)));
    }

    private void replaceCatalogNow(List<Integer> victims) {
        List<Integer> dead = victims.stream().filter(logs::isDead).toList();
        // The index points to an entry that the log's index file does not know of: nothing is removed that is not
        // understood.
        victims.stream().filter(logId -> !logs.isDead(logId)).forEach(this::keep);
        Set<Integer> remaining = new TreeSet<>(logs.ids());
        dead.forEach(remaining::remove);
        // Lost logs stay named until their ledgers are in limbo, or a start would not miss them any more (B6).
        remaining.addAll(parts.table().doubtedLogs());
        remaining.removeAll(List.of(EntryLogFormat.NO_LOG, Catalog.UNREADABLE));
        List<Integer> catalog = List.copyOf(remaining);
        List<Integer> newestFlushed = logs.newestFlushed();
        boolean incomplete = !parts.table().isSound();
        onWork(() -> {
            if (parts.faults().at(Defects.EARLY_UNLINK)) {
                files.trash(dead, Long.MIN_VALUE);
                files.emptyTrash(Long.MIN_VALUE);
            }
            parts.catalog().replace(newestFlushed, catalog, incomplete);
            onCore(() -> letReadsGo(dead));
        });
    }

    private void letReadsGo(List<Integer> dead) {
        dead.forEach(logs::remove);
        logsRemoved += dead.size();
        if (!dead.isEmpty()) {
            firstJournal = 0;
        }
        parts.reads()
                .forget(
                        dead,
                        () -> onWork(() -> {
                            dead.forEach(tools.reader()::forget);
                            files.trash(dead, parts.work().nanoTime());
                            onCore(() -> emptyTrash(this::nextBatch));
                        }));
    }

    /** Removes what has been in the trash for long enough; all of it in directories where space is scarce. */
    private void emptyTrash(Runnable then) {
        onWork(() -> {
            long now = parts.work().nanoTime();
            files.emptyTrash(now - config.trashRetention().toNanos());
            files.emptyTrashOfScarce(now, (long) VictimChoice.SLABS_OF_LOG * 2 * parts.slabBytes());
            onCore(then);
        });
    }

    /** Goes on with the next journal, and ends the round after the last. */
    private void fail(@Nullable String reason) {
        lastFailure = String.valueOf(reason);
        LOG.warn("journal={} state=COMPACTION_ENDED {}: tried again in the next round", journal, lastFailure);
        firstJournal = journal + 1;
        nextBatch();
    }

    // ---- loops ----

    private void onWork(Runnable task) {
        if (stopped) {
            return;
        }
        parts.work().execute(() -> {
            try {
                task.run();
            } catch (DiskException failure) {
                onCore(() -> fail(failure.getMessage()));
            } catch (Invariants.InvariantViolation violation) {
                onCore(() -> parts.fatal().accept(String.valueOf(violation.getMessage())));
            }
        });
    }

    private void onCore(Runnable task) {
        parts.core().execute(() -> {
            if (stopped) {
                return;
            }
            try {
                task.run();
            } catch (Invariants.InvariantViolation violation) {
                parts.fatal().accept(String.valueOf(violation.getMessage()));
            }
        });
    }

    /** Ends whatever is under way; {@code then} follows on the core loop when no file is held any more. */
    void stop(Runnable then) {
        stopped = true;
        parts.work().execute(() -> {
            if (job != null) {
                job.abandon();
            }
            tools.reader().close();
            parts.core().execute(then);
        });
    }

    // ---- what came of it ----

    long logsRemoved() {
        return logsRemoved;
    }

    long bytesCopied() {
        return bytesCopied;
    }

    List<String> logsKept() {
        return kept.stream().map(Integer::toHexString).toList();
    }

    String lastFailure() {
        return lastFailure;
    }
}
