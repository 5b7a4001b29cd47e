// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of a small file that cannot be used, and are told when it is known whether another one can.
 *
 * <p><i>Threading:</i> one loop.
 */
public final class UnusableCopies {
    private static final Logger LOG = LoggerFactory.getLogger(UnusableCopies.class);

    private final String name;
    private final List<Copy> copies = new ArrayList<>();

    private record Copy(Disk disk, String state, String reason) {}

    /** Of the file of that name; none yet. */
    public UnusableCopies(String name) {
        this.name = name;
    }

    /** The copy on a disk was read, and has other bytes than were written. */
    public void damaged(Disk disk) {
        copies.add(new Copy(disk, "DAMAGED", "its checksum or its header is wrong"));
    }

    /** The copy on a disk cannot be read. */
    public void unreadable(Disk disk, DiskException failure) {
        copies.add(new Copy(disk, "UNREADABLE", String.valueOf(failure.getMessage())));
    }

    /** Tells of all, once all copies were looked at; {@code isOther} says whether one can be used. */
    public void tell(boolean isOther) {
        String outcome =
                isOther ? "another copy counts, and a start writes this one again" : "no other copy can be used";
        copies.forEach(copy ->
                LOG.warn("path={} file={} state={} {}: {}", copy.disk(), name, copy.state(), outcome, copy.reason()));
    }
}
