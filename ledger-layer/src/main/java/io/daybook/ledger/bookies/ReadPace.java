// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.protocol.BookieId;
import java.util.Map;
import java.util.TreeMap;

/**
 * How fast bookies answered reads lately, and so when a second one should be asked. A read that is late is hedged (Dean and Barroso, "The Tail at Scale",
 * 2013), but at most one in ten: when all bookies are slow, more requests would only make them slower.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public final class ReadPace {
    private static final long DELAY_NANOS_UNKNOWN = 20_000_000L;
    private static final long DELAY_NANOS_MIN = 2_000_000L;
    private static final long DELAY_NANOS_MAX = 1_000_000_000L;
    /** After this time what is known of a bookie is forgotten, so that one that was slow is tried again. */
    private static final long MEMORY_NANOS = 5_000_000_000L;

    private static final int TIMES_TYPICAL = 4;
    private static final int CREDIT_OF_A_HEDGE = 10;
    private static final int CREDIT_MAX = 100;

    private final Map<BookieId, Typical> known = new TreeMap<>();
    private int credit = 2 * CREDIT_OF_A_HEDGE;

    ReadPace() {}

    private static final class Typical {
        private long nanos;
        private long heardNanos;
    }

    /** A read that did not have to wait was answered. */
    void answered(BookieId bookie, long tookNanos, long nowNanos) {
        Typical typical = known.computeIfAbsent(bookie, each -> new Typical());
        boolean isFirst = typical.nanos == 0 || nowNanos - typical.heardNanos >= MEMORY_NANOS;
        typical.nanos = Math.max(1, isFirst ? tookNanos : typical.nanos + (tookNanos - typical.nanos) / 8);
        typical.heardNanos = nowNanos;
    }

    /** A first request of a read is made. */
    public void requested() {
        credit = Math.min(CREDIT_MAX, credit + 1);
    }

    /** Whether a second request may be made, for which the credit of ten reads is spent. */
    public boolean tryHedge() {
        if (credit < CREDIT_OF_A_HEDGE) {
            return false;
        }
        credit -= CREDIT_OF_A_HEDGE;
        return true;
    }

    /** How long to wait for an answer before {@code next} is asked as well. */
    public long hedgeNanos(BookieId next, long nowNanos) {
        long typical = typicalNanos(next, nowNanos);
        long delay = typical == 0 ? DELAY_NANOS_UNKNOWN : TIMES_TYPICAL * typical;
        return Math.max(DELAY_NANOS_MIN, Math.min(DELAY_NANOS_MAX, delay));
    }

    /** Whether {@code bookie} is so much slower than {@code other} that the other is better asked first. */
    public boolean isSlower(BookieId bookie, BookieId other, long nowNanos) {
        long one = typicalNanos(bookie, nowNanos);
        long two = typicalNanos(other, nowNanos);
        return two != 0 && one > TIMES_TYPICAL * two + DELAY_NANOS_MIN;
    }

    private long typicalNanos(BookieId bookie, long nowNanos) {
        Typical typical = known.get(bookie);
        return typical == null || nowNanos - typical.heardNanos >= MEMORY_NANOS ? 0 : typical.nanos;
    }
}
