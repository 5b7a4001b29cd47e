// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.OfflineBookie;
import io.daybook.bookie.disk.Reserve;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskFaults;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One bookie of a {@link SimulatedCluster} as its operator sees it: the machine, who lives on it now, and in which condition. */
final class Seat {
    final String machine;
    /** Who lives there: another one after each format. */
    BookieId bookieId;
    /** How the next process is set up. */
    BookieKnobs knobs;
    /** The running bookie; null while there is none that serves. */
    @Nullable
    Bookie bookie;

    SimulatedMachine.@Nullable Halt lastHalt;
    /** Whether it is started again when it is down. */
    boolean isWanted = true;
    /** Whether its disks are empty and must be formatted before the next start. */
    boolean isBlank;
    /** Whether a format is under way. */
    boolean isFormatting;
    /** Whether everything it held is lost for ever. */
    boolean isDestroyed;
    /** Whether stored bytes have rotted or files were lost since the last format. */
    boolean isRotten;
    /** The bookie of which it was noticed that it has found damage. */
    private @Nullable Bookie finder;
    /** Whether files of its journal are lost and it was not told yet to go on without them. */
    boolean lacksJournal;
    /** Whether its directories hold what belongs elsewhere, so that it must refuse to start. */
    boolean isMixedUp;
    /** Whether one of its data directories is empty, so that it must refuse to start. */
    boolean lacksDirectory;

    private final BookieId firstBookieId;
    /** Files that were lost since it was started last. */
    List<BookieDisks.Lost> lost = List.of();

    private long reservesSeen;
    /** Calls of its disks that had failed when a bookie last ended for that reason. */
    private long failuresAnswered;

    Seat(String machine, BookieId bookieId, BookieKnobs knobs) {
        this.machine = machine;
        this.firstBookieId = bookieId;
        this.bookieId = bookieId;
        this.knobs = knobs;
    }

    /** Notices once what the running bookie calls damaged, which must be something that has rotted. */
    void lookForDamage(SimulatedWorld world, List<String> wrongs) {
        Bookie running = bookie;
        if (running == null || running == finder || running.damages().isEmpty()) {
            return;
        }
        finder = running;
        if (isRotten) {
            world.faults().count(BookieSituations.ROT_FOUND);
        } else if (drives(world).anyMatch(drive -> drive.faults().failures(DiskFaults.Call.READ) > 0)) {
            // What could not be read once is not believed any more.
            world.faults().count(BookieSituations.READ_ERROR_FOUND);
        } else {
            wrongs.add(machine + " calls sound files damaged: " + running.damages());
        }
    }

    /** A new process of its bookie begins: it is not told of a failure that an earlier one has met. */
    void begin(SimulatedWorld world) {
        failuresAnswered = failures(world);
    }

    private long failures(SimulatedWorld world) {
        return drives(world).mapToLong(drive -> drive.faults().failures()).sum();
    }

    private Stream<DiskDrive> drives(SimulatedWorld world) {
        return BookieDisks.roots().stream().map(world.machine(machine)::drive);
    }

    /** Notices that the reserve of a data disk was given up since it looked last. */
    void lookForReserve(SimulatedWorld world) {
        long reserves = BookieDisks.dataRoots(knobs.dataDirectories()).stream()
                .filter(root -> world.machine(machine).drive(root).image().has(Reserve.NAME))
                .count();
        if (reserves < reservesSeen && bookie != null) {
            world.faults().count(BookieSituations.RESERVE_GIVEN_UP);
        }
        reservesSeen = reserves;
    }

    /** Notices at a start that an index file is there again which was lost. */
    void lookForIndex(SimulatedWorld world) {
        if (lost.stream().anyMatch(file -> file.drive().image().has(file.path()))) {
            world.faults().count(BookieSituations.INDEX_MADE_AGAIN);
        }
        lost = List.of();
    }

    /** Whether a call of one of its disks has failed for which no bookie has ended yet; from now on one has. */
    boolean answersDiskFailure(SimulatedWorld world) {
        long failures = failures(world);
        boolean isNew = failures > failuresAnswered;
        failuresAnswered = failures;
        return isNew;
    }

    /** Whether one of its data disks has no room for what a slab holds, and the reserve there is given up. */
    boolean hasNoRoom(SimulatedWorld world) {
        return BookieDisks.dataRoots(knobs.dataDirectories()).stream()
                .map(world.machine(machine)::drive)
                .anyMatch(drive ->
                        drive.freeBytes() < knobs.slabBytes() && !drive.image().has(Reserve.NAME));
    }

    /** Whether another bookie lives here than at first. */
    boolean isReplaced() {
        return !bookieId.equals(firstBookieId);
    }

    /** Whether a power failure would leave disks from which this bookie starts. */
    boolean isWhole() {
        return !isDestroyed && !isBlank && !isFormatting && !isMixedUp && !lacksDirectory && !lacksJournal;
    }

    /** Has its bookie go on without what its journal has lost. Throws {@link io.daybook.runtime.DiskException}. */
    void acceptDamage(SimulatedHost host) {
        try (OfflineBookie offline = OfflineBookie.open(knobs.config(machine), host)) {
            offline.acceptDamage();
        }
        lacksJournal = false;
    }
}
