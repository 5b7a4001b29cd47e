// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;

/**
 * An operator's wish that a bookie takes no new entries: a file in its data directory, so that it lasts over restarts. A bookie that runs notices it
 * within a second.
 *
 * <p><i>Threading:</i> blocks; any thread. Methods throw {@link io.daybook.runtime.DiskException}.
 */
public final class ReadOnlyFlag {
    /** The name of the file, which is empty. */
    static final String NAME = "read-only";

    private ReadOnlyFlag() {}

    /** Whether it is set. */
    public static boolean isSet(Disk data) {
        return data.exists(NAME);
    }

    /** Sets or removes it, durably; whether that changed anything. */
    public static boolean set(Disk data, boolean readOnly) {
        if (isSet(data) == readOnly) {
            return false;
        }
        if (readOnly) {
            data.open(NAME, Disk.OpenMode.CREATE_NEW).close();
        } else {
            data.delete(NAME);
        }
        data.syncDirectory("");
        return true;
    }
}
