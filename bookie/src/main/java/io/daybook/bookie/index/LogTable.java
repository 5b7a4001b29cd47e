// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.protocol.Limits;
import io.daybook.runtime.Invariants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * The entry logs that count, how old each is and how much of it is alive.
 *
 * <p>The <i>age</i> of a log is that of its newest entries: the log of a flush has the age of its journal incarnation, one made by compaction that of
 * the newest flush of the same journal when its entries were chosen. A log holds ledgers of one journal, so ages that are compared are of one journal.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class LogTable {
    private final TreeMap<Integer, Log> logs = new TreeMap<>();
    private final JournalCount journals;
    private final int[] newestFlushed;
    private int newestCompacted = Integer.MIN_VALUE;

    /** Empty. */
    public LogTable(JournalCount journals) {
        this.journals = journals;
        this.newestFlushed = new int[journals.count()];
    }

    /** A log. */
    private static final class Log {
        private final int age;
        private long bytes;
        private long liveBytes;
        private long liveEntries;
        private boolean isFilling;

        private Log(int age) {
            this.age = age;
        }
    }

    /**
     * How much of a log is alive.
     *
     * @param bytes of the records of all entries in it
     * @param liveBytes of the records of those that the index points to
     */
    public record Share(int logId, long bytes, long liveBytes) {
        /** The share that is alive, in percent; 0 for a log without entries. */
        public int livePercent() {
            return bytes == 0 ? 0 : (int) (liveBytes * 100 / bytes);
        }
    }

    /** Adds a log, unless it is here. {@code previousLogId} as its index file says. */
    public void add(int logId, int previousLogId) {
        int age = EntryLogFormat.isCompacted(logId) ? previousLogId : logId;
        logs.putIfAbsent(logId, new Log(age));
        used(logId);
        flushedUpTo(age);
    }

    /** Notes that logs of flushes of a journal up to this one were made, whether they are still here or not. */
    public void flushedUpTo(int logId) {
        int journal = journals.ofIncarnation(logId);
        newestFlushed[journal] = Math.max(newestFlushed[journal], logId);
    }

    /** Notes that a log of that id was made once, wherever it is now: no other gets its id (B6). */
    public void used(int logId) {
        if (EntryLogFormat.isCompacted(logId) && logId != Catalog.UNREADABLE) {
            newestCompacted = Math.max(newestCompacted, logId);
        }
    }

    /** The id of the next log that compaction makes. */
    public int nextCompacted() {
        return newestCompacted + 1;
    }

    /** Notes that runs of a log are not counted yet, or that all are: until then nothing is said of how much of it is alive (B13). */
    public void filling(int logId, boolean isFilling) {
        log(logId).isFilling = isFilling;
    }

    /** Takes a log away, of which nothing may be alive (B13). */
    public void remove(int logId) {
        Log log = logs.get(logId);
        Invariants.require(
                log != null && !log.isFilling && log.liveEntries == 0,
                "B13: log {} would be removed with {} live entries",
                Integer.toHexString(logId),
                log == null ? -1 : log.liveEntries);
        logs.remove(logId);
    }

    /** How old a log is. */
    public int age(int logId) {
        Log log = logs.get(logId);
        return log == null ? Math.max(logId, 0) : log.age;
    }

    /** Whether a copy in one log counts rather than one in another. */
    boolean isNewer(int logId, int than) {
        int byAge = Integer.compare(age(logId), age(than));
        return byAge != 0 ? byAge > 0 : Integer.compareUnsigned(logId, than) > 0;
    }

    /** The newest log of a flush of each journal that was ever here, 0 for none; in the order of the journals' numbers. */
    public List<Integer> newestFlushed() {
        return Arrays.stream(newestFlushed).boxed().toList();
    }

    /** All logs, in order of their ids. */
    public List<Integer> ids() {
        return List.copyOf(logs.keySet());
    }

    /** How much of each log of a journal's ledgers is alive, if all runs of the log are counted. */
    public List<Share> shares(int journal) {
        List<Share> shares = new ArrayList<>();
        logs.forEach((logId, log) -> {
            if (!log.isFilling && journals.ofIncarnation(log.age) == journal) {
                shares.add(new Share(logId, log.bytes, log.liveBytes));
            }
        });
        return shares;
    }

    /**
     * How much is in all logs together.
     *
     * @param count of logs
     * @param bytes of the records of all entries
     * @param liveBytes of the records of those that the index points to
     * @param liveEntries that the index points to
     */
    public record Total(long count, long bytes, long liveBytes, long liveEntries) {}

    /** How much is in all logs together. */
    public Total total() {
        long bytes = 0;
        long liveBytes = 0;
        for (Log log : logs.values()) {
            bytes += log.bytes;
            liveBytes += log.liveBytes;
        }
        return new Total(logs.size(), bytes, liveBytes, liveEntries());
    }

    /** How many entries are alive in all logs. */
    public long liveEntries() {
        return logs.values().stream().mapToLong(log -> log.liveEntries).sum();
    }

    /** Bytes of a live entry's record in a log, on average; as many as one answer takes while none is counted. */
    long liveEntryBytes(int logId) {
        Log log = logs.get(logId);
        return log == null || log.liveEntries == 0 ? Limits.READ_BYTES_MAX : log.liveBytes / log.liveEntries;
    }

    /** Whether nothing in a log is alive. */
    public boolean isDead(int logId) {
        Log log = logs.get(logId);
        return log != null && !log.isFilling && log.liveEntries == 0;
    }

    /** Counts a run of which nothing is alive. */
    public void storedDead(IndexTarget.Extent run) {
        stored(run.logId(), run.bytes());
    }

    /** Counts bytes of entries in a log, dead or alive. */
    public void stored(int logId, long bytes) {
        log(logId).bytes += bytes;
    }

    void lives(int logId, int entries, long bytes) {
        Log log = log(logId);
        log.liveEntries += entries;
        log.liveBytes += bytes;
    }

    void dies(int logId, int entries, long bytes) {
        lives(logId, -entries, -bytes);
    }

    private Log log(int logId) {
        return logs.computeIfAbsent(logId, id -> new Log(Math.max(id, 0)));
    }
}
