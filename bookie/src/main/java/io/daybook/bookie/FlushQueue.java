// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

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

/**
 * Flushes one slab after the other, a piece at a time. The pieces are spread over a part of the time in which the slab was filled, because a burst of
 * them makes journal commits wait (docs/performance.md); they hurry as soon as another slab waits or the bookie stops.
 *
 * <p><i>States:</i> idle ⇄ flushing; stopped.
 *
 * <p><i>Threading:</i> the storage loop.
 */
final class FlushQueue {
    /** However slowly a slab was filled, its flush writes at least 4 MiB a second. */
    private static final long PAUSE_NANOS_MAX = 64_000_000;

    private final EventLoop loop;
    private final SlabFlush flush;
    private final Consumer<Throwable> failed;
    private final ArrayDeque<Order> orders = new ArrayDeque<>();
    private final ArrayDeque<Runnable> whenIdle = new ArrayDeque<>();
    private SlabFlush.@Nullable Run run;
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
    record Order(
            JournalSegment segment,
            ByteBuffer view,
            List<LedgerFacts> facts,
            long spreadNanos,
            Consumer<IndexRows> done) {}

    /** {@code failed} is told once of a {@link DiskException} or violation, after which nothing is flushed any more. */
    FlushQueue(EventLoop loop, SlabFlush flush, Consumer<Throwable> failed) {
        this.loop = loop;
        this.flush = flush;
        this.failed = failed;
    }

    void add(Order order) {
        if (stopped) {
            return;
        }
        orders.addLast(order);
        if (run == null) {
            begin();
        } else {
            hurry();
        }
    }

    /** Runs {@code then} when everything added so far is flushed, or at once when nothing is flushed any more. */
    void whenIdle(Runnable then) {
        if (run == null) {
            then.run();
        } else {
            whenIdle.addLast(then);
            hurry();
        }
    }

    /** Gives up what is under way, as a crash would, and takes nothing more. */
    void stop() {
        stopped = true;
        orders.clear();
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
            run = flush.begin(order.segment().incarnation(), order.segment().slab(), order.view(), order.facts());
            writeSome();
        });
    }

    private void hurry() {
        pause.cancel();
        pause = loop.schedule(0, () -> attempt(this::writeSome));
    }

    private void writeSome() {
        SlabFlush.Run current = run;
        if (current == null) {
            return;
        }
        if (!current.writeSome()) {
            pause = loop.schedule(pauseNanos(current.bytes()), () -> attempt(this::writeSome));
            return;
        }
        current.close();
        run = null;
        orders.removeFirst().done().accept(current.rows());
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
            stop();
            failed.accept(failure);
        }
    }

    private void idle() {
        while (!whenIdle.isEmpty()) {
            whenIdle.removeFirst().run();
        }
    }
}
