// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.record.EntryFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends that wait to be put into an entry, and when that is due: at once, or when the first of them has lingered or enough bytes are there.
 *
 * <p><i>Threading:</i> the loop of the writer.
 */
final class WaitingAppends {
    private final EventLoop loop;
    private final long lingerNanos;
    private final int batchBytesMax;
    private final Runnable onDue;
    private final ArrayDeque<PendingAppend> appends = new ArrayDeque<>();
    private long bytes;
    private boolean isLingeredOut;
    private @Nullable Timer timer;

    /** {@code onDue} is run when what waits has become due. */
    WaitingAppends(EventLoop loop, WriterOptions options, Runnable onDue) {
        this.loop = loop;
        this.lingerNanos = options.linger().toNanos();
        this.batchBytesMax = options.batchBytesMax();
        this.onDue = onDue;
    }

    void add(PendingAppend append) {
        appends.add(append);
        bytes += append.bytes();
        if (isDue()) {
            onDue.run();
        } else {
            linger();
        }
    }

    /** What waits and is not due becomes so in time. */
    private void linger() {
        if (timer == null && !appends.isEmpty() && !isDue()) {
            timer = loop.schedule(lingerNanos, this::hurry);
        }
    }

    /** What waits is due now, without lingering further. */
    void hurry() {
        if (!appends.isEmpty()) {
            isLingeredOut = true;
            cancelTimer();
            onDue.run();
        }
    }

    boolean isEmpty() {
        return appends.isEmpty();
    }

    /** Whether something waits that is to be sent now. */
    boolean isDue() {
        return !appends.isEmpty() && (lingerNanos == 0 || isLingeredOut || bytes >= batchBytesMax);
    }

    /** The appends of the next entry, at least one: as many as fit within the bound, or one that is larger. */
    List<PendingAppend> takeEntry() {
        List<PendingAppend> entry = new ArrayList<>();
        long entryBytes = EntryFormat.HEADER_BYTES_MAX;
        PendingAppend next = appends.peek();
        while (next != null && (entry.isEmpty() || entryBytes + next.bytes() <= batchBytesMax)) {
            appends.poll();
            entry.add(next);
            entryBytes += next.bytes();
            bytes -= next.bytes();
            next = appends.peek();
        }
        if (appends.isEmpty()) {
            isLingeredOut = false;
            cancelTimer();
        }
        // What is left may be too little to be due, and came when no timer was needed.
        linger();
        return entry;
    }

    /** Takes out all that waits. */
    List<PendingAppend> clear() {
        List<PendingAppend> all = List.copyOf(appends);
        appends.clear();
        bytes = 0;
        cancelTimer();
        return all;
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
