// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import io.daybook.runtime.DiskException;
import io.daybook.runtime.simulated.events.SimulatedProcess;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A disk of a machine. It outlives the processes that use it. */
public final class DiskDrive {
    private final SimulatedScheduler scheduler;
    private final String name;
    private final long entity;
    private final DiskFaults faults;
    private final TreeMap<String, SimulatedProcess> locks = new TreeMap<>();
    private DiskQuality quality = DiskQuality.SOLID_STATE;
    private DiskImage image = new DiskImage();
    private @Nullable OperationLog log;
    private long draws;

    /** How often it was replaced, or its machine lost power. */
    private int boots;

    /** An empty disk; {@code name} is unique in its world. */
    public DiskDrive(SimulatedScheduler scheduler, String name) {
        this.scheduler = scheduler;
        this.name = name;
        this.entity = SimulatedRandom.entityOf(name);
        this.faults = new DiskFaults(scheduler);
    }

    @Override
    public String toString() {
        return name;
    }

    /** What is wrong with it. */
    public DiskFaults faults() {
        return faults;
    }

    /** What it is like. */
    public DiskQuality quality() {
        return quality;
    }

    /** Changes what it is like. */
    public void quality(DiskQuality newQuality) {
        quality = newQuality;
    }

    /** What it holds. */
    public DiskImage image() {
        return image;
    }

    /** Puts in another disk; no process may be using the old one. */
    public void replace(DiskImage newImage) {
        image = newImage;
        log = null;
        boots++;
    }

    /** Begins to record every change from here on; ends with a crash or {@link #replace}, the log stays usable. */
    public OperationLog recordOperations() {
        return recordOperations(() -> {});
    }

    /** As {@link #recordOperations()}; {@code afterEach} is called after each change: the order of changes on several disks can be seen. */
    public OperationLog recordOperations(Runnable afterEach) {
        OperationLog begun = new OperationLog(image.copy(), afterEach);
        log = begun;
        return begun;
    }

    /** Flips the bits of {@code mask} in one byte of a file. */
    public void corrupt(String path, long position, int mask) {
        apply(new DiskOperation.Rot(image.fileId(path).orElseThrow(), position, mask));
    }

    /** Takes a file away, durably. */
    public void lose(String path) {
        apply(new DiskOperation.Delete(path));
        apply(new DiskOperation.SyncDirectory(DiskImage.parentOf(path)));
    }

    /** The power failed: what was not durable meets its fate. */
    public void crash(Survivors survivors) {
        image = image.afterCrash(survivors);
        log = null;
        locks.clear();
        faults.forgetHeld();
        boots++;
    }

    /** A process died while the machine lives: what it wrote stays, not durable if it was not. */
    public void release(SimulatedProcess process) {
        locks.values().removeIf(holder -> holder == process);
        faults.forgetHeld();
    }

    /** Tells it from every other disk, and from itself before a loss of power. */
    String place() {
        return "drive=" + name + " boot=" + boots;
    }

    void apply(DiskOperation operation) {
        operation.applyTo(image);
        if (log != null) {
            log.add(operation);
        }
    }

    void lock(String directory, SimulatedProcess process) {
        @Nullable SimulatedProcess holder = locks.putIfAbsent(directory, process);
        if (holder != null) {
            throw new DiskException(
                    DiskException.Kind.LOCKED, "'" + directory + "' is held by a process of " + holder.machine(), null);
        }
    }

    void unlock(String directory) {
        locks.remove(directory);
    }

    /** How many more bytes fit, 0 or more. */
    public long freeBytes() {
        return Math.max(0, quality.capacityBytes() - image.usedBytes());
    }

    long draw() {
        return SimulatedRandom.mix(scheduler.seed(), Stream.DISK, entity, draws++);
    }

    /** How long a call takes that normally takes about {@code nanos}. */
    long drawNanos(long nanos) {
        return faults.durationNanos(nanos / 2 + SimulatedRandom.exponential(draw(), nanos / 2));
    }
}
