// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskImage;
import io.daybook.runtime.simulated.disk.Survivors;
import io.daybook.runtime.simulated.events.NodeClock;
import io.daybook.runtime.simulated.events.SimulatedProcess;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import io.daybook.runtime.simulated.network.SimulatedNetwork;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A machine of a {@link SimulatedWorld}: a name, a clock, disks, and at most one live process. Its disks outlive its processes. */
public final class SimulatedMachine {
    /** How a process ended that stopped itself. */
    public record Halt(int exitCode, String reason) {}

    private static final long CLOCK_ORIGIN_NANOS_MAX = 1_000_000_000_000L;

    private final SimulatedWorld world;
    private final SimulatedScheduler scheduler;
    private final String name;
    private final NodeClock clock;
    private final SimulatedRandom random;
    private final TreeMap<String, DiskDrive> drives = new TreeMap<>();
    private @Nullable SimulatedHost host;
    private @Nullable Halt lastHalt;
    private int incarnations;

    SimulatedMachine(SimulatedWorld world, String name) {
        this.world = world;
        this.scheduler = world.scheduler();
        this.name = name;
        this.random = new SimulatedRandom(scheduler.seed(), Stream.CRASH, SimulatedRandom.entityOf(name));
        this.clock = new NodeClock(random.nextBelow(CLOCK_ORIGIN_NANOS_MAX));
    }

    /** Its name, under which the network reaches it. */
    public String name() {
        return name;
    }

    /** The disk at {@code rootPath}; it is there from the first time it is named. */
    public DiskDrive drive(String rootPath) {
        return drives.computeIfAbsent(rootPath, missing -> new DiskDrive(scheduler, name + ':' + rootPath));
    }

    /** Replaces the disk at {@code rootPath} by an empty one. */
    public void wipe(String rootPath) {
        drive(rootPath).replace(new DiskImage());
    }

    /** The live process. */
    public SimulatedHost host() {
        if (host == null || !host.isAlive()) {
            throw new IllegalStateException("no process runs on " + name);
        }
        return host;
    }

    /** Whether a process runs on it. */
    public boolean isRunning() {
        return host != null && host.isAlive();
    }

    int incarnations() {
        return incarnations;
    }

    /** How the last process ended that halted; null when none did. */
    public @Nullable Halt lastHalt() {
        return lastHalt;
    }

    /** Starts a process; there must be none. */
    public SimulatedHost start() {
        if (isRunning()) {
            throw new IllegalStateException("a process runs on " + name);
        }
        incarnations++;
        SimulatedProcess process = world.newProcess(this, clock);
        SimulatedNetwork network = new SimulatedNetwork(world.network(), process);
        SimulatedHost started =
                new SimulatedHost(this, process, network, world.faults().of(process));
        host = started;
        return started;
    }

    /** Ends the process as a loss of power does, and draws what is left on each disk of that which was not durable. */
    public void crash() {
        CrashMode[] modes = CrashMode.values();
        crash(drive -> Survivors.drawn(modes[random.below(modes.length)], random.nextLong()));
    }

    /** As {@link #crash()}, with every disk treated in the given way. */
    public void crash(CrashMode mode) {
        crash(drive -> Survivors.drawn(mode, random.nextLong()));
    }

    /** As {@link #crash()}; {@code survivors} decides for each disk. */
    public void crash(Function<DiskDrive, Survivors> survivors) {
        @Nullable SimulatedHost ended = host;
        endProcess();
        drives.values().forEach(drive -> drive.crash(survivors.apply(drive)));
        if (ended != null) {
            ended.process().unwind();
        }
    }

    /** Ends the process as {@code kill -9} does: the machine stays up and keeps what was written, durable or not. */
    public void kill() {
        @Nullable SimulatedHost ended = host;
        if (ended == null || !ended.isAlive()) {
            return;
        }
        endProcess();
        drives.values().forEach(drive -> drive.release(ended.process()));
        ended.process().unwind();
    }

    private void endProcess() {
        if (host != null && host.isAlive()) {
            host.die();
        }
    }

    void halted(int exitCode, String reason) {
        lastHalt = new Halt(exitCode, reason);
        kill();
    }

    /** Crashes, if a process runs, and starts another on the same disks. */
    public SimulatedHost restart() {
        if (isRunning()) {
            crash();
        }
        return start();
    }

    /** Runs nothing of the process for so long; its links and disks stay as they are. */
    public void pause(long nanos) {
        host().process().pause(nanos);
    }

    /** Makes every task of the process take {@code factor} times as long. */
    public void slowDown(int factor) {
        host().process().slowDown(factor);
    }

    /** Crashes inside the {@code nth} disk operation from now (1 is the next one): before or after its effect, before its caller hears of it. */
    public void crashAtDiskOperation(long nth, boolean afterwards) {
        host().process().crashAtOperation(nth, afterwards);
    }

    /** Lets its monotonic clock run fast or slow from now on. */
    public void clockRate(double rate) {
        clock.runAt(rate, scheduler.nanoTime());
        if (isRunning()) {
            scheduler.clockChanged(host().process());
        }
    }

    /** Moves its wall clock, in either direction. */
    public void stepWallClock(long millis) {
        clock.stepWall(millis);
    }
}
