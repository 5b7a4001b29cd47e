// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;

/**
 * Ranks of loops: a loop of a low rank waits before each of its turns, so that whatever the others can do meanwhile is done. At a few moments some
 * loops get other ranks. This is the idea of probabilistic concurrency testing (Burckhardt and others, 2010) for events that have times: a bug that
 * needs few events in an unlikely order is found with a chance that does not sink with the number of all events.
 */
public final class PrioritySchedule {
    private static final int CHANGED_ONE_IN = 3;

    private final long seed;
    private final int levels;
    private final long stepNanos;
    private final long[] changeNanos;

    /**
     * Draws the ranks from a seed.
     *
     * @param levels how many ranks there are, at least 1
     * @param stepNanos how long a loop waits for each rank above its own
     * @param changes how many moments there are at which a third of the loops changes its rank
     * @param spanNanos within which these moments lie
     */
    public PrioritySchedule(long seed, int levels, long stepNanos, int changes, long spanNanos) {
        this.seed = seed;
        this.levels = levels;
        this.stepNanos = stepNanos;
        this.changeNanos = new long[changes];
        for (int i = 0; i < changes; i++) {
            changeNanos[i] = SimulatedRandom.below(SimulatedRandom.mix(seed, Stream.PRIORITY, 0, i), spanNanos);
        }
    }

    /** How long a loop waits before a turn that it could have now. */
    long waitNanos(long loop, long nanos) {
        long last = 0;
        for (int i = 0; i < changeNanos.length; i++) {
            boolean isChanged = SimulatedRandom.mix(seed, Stream.PRIORITY, ~loop, i) % CHANGED_ONE_IN == 0;
            if (changeNanos[i] <= nanos && isChanged) {
                last = i + 1L;
            }
        }
        return SimulatedRandom.below(SimulatedRandom.mix(seed, Stream.PRIORITY, loop, last), levels) * stepNanos;
    }
}
