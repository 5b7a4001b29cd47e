// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import java.util.List;

/**
 * Room on the data devices for work that gives space back, such as compaction.
 *
 * <p><i>Threading:</i> blocks; any storage loop. Throws {@link io.daybook.runtime.DiskException}.
 */
@FunctionalInterface
public interface Headroom {
    /** Where there is most room, and whether that is as much as was asked for. */
    record Room(Disk disk, boolean isEnough) {}

    /**
     * Looks for a directory to which so many bytes can be written now. What is kept back is given up for that when it must be.
     *
     * @param refusing directories that say that they have space and refuse all the same: looked at only when there is no other
     */
    Room makeRoom(long bytes, List<Disk> refusing);
}
