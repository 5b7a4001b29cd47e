// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.bookie.index.IndexConfig;
import io.daybook.runtime.Invariants;
import io.daybook.runtime.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a bookie's space back, round after round: ledgers that nobody needs are given up, then logs of which little is alive are compacted and what
 * was replaced long enough ago is unlinked, then the index of what is left is merged.
 *
 * <p><i>States:</i> waiting → sweeping → compacting → merging → waiting; stopped.
 *
 * <p><i>Threading:</i> the core loop, but for {@link #runNow}.
 */
public final class Cleanup {
    /** A situation of simulated runs: compaction copied live entries to another log, and the copies count. */
    public static final String ENTRIES_MOVED = "live-entries-moved";

    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);

    private final CleanupParts parts;
    private final CleanupConfig config;
    private final LedgerSweep sweep;
    private final Compaction compaction;
    private final IndexMerge merge;
    private final List<CompletableFuture<CleanupReport>> waiting = new ArrayList<>();

    /** Those who asked for a round while one was under way. */
    private final List<CompletableFuture<CleanupReport>> queued = new ArrayList<>();

    private Timer timer = () -> {};
    private boolean running;
    private boolean stopped;
    private boolean againAtOnce;
    private boolean majorWanted;
    private long lastMajorNanos;
    private long rounds;
    private CleanupReport reported = new CleanupReport(0, 0, 0, 0, 0, List.of(), "");

    /** Over the parts of one bookie; the first round follows an interval after {@link #start}. */
    public Cleanup(CleanupParts parts, CleanupConfig config, IndexConfig index) {
        this.parts = parts;
        this.config = config;
        this.sweep = new LedgerSweep(parts, config);
        this.compaction = new Compaction(parts, config);
        this.merge = new IndexMerge(parts, index.mergedLogs(), config.bytesPerSecondMax());
    }

    /** Begins to make rounds. One may be under way already: a bookie that starts without space makes one at once. */
    public void start() {
        lastMajorNanos = parts.core().nanoTime();
        if (!running) {
            await();
        }
    }

    private void await() {
        timer.cancel();
        if (!stopped) {
            timer = parts.core().schedule(config.interval().toNanos(), this::round);
        }
    }

    /**
     * Makes a round now, or after the one that is under way. From any thread.
     *
     * @param major whether logs are compacted by the share for major compaction
     * @return what was done so far, when that round has ended; fails with {@link IllegalStateException} when the bookie stops before
     */
    public CompletableFuture<CleanupReport> runNow(boolean major) {
        CompletableFuture<CleanupReport> result = new CompletableFuture<>();
        parts.core().execute(() -> {
            if (stopped) {
                result.completeExceptionally(new IllegalStateException("the bookie stops"));
                return;
            }
            majorWanted |= major;
            if (running) {
                againAtOnce = true;
                queued.add(result);
                // It may be for space, which merging does not bring.
                merge.cut();
            } else {
                waiting.add(result);
                timer.cancel();
                round();
            }
        });
        return result;
    }

    /** What was done so far. */
    public CleanupReport report() {
        return reported;
    }

    /** Whether a round is under way. */
    public boolean isRunning() {
        return running;
    }

    private void round() {
        Invariants.require(!running, "B13: two rounds of cleanup at once");
        running = true;
        long now = parts.core().nanoTime();
        boolean major =
                majorWanted || now - lastMajorNanos >= config.majorInterval().toNanos();
        if (major) {
            lastMajorNanos = now;
            majorWanted = false;
        }
        sweep.run(() -> compaction.run(major, () -> merge.run(major, againAtOnce, this::roundEnded)));
    }

    private void roundEnded() {
        running = false;
        rounds++;
        CleanupReport before = reported;
        reported = new CleanupReport(
                rounds,
                sweep.buried(),
                sweep.waiting(),
                compaction.logsRemoved(),
                compaction.bytesCopied(),
                compaction.logsKept(),
                compaction.lastFailure().isEmpty() ? sweep.lastFailure() : compaction.lastFailure());
        boolean news =
                reported.ledgersBuried() > before.ledgersBuried() || reported.logsRemoved() > before.logsRemoved();
        if (news) {
            LOG.info(
                    "bookie={} ledgersBuried={} logsRemoved={} bytesCopied={} state=CLEANED",
                    parts.bookieId(),
                    reported.ledgersBuried() - before.ledgersBuried(),
                    reported.logsRemoved() - before.logsRemoved(),
                    reported.bytesCopied() - before.bytesCopied());
        }
        List<CompletableFuture<CleanupReport>> told = List.copyOf(waiting);
        waiting.clear();
        waiting.addAll(queued);
        queued.clear();
        told.forEach(one -> one.complete(reported));
        if (againAtOnce) {
            againAtOnce = false;
            round();
        } else {
            await();
        }
    }

    /** Ends whatever is under way; {@code then} follows on the core loop when no file is held any more. */
    public void stop(Runnable then) {
        stopped = true;
        timer.cancel();
        sweep.stop();
        waiting.addAll(queued);
        waiting.forEach(one -> one.completeExceptionally(new IllegalStateException("the bookie stops")));
        waiting.clear();
        queued.clear();
        merge.stop();
        compaction.stop(then);
    }
}
