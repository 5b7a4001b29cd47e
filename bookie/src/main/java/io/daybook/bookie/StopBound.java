// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how long a bookie takes to stop: when that is over it halts the host, and names what the stop waits for.
 *
 * <p><i>States:</i> resting → stopping (the time runs) → over.
 *
 * <p><i>Threading:</i> any thread. It has a loop of its own, because every other one of the bookie may be what hangs: a single journal commits on the core loop.
 */
final class StopBound {
    private static final Logger LOG = LoggerFactory.getLogger(StopBound.class);

    /** As long as slabs may take to a slow disk, and less than service managers wait before they kill. */
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Host host;
    private final BookieId bookieId;
    private final EventLoop loop;

    /** What the stop waits for; empty while there is none. On the loop. */
    private String awaited = "";

    StopBound(Host host, BookieId bookieId) {
        this.host = host;
        this.bookieId = bookieId;
        loop = host.newLoop("bookie-stop-0", Host.LoopKind.STORAGE);
    }

    /** It is told to stop: the time runs. {@code first} is what it waits for until something else is noted. */
    void begin(String first) {
        loop.execute(() -> {
            if (awaited.isEmpty()) {
                note(first);
            }
        });
    }

    /** Notes what the stop waits for; the time runs from the first of these on, if it did not begin before. */
    void awaits(String next) {
        loop.execute(() -> note(next));
    }

    private void note(String next) {
        if (awaited.isEmpty()) {
            loop.schedule(STOP_NANOS, this::hangs);
        }
        awaited = next;
    }

    private void hangs() {
        LOG.error("bookie={} exit={} state=STOP_HUNG waits for {}", bookieId, ExitCode.STOP_HUNG.code(), awaited);
        host.halt(
                ExitCode.STOP_HUNG.code(),
                "bookie " + bookieId + " did not stop within " + TimeUnit.NANOSECONDS.toSeconds(STOP_NANOS)
                        + " s: it waits for " + awaited);
    }

    /** It stopped. */
    void over() {
        loop.close();
    }
}
