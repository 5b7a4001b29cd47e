// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.bookie.disk.Throttle;
import io.daybook.bookie.index.IndexDamagedException;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.MergedIndex;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what index files say of many logs together in files of its own, so that the next start reads few. They are redundant: one that names a log that does not
 * count any more is removed, and its other logs are merged anew. Logs whose index cannot be used are left out until the next major round.
 *
 * <p><i>States:</i> idle → looking for files that are of no use any more → reading the index files of a group, one by one → writing it → the next group or idle.
 *
 * <p><i>Threading:</i> the work loop; begun on the core loop.
 */
public final class IndexMerge {
    /** The situation that the index of some logs was merged. */
    public static final String MERGED = "index-merged";

    private static final Logger LOG = LoggerFactory.getLogger(IndexMerge.class);

    /** A file holds about so many rows at most: it is made in memory. */
    private static final int ROWS_MAX = 256 * 1024;

    private final CleanupParts parts;
    private final int logsOfGroup;
    private final Throttle throttle;
    private final TreeMap<String, List<Integer>> merged = new TreeMap<>();
    private final TreeSet<Integer> unusable = new TreeSet<>();
    private final Deque<Integer> left = new ArrayDeque<>();
    private MergedIndex.Draft draft = new MergedIndex.Draft();
    private Runnable done = () -> {};
    private boolean isAware;
    private volatile boolean stopped;
    private volatile boolean isCut;

    IndexMerge(CleanupParts parts, int logsOfGroup, long bytesPerSecondMax) {
        this.parts = parts;
        this.logsOfGroup = logsOfGroup;
        this.throttle = new Throttle(bytesPerSecondMax);
    }

    /**
     * Merges what there is to merge; {@code then} follows on the core loop, unless it is stopped. On the core loop.
     *
     * @param major whether index files that could not be used are tried again: it may have been the device's fault, for a while
     * @param isAwaited whether somebody waits for the next round: this one ends at once then
     */
    void run(boolean major, boolean isAwaited, Runnable then) {
        isCut = isAwaited;
        List<Integer> logs = parts.table().logs().ids();
        parts.work()
                .execute(() -> guarded(() -> {
                    if (major) {
                        unusable.clear();
                    }
                    begin(logs, then);
                }));
    }

    /** What is not merged by now is left to the next round, for which somebody waits. From the core loop. */
    void cut() {
        isCut = true;
    }

    /** Nothing more is merged. From the core loop. */
    void stop() {
        stopped = true;
    }

    private void guarded(Runnable task) {
        if (stopped) {
            return;
        }
        try {
            task.run();
        } catch (DiskException failure) {
            LOG.warn(
                    "bookie={} state=MERGE_WAITS {}: tried again in the next round",
                    parts.bookieId(),
                    failure.getMessage());
            end();
        }
    }

    private void begin(List<Integer> logs, Runnable then) {
        done = then;
        if (!isAware) {
            find();
            isAware = true;
        }
        TreeSet<Integer> count = new TreeSet<>(logs);
        for (String name : List.copyOf(merged.keySet())) {
            if (!count.containsAll(merged.get(name))) {
                remove(name);
                merged.remove(name);
            }
        }
        merged.values().forEach(count::removeAll);
        count.removeAll(unusable);
        left.clear();
        left.addAll(count);
        group();
    }

    /** What an earlier life of the bookie merged. */
    private void find() {
        for (String name : parts.data().names()) {
            if (MergedIndex.isName(name)) {
                try {
                    merged.put(name, MergedIndex.logIds(parts.data().of(name), name));
                } catch (IndexDamagedException damaged) {
                    LOG.warn("bookie={} state=REMOVED {}", parts.bookieId(), damaged.getMessage());
                    remove(name);
                }
            }
        }
    }

    private void remove(String name) {
        Disk disk = parts.data().of(name);
        if (disk.exists(name)) {
            disk.delete(name);
        }
    }

    private void group() {
        draft = new MergedIndex.Draft();
        if (left.size() < logsOfGroup) {
            end();
        } else {
            step();
        }
    }

    private void step() {
        Integer logId = isCut ? null : left.pollFirst();
        if (logId == null) {
            end();
            return;
        }
        long bytes = 0;
        try {
            bytes = draft.add(parts.data().of(IndexFile.name(logId)), logId);
        } catch (IndexDamagedException damaged) {
            unusable.add(logId);
            LOG.warn("bookie={} state=NOT_MERGED {}", parts.bookieId(), damaged.getMessage());
        }
        boolean isWhole = draft.logs() == logsOfGroup || draft.rows() >= ROWS_MAX;
        long delayNanos = throttle.delayNanos(bytes, parts.work().nanoTime());
        parts.work().schedule(delayNanos, () -> guarded(isWhole ? this::write : this::step));
    }

    private void write() {
        Disk disk = parts.data().first();
        long kept = 2L * VictimChoice.SLABS_OF_LOG * parts.slabBytes();
        if (disk.usableBytes("") < draft.bytes() + kept) {
            // Space is for entries first.
            end();
            return;
        }
        List<Integer> logIds = new ArrayList<>(draft.logIds());
        String name = draft.write(disk);
        merged.put(name, logIds);
        parts.faults().reached(MERGED);
        LOG.debug(
                "bookie={} file={} logs={} rows={} state=MERGED", parts.bookieId(), name, logIds.size(), draft.rows());
        group();
    }

    private void end() {
        draft = new MergedIndex.Draft();
        Runnable then = done;
        parts.core().execute(() -> {
            if (!stopped) {
                then.run();
            }
        });
    }
}
