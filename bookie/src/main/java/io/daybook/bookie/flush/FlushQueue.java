// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.flush;

import io.daybook.bookie.disk.SpaceWatch;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.journal.JournalSegment;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Invariants;
import io.daybook.runtime.Timer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes one slab after the other, whichever journal it is of, a piece at a time. The pieces are spread over a part of the time in which the slab was filled, because a burst of
 * them makes journal commits wait (docs/performance.md); they hurry as soon as another slab waits or the bookie stops.
 *
 * <p><i>States:</i> idle ⇄ flushing ⇄ waiting for space (a piece found none: what was kept back is given up, and the flush is made again from its start,
 * every second; S-26); stopped.
 *
 * <p><i>Threading:</i> the storage loop.
 */
public final class FlushQueue {
    /** However slowly a slab was filled, its flush writes at least 4 MiB a second. */
    private static final long PAUSE_NANOS_MAX = 64_000_000;

    private static final long RETRY_NANOS = 1_000_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(FlushQueue.class);

    private final EventLoop loop;
    private final SlabFlush flush;
    private final SpaceWatch space;
    private final Consumer<Throwable> failed;
    private final ArrayDeque<Order> orders = new ArrayDeque<>();
    private final ArrayDeque<Runnable> whenIdle = new ArrayDeque<>();
    private SlabFlush.@Nullable Run run;

    /** Of the first order, when all of it is durable and {@link Order#done} found no space. */
    private @Nullable IndexRows written;

    private boolean lacksSpace;
    private long begunNanos;
    private Timer pause = () -> {};
    private boolean stopped;

    /**
     * A slab to flush.
     *
     * @param view its memory as the storage loop may read it
     * @param spreadNanos the time over which its flush is spread when nothing is in a hurry
     * @param done is told, on the storage loop, of the new runs when they are durable
     */
    public record Order(
            JournalSegment segment,
            ByteBuffer view,
            List<LedgerFacts> facts,
            long spreadNanos,
            Consumer<IndexRows> done) {}

    /**
     * {@code failed} is told once of a {@link DiskException} other than for lack of space, or of a violation, after which nothing is flushed any more.
     */
    public FlushQueue(EventLoop loop, SlabFlush flush, SpaceWatch space, Consumer<Throwable> failed) {
        this.loop = loop;
        this.flush = flush;
        this.space = space;
        this.failed = failed;
    }

    /** Takes a slab, after those that wait. */
    public void add(Order order) {
        if (stopped) {
            return;
        }
        orders.addLast(order);
        if (orders.size() == 1) {
            begin();
        } else if (!lacksSpace) {
            hurry();
        }
    }

    /** Runs {@code then} when everything added so far is flushed, or nothing is flushed any more, or there is still no space for it. */
    public void whenIdle(Runnable then) {
        if (orders.isEmpty()) {
            then.run();
            return;
        }
        whenIdle.addLast(then);
        if (lacksSpace) {
            pause.cancel();
            begin();
        } else {
            hurry();
        }
    }

    /** Gives up what is under way, as a crash would, and takes nothing more. */
    public void stop() {
        stopped = true;
        orders.clear();
        written = null;
        pause.cancel();
        if (run != null) {
            run.close();
            run = null;
        }
        idle();
    }

    private void begin() {
        Order order = orders.element();
        begunNanos = loop.nanoTime();
        attempt(() -> {
            if (written == null) {
                if (lacksSpace) {
                    flush.discard(order.segment().incarnation());
                }
                lacksSpace = false;
                run = flush.begin(order.segment().incarnation(), order.segment().slab(), order.view(), order.facts());
            }
            writeSome();
        });
    }

    private void hurry() {
        pause.cancel();
        pause = loop.schedule(0, () -> attempt(this::writeSome));
    }

    private void writeSome() {
        SlabFlush.Run current = run;
        if (current != null) {
            if (!current.writeSome()) {
                pause = loop.schedule(pauseNanos(current.bytes()), () -> attempt(this::writeSome));
                return;
            }
            current.close();
            run = null;
            written = current.rows();
        }
        IndexRows rows = written;
        if (rows == null) {
            return;
        }
        orders.element().done().accept(rows);
        written = null;
        orders.removeFirst();
        // The device fills by what is written here: a look now and then would come too late.
        space.lookAgain();
        if (orders.isEmpty()) {
            idle();
        } else {
            begin();
        }
    }

    private long pauseNanos(long bytesWritten) {
        Order order = orders.element();
        if (orders.size() > 1 || !whenIdle.isEmpty()) {
            return 0;
        }
        double part = Math.min(1, (double) bytesWritten / order.view().capacity());
        long dueNanos = begunNanos + (long) (order.spreadNanos() * part);
        return Math.max(0, Math.min(PAUSE_NANOS_MAX, dueNanos - loop.nanoTime()));
    }

    private void attempt(Runnable piece) {
        try {
            piece.run();
        } catch (DiskException | Invariants.InvariantViolation failure) {
            if (failure instanceof DiskException refusal && refusal.kind() == DiskException.Kind.FULL) {
                findSpace(refusal);
            } else {
                stop();
                failed.accept(failure);
            }
        }
    }

    private void findSpace(DiskException refusal) {
        int logId = orders.element().segment().incarnation();
        SlabFlush.Run current = run;
        if (current != null) {
            current.close();
            run = null;
        }
        lacksSpace = true;
        if (written == null) {
            giveBack(logId);
        }
        boolean isFound = space.foundFull(written == null ? flush.where() : null);
        LOG.warn(
                "log={} path={} state=DISK_FULL flushes={} again={} reason={}",
                logId,
                flush.where(),
                orders.size(),
                isFound ? "at once" : "later",
                refusal.getMessage());
        pause = loop.schedule(isFound ? 0 : RETRY_NANOS, this::begin);
        if (!isFound) {
            idle();
        }
    }

    /** What was written takes the space in which compaction could make some. */
    private void giveBack(int logId) {
        try {
            flush.discard(logId);
        } catch (DiskException leftover) {
            LOG.warn("log={} state=LEFT until the flush is made again: {}", logId, leftover.getMessage());
        }
    }

    private void idle() {
        while (!whenIdle.isEmpty()) {
            whenIdle.removeFirst().run();
        }
    }
}
