// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.faults;

import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskFaults.Call;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.simulation.plan.FaultItem;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.Plan.Knobs;
import io.daybook.simulation.plan.Spread;
import io.daybook.testkit.simulated.BookieKnobs;
import io.daybook.testkit.simulated.BookieSituations;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Faults of bookies: of their processes and of their disks. */
final class BookieFaults {
    private static final List<Integer> SLAB_BYTES = List.of(16 * 1024, 32 * 1024, 64 * 1024, 128 * 1024);
    private static final List<Integer> FLUSH_MILLIS = List.of(150, 1_000, 10_000);

    private final FaultDriver driver;
    private final SimulatedWorld world;
    private final SimulatedCluster cluster;
    private final Knobs knobs;
    private final Spread spread;
    private final boolean isBeyondBudget;
    private final List<Runnable> mixedUp = new ArrayList<>();

    BookieFaults(FaultDriver driver, SimulatedCluster cluster, Plan plan) {
        this.driver = driver;
        this.world = cluster.world();
        this.cluster = cluster;
        this.knobs = plan.knobs();
        this.spread = plan.spread();
        this.isBeyondBudget = plan.habits().isBeyondBudget();
    }

    void happen(FaultItem fault) {
        int bookie = fault.target() % cluster.bookies();
        SimulatedMachine machine = world.machine(SimulatedCluster.machineOf(bookie));
        // Disks that are in each other's place must come back as they went.
        boolean isInPlace = cluster.isSorted(bookie);
        // An entry may stand on the bookie that lived there before and on the one that lives there now: damage to both
        // would be damage to two.
        boolean isWithinBudget = isBeyondBudget || !fault.kind().isDamage() || !cluster.isReplaced(bookie);
        if (!machine.isRunning() || !isInPlace || !isWithinBudget) {
            return;
        }
        switch (fault.kind()) {
            case CRASH_BOOKIE -> {
                cluster.crash(bookie, FaultDriver.SESSION_NANOS);
                driver.afterwards(fault, () -> cluster.up(bookie));
            }
            case KILL_BOOKIE -> {
                cluster.kill(bookie, FaultDriver.SESSION_NANOS);
                driver.afterwards(fault, () -> cluster.up(bookie));
            }
            case STOP_BOOKIE -> {
                cluster.stop(bookie);
                driver.afterwards(fault, () -> cluster.up(bookie));
            }
            case RESTART_BOOKIE -> {
                cluster.kill(bookie, FaultDriver.SESSION_NANOS);
                cluster.knobs(bookie, otherKnobs(fault.parameter()).withRack(spread.labelOf(bookie)));
                driver.afterwards(fault, () -> cluster.up(bookie));
            }
            case CRASH_IN_OPERATION -> machine.crashAtDiskOperation(fault.parameter(), fault.forMicros() % 2 == 0);
            case PAUSE_BOOKIE -> machine.pause(fault.forMicros() * FaultDriver.MICRO);
            case DESTROY_BOOKIE -> cluster.destroy(bookie, FaultDriver.SESSION_NANOS);
            case REPLACE_BOOKIE -> {
                cluster.replace(bookie, FaultDriver.SESSION_NANOS);
                driver.afterwards(fault, () -> cluster.up(bookie));
            }
            case LOSE_DIRECTORY -> {
                cluster.loseDirectory(bookie, fault.parameter(), FaultDriver.SESSION_NANOS);
                driver.afterwards(fault, () -> cluster.up(bookie));
            }
            case ROT -> cluster.rot(bookie, fault.parameter());
            case LOSE_LOG -> {
                cluster.loseLog(bookie, fault.parameter(), FaultDriver.SESSION_NANOS);
                driver.afterwards(fault, () -> cluster.up(bookie));
            }
            case LOSE_JOURNAL -> {
                cluster.loseJournal(bookie, fault.parameter(), FaultDriver.SESSION_NANOS);
                driver.afterwards(fault, () -> cluster.up(bookie));
            }
            case MIX_UP_DISKS -> mixUp(fault, bookie, (int) (fault.parameter() % cluster.bookies()));
            default -> diskFault(fault, bookie);
        }
    }

    private BookieKnobs otherKnobs(long parameter) {
        int slab = SLAB_BYTES.get((int) (parameter % SLAB_BYTES.size()));
        int flush = FLUSH_MILLIS.get((int) (parameter / SLAB_BYTES.size() % FLUSH_MILLIS.size()));
        return knobs(knobs, slab, flush);
    }

    static BookieKnobs knobs(Knobs knobs, int slabBytes, int flushMillis) {
        return new BookieKnobs(
                slabBytes,
                knobs.slabCount(),
                Duration.ofMillis(flushMillis),
                knobs.commitBytesMax(),
                Duration.ofMillis(knobs.cleanupMillis()),
                Math.max(1, knobs.dataDirectories()),
                Math.max(1, knobs.journalDirectories()),
                Duration.ofMillis(knobs.scrubMillis()),
                "");
    }

    private void mixUp(FaultItem fault, int one, int other) {
        if (!cluster.isSorted(other)) {
            return;
        }
        cluster.mixUp(one, other, FaultDriver.SESSION_NANOS);
        Runnable end = () -> cluster.sortOut(one, other);
        mixedUp.add(end);
        driver.afterwards(fault, () -> {
            mixedUp.remove(end);
            end.run();
        });
    }

    private void diskFault(FaultItem fault, int bookie) {
        List<DiskDrive> all = cluster.disks().of(bookie);
        // One of several directories fails, and the others do not.
        DiskDrive journal = cluster.disks().journalOf(bookie, fault.forMicros());
        DiskDrive data = cluster.disks().dataOf(bookie, fault.forMicros());
        switch (fault.kind()) {
            case FILL_DISK -> {
                DiskQuality normal = quality(knobs);
                data.quality(normal.withCapacity(data.image().usedBytes() + fault.parameter()));
                driver.afterwards(fault, () -> data.quality(normal));
            }
            case SLOW_DISK -> {
                all.forEach(drive -> drive.faults().slowDown((int) fault.parameter()));
                driver.afterwards(
                        fault, () -> all.forEach(drive -> drive.faults().slowDown(1)));
            }
            case STALL_DISK -> all.forEach(drive -> drive.faults().stallFor(fault.forMicros() * FaultDriver.MICRO));
            case STUCK_COMMITS -> {
                journal.faults().stick();
                driver.afterwards(fault, () -> journal.faults().release());
            }
            case FAIL_COMMIT -> journal.faults().failOnce(Call.COMMIT, "");
            case FAIL_SYNC -> data.faults().failOnce(Call.SYNC, "");
            case FAIL_READ -> data.faults().failOnce(Call.READ, "");
            case FAIL_WRITE -> data.faults().failOnce(Call.WRITE, "");
            default -> throw new IllegalArgumentException(fault.kind() + " is not a fault of a bookie");
        }
    }

    /** The disks of a plan as they are without faults. */
    static DiskQuality quality(Knobs knobs) {
        return new DiskQuality(4096, 1L << 30, 80_000, 5_000, knobs.syncMicros() * FaultDriver.MICRO);
    }

    /** Loses a bookie for ever at the end of all faults, unless another lives there than at first: that would be damage to two. */
    void leaveBehind(int bookie) {
        if (!cluster.isReplaced(bookie) && !cluster.isDestroyed(bookie)) {
            cluster.destroy(bookie, FaultDriver.SESSION_NANOS);
            world.faults().count(BookieSituations.LEFT_BEHIND);
        }
    }

    /** Ends everything that can end, and starts every bookie that is down but not destroyed. */
    void heal() {
        mixedUp.forEach(Runnable::run);
        mixedUp.clear();
        for (int i = 0; i < cluster.bookies(); i++) {
            cluster.disks().of(i).forEach(drive -> drive.faults().heal());
            cluster.disks().dataOf(i).forEach(drive -> drive.quality(quality(knobs)));
            cluster.up(i);
        }
    }
}
