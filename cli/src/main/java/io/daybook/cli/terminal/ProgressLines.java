// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import java.util.concurrent.TimeUnit;

/**
 * How far a long work is, in lines for a file: the first after a minute, so that short work writes none, and then one a minute, as long as it advances.
 *
 * <p><i>Threading:</i> any thread.
 */
final class ProgressLines {
    private static final long BETWEEN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Terminal terminal;
    private final String task;
    private final String unit;
    private final long unitSize;
    private final long max;
    private long done;
    private long toldNanos;

    /** Of {@code max} (-1 when nobody knows), told in units of {@code unitSize}. The minute begins now. */
    ProgressLines(Terminal terminal, String task, String unit, long unitSize, long max) {
        this.terminal = terminal;
        this.task = task;
        this.unit = unit;
        this.unitSize = unitSize;
        this.max = max;
        toldNanos = System.nanoTime();
    }

    /** So much more is done, at that time of {@link System#nanoTime}. */
    synchronized void advance(long count, long nowNanos) {
        done += count;
        if (nowNanos - toldNanos >= BETWEEN_NANOS) {
            toldNanos = nowNanos;
            String of = max < 0 ? "" : " of " + max / unitSize;
            terminal.message("daybook: " + task + ": " + done / unitSize + of + unit);
        }
    }
}
