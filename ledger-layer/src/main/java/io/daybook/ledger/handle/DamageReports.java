// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import io.daybook.ledger.api.DamageListener;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands on what the handles of a loop find damaged.
 *
 * <p><i>Threading:</i> confined to its loop.
 */
public final class DamageReports {
    private static final Logger LOG = LoggerFactory.getLogger(DamageReports.class);
    private static final long SILENCE_NANOS = 10_000_000_000L;

    private final EventLoop loop;
    private final Faults faults;
    private final Listeners listeners;
    private final List<DamageListener> told = new ArrayList<>();
    private final Map<BookieId, Long> loggedAt = new TreeMap<>();

    /** For one loop. */
    public DamageReports(EventLoop loop, Faults faults, Listeners listeners) {
        this.loop = loop;
        this.faults = faults;
        this.listeners = listeners;
    }

    /** Tells {@code listener} from now on. */
    public void addListener(DamageListener listener) {
        told.add(listener);
    }

    /** A copy is damaged. Repeats of one bookie are logged now and then only. */
    public void damaged(long ledgerId, long entryId, BookieId bookie) {
        faults.reached(Situations.DAMAGED_COPY);
        long now = loop.nanoTime();
        Long logged = loggedAt.get(bookie);
        if (logged == null || now - logged >= SILENCE_NANOS) {
            loggedAt.put(bookie, now);
            LOG.warn("ledger={} entry={} state=DAMAGED_COPY bookie={}", ledgerId, entryId, bookie);
        }
        told.forEach(listener -> listeners.damaged(listener, ledgerId, entryId, bookie));
    }
}
