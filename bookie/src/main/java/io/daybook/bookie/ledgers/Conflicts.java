// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Link;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises the alarm when an entry comes again with other bytes: then somebody broke the protocol, or memory is damaged (B4). One line in ten seconds at most.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class Conflicts {
    private static final Logger LOG = LoggerFactory.getLogger(Conflicts.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final EventLoop loop;
    private long toldNanos;
    private boolean hasTold;
    private long untold;

    Conflicts(EventLoop loop) {
        this.loop = loop;
    }

    /** The link brought an entry that is refused with this answer. */
    void look(AddAck refusal, Link from) {
        if (refusal.status() != StatusCode.CONFLICT) {
            return;
        }
        long now = loop.nanoTime();
        if (hasTold && now - toldNanos < INTERVAL_NANOS) {
            untold++;
            return;
        }
        LOG.error(
                "ledger={} entry={} link={} state=CONFLICT it is here with other bytes, and stays as it is; before, not told: {}",
                refusal.ledgerId(),
                refusal.firstEntryId(),
                from.remote(),
                untold);
        hasTold = true;
        toldNanos = now;
        untold = 0;
    }
}
