// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

/**
 * Room on the data device for work that gives space back, such as compaction.
 *
 * <p><i>Threading:</i> blocks; any storage loop. Throws {@link io.daybook.runtime.DiskException}.
 */
@FunctionalInterface
public interface Headroom {
    /** Whether so many bytes can be written now. What is kept back is given up for that when it must be. */
    boolean makeRoom(long bytes);
}
