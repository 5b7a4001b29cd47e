// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.settings.Setting;

/** How much space a bookie keeps back, so that it can finish what it began when the device fills up. */
public record SpaceConfig(
        @Setting(
                doc = "Space of each data device that is kept back, as a number of slabs, once in a file and once free:"
                        + " a data directory with less free space gets no new entries, with all of them so full the"
                        + " bookie is read-only, and the file is given up when nothing is free. Set it lower on small"
                        + " devices; 0 keeps nothing back.",
                defaultValue = "3",
                min = "0",
                max = "1000")
        int reservedSlabs) {
    /** Checks the bounds; throws {@link IllegalArgumentException}. */
    public SpaceConfig {
        if (reservedSlabs < 0 || reservedSlabs > 1000) {
            throw new IllegalArgumentException("bookie.space.reserved-slabs must be 0 to 1000");
        }
    }
}
