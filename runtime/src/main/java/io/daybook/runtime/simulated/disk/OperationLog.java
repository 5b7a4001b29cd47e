// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Everything that changed on a disk since some moment, so that the disk can be built as it was after any prefix of it: crash-point enumeration. */
public final class OperationLog {
    private final DiskImage start;
    private final Runnable afterEach;
    private final List<DiskOperation> operations = new ArrayList<>();

    OperationLog(DiskImage start, Runnable afterEach) {
        this.start = start;
        this.afterEach = afterEach;
    }

    void add(DiskOperation operation) {
        operations.add(operation);
        afterEach.run();
    }

    /** The operations so far, oldest first. */
    public List<DiskOperation> operations() {
        return Collections.unmodifiableList(operations);
    }

    /** The disk after the first {@code prefixLength} operations, with what was not durable then still open. */
    public DiskImage imageAfter(int prefixLength) {
        DiskImage image = start.copy();
        operations.subList(0, prefixLength).forEach(operation -> operation.applyTo(image));
        return image;
    }

    /** The disk as it is found after a crash that came when {@code prefixLength} operations were done. */
    public DiskImage imageAfter(int prefixLength, Survivors survivors) {
        return imageAfter(prefixLength).afterCrash(survivors);
    }
}
