// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

import io.daybook.runtime.simulated.events.SimulatedScheduler.Kind;

/** The fingerprint of a run (FNV-1a, 64 bit, over words instead of bytes) and its last events in readable form. */
public final class Trace {
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;
    private static final int WORDS_PER_EVENT = 4;

    private final int kept;
    private final long[] ring;
    private final Kind[] kinds;
    private long hash = FNV_OFFSET;
    private long events;

    Trace(int kept) {
        this.kept = kept;
        this.ring = new long[kept * WORDS_PER_EVENT];
        this.kinds = new Kind[kept];
    }

    void event(long timeNanos, long process, long loop, Kind kind, long code) {
        fold(timeNanos);
        fold((process << 32) | (loop << 8) | kind.number());
        fold(code);
        int slot = (int) (events++ % kept);
        kinds[slot] = kind;
        int at = slot * WORDS_PER_EVENT;
        ring[at] = timeNanos;
        ring[at + 1] = process;
        ring[at + 2] = loop;
        ring[at + 3] = code;
    }

    /** Adds a detail, such as a checksum of bytes that travelled, to the fingerprint. */
    public void fold(long detail) {
        // FNV alone carries bits upwards only; the shift brings the high ones back.
        long mixed = (hash ^ detail) * FNV_PRIME;
        hash = mixed ^ (mixed >>> 32);
    }

    /** Equal for two runs that did the same. */
    public long hash() {
        return hash;
    }

    /** Events so far. */
    public long events() {
        return events;
    }

    /** The last events, oldest first, one a line: time, process, loop, kind, code. */
    public String lastEvents() {
        StringBuilder lines = new StringBuilder();
        for (long event = Math.max(0, events - kept); event < events; event++) {
            int slot = (int) (event % kept);
            int at = slot * WORDS_PER_EVENT;
            lines.append(ring[at]).append(" ns process=").append(ring[at + 1]);
            lines.append(" loop=").append(ring[at + 2]);
            lines.append(' ').append(kinds[slot]);
            lines.append(" code=").append(ring[at + 3]).append('\n');
        }
        return lines.toString();
    }
}
