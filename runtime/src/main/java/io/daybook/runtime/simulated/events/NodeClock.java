// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

/** The clock of one machine: monotonic time that may run fast or slow, and wall-clock time that may jump. */
public final class NodeClock {
    /** Wall-clock time at the start of every world: 2026-01-01T00:00:00Z. */
    public static final long WALL_ORIGIN_MILLIS = 1_767_225_600_000L;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private long worldOrigin;
    private long localOrigin;
    private double rate = 1.0;
    private long wallOffsetMillis;

    /** A clock whose monotonic time starts at {@code originNanos}. */
    public NodeClock(long originNanos) {
        this.localOrigin = originNanos;
    }

    /** Monotonic time of the machine when the world's time is {@code worldNanos}. */
    public long localNanos(long worldNanos) {
        long passed = worldNanos - worldOrigin;
        return localOrigin + (rate == 1.0 ? passed : (long) (passed * rate));
    }

    /** The least world time that must pass until this clock has moved on by {@code localNanos}, at the present rate. */
    long worldDelay(long localNanos) {
        return rate == 1.0 ? localNanos : (long) Math.ceil(localNanos / rate);
    }

    /** Wall-clock time of a machine whose clock was never moved. */
    public static long trueWallMillis(long worldNanos) {
        return WALL_ORIGIN_MILLIS + worldNanos / NANOS_PER_MILLI;
    }

    /** Wall-clock time of the machine. */
    long wallMillis(long worldNanos) {
        return WALL_ORIGIN_MILLIS + wallOffsetMillis + worldNanos / NANOS_PER_MILLI;
    }

    /** Lets monotonic time run {@code rate} times as fast as the world's from now on; between 0.1 and 10. */
    public void runAt(double newRate, long worldNanos) {
        if (!(newRate >= 0.1 && newRate <= 10)) {
            throw new IllegalArgumentException("a clock cannot run at " + newRate + " times the world's rate");
        }
        localOrigin = localNanos(worldNanos);
        worldOrigin = worldNanos;
        rate = newRate;
    }

    /** Moves wall-clock time, in either direction. */
    public void stepWall(long millis) {
        wallOffsetMillis += millis;
    }
}
