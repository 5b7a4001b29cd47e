// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import io.daybook.runtime.DiskException;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is wrong with a disk at present. A path is meant by any part of it; the empty part means every path. */
public final class DiskFaults {
    /** Calls that can fail. */
    public enum Call {
        /** {@code DiskFile.read}. */
        READ,
        /** {@code DiskFile.write}: nothing of it happens. */
        WRITE,
        /** {@code DiskFile.sync}: the bytes are forgotten as if they were durable, so that the next sync succeeds. */
        SYNC,
        /** {@code DiskFile.commit}: as a failed sync. */
        COMMIT,
        /** {@code Disk.syncDirectory}: the names stay as they were, not durable. */
        SYNC_DIRECTORY
    }

    private record Fault(Call call, String pathPart, boolean isLasting) {}

    private final SimulatedScheduler scheduler;
    private final List<Fault> faults = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private long stalledUntilNanos;
    private int slowdown = 1;
    private boolean stuck;
    private final Map<Call, Long> failures = new EnumMap<>(Call.class);

    DiskFaults(SimulatedScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Lets the next such call fail. */
    public void failOnce(Call call, String pathPart) {
        faults.add(new Fault(call, pathPart, false));
    }

    /** Lets every such call fail until {@link #heal}. */
    public void failAlways(Call call, String pathPart) {
        faults.add(new Fault(call, pathPart, true));
    }

    /** Lets every call that begins within the next so many nanoseconds last until they are over. */
    public void stallFor(long nanos) {
        stalledUntilNanos = Math.max(stalledUntilNanos, scheduler.nanoTime() + nanos);
    }

    /** Lets no commit complete until {@link #release}. */
    public void stick() {
        stuck = true;
    }

    /** Ends {@link #stick}: what waited completes. */
    public void release() {
        stuck = false;
        List<Runnable> released = List.copyOf(held);
        held.clear();
        released.forEach(Runnable::run);
    }

    /** Makes every call last {@code factor} times as long; 1 is the normal speed. */
    public void slowDown(int factor) {
        slowdown = Math.max(1, factor);
    }

    /** How many calls have failed because they were meant to. */
    public long failures() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many of such calls have failed because they were meant to. */
    public long failures(Call call) {
        return failures.getOrDefault(call, 0L);
    }

    /** Ends every fault. Bytes that are damaged stay so. */
    public void heal() {
        faults.clear();
        stalledUntilNanos = 0;
        slowdown = 1;
        release();
    }

    /** Runs {@code completion} unless commits are stuck; then it waits. */
    void complete(Runnable completion) {
        if (stuck) {
            held.add(completion);
        } else {
            completion.run();
        }
    }

    boolean isStuck() {
        return stuck;
    }

    void forgetHeld() {
        held.clear();
    }

    long durationNanos(long normalNanos) {
        long now = scheduler.causalNanos();
        return Math.max(0, stalledUntilNanos - now) + normalNanos * slowdown;
    }

    boolean fails(Call call, String path) {
        Optional<Fault> due = faults.stream()
                .filter(fault -> fault.call == call && path.contains(fault.pathPart))
                .findFirst();
        if (due.isPresent() && !due.get().isLasting) {
            faults.remove(due.get());
        }
        if (due.isPresent()) {
            failures.merge(call, 1L, Long::sum);
        }
        return due.isPresent();
    }

    void failIfPlanned(Call call, String path) {
        if (fails(call, path)) {
            throw error(call, path);
        }
    }

    static DiskException error(Call call, String path) {
        return new DiskException(DiskException.Kind.IO, call + " of '" + path + "' failed: input/output error", null);
    }
}
