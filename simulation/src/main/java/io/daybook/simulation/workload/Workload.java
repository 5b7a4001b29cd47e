// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

/**
 * Something that is done in the process of a {@link ClientNode}. It records every call in the history of its {@link Stage}, schedules what it does next
 * with {@link ClientNode#later}, and goes on in the next process after a crash.
 *
 * <p><i>Threading:</i> the thread that drives the world.
 */
public interface Workload {
    /** A process of its node has begun. */
    void started();

    /** The process has ended, with everything that was under way in it. */
    void crashed();

    /** Whether nothing is left to do: once all faults have ended this must become true within a bound. */
    boolean isDone();

    /** What is left to do, for a message. */
    String describe();
}
