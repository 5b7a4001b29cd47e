// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.IndexFile;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskImage;
import io.daybook.runtime.simulated.disk.Survivors;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The disks of the bookies of a simulated cluster: each has one for its journal and one for each of its data directories.
 *
 * <p><i>Threading:</i> the thread that drives the world.
 */
public final class BookieDisks {
    /** Data directories that a bookie can have. */
    public static final int DATA_MAX = 3;

    static final String JOURNAL = "journal";

    private static final String DATA = "data";
    private static final int FILES_TRIED_MAX = 8;
    private static final int LOSSES = 3;
    private static final int ONE_JOURNAL_FILE_IN = 2;

    private final SimulatedWorld world;
    private final int dataCount;

    BookieDisks(SimulatedWorld world, int dataCount) {
        this.world = world;
        this.dataCount = dataCount;
    }

    /** The disks of the same bookies in another world. */
    BookieDisks in(SimulatedWorld other) {
        return new BookieDisks(other, dataCount);
    }

    /** The data directories of a bookie with so many. */
    static List<String> dataRoots(int count) {
        List<String> roots = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            roots.add(i == 0 ? DATA : DATA + '-' + i);
        }
        return roots;
    }

    /** All disks that a bookie can have, also before there is one. */
    public static List<DiskDrive> of(SimulatedWorld world, int bookie) {
        return new BookieDisks(world, DATA_MAX).of(bookie);
    }

    /** All disks of a bookie: those of its data, then the journal's. */
    public List<DiskDrive> of(int bookie) {
        List<DiskDrive> drives = new ArrayList<>(dataOf(bookie));
        drives.add(journalOf(bookie));
        return drives;
    }

    private SimulatedMachine machine(int bookie) {
        return world.machine(SimulatedCluster.machineOf(bookie));
    }

    /** The disk of a bookie's journal. */
    public DiskDrive journalOf(int bookie) {
        return machine(bookie).drive(JOURNAL);
    }

    /** The disks of a bookie's entries and index. */
    public List<DiskDrive> dataOf(int bookie) {
        return dataRoots(dataCount).stream().map(machine(bookie)::drive).toList();
    }

    /** One of the disks of a bookie's entries and index, which {@code draw} chooses. */
    public DiskDrive dataOf(int bookie, long draw) {
        return dataOf(bookie).get((int) Long.remainderUnsigned(draw, dataCount));
    }

    /** Takes over what the disks of a bookie of another world would still hold if everything were lost that is not durable. */
    void takeAfterPowerLoss(int bookie, BookieDisks original) {
        List<DiskDrive> drives = of(bookie);
        for (int i = 0; i < drives.size(); i++) {
            drives.get(i).replace(original.of(bookie).get(i).image().copy());
            drives.get(i).crash(Survivors.none());
        }
    }

    /** Everything on the disks of a machine is lost. */
    void wipe(String machine) {
        dataRoots(dataCount).forEach(world.machine(machine)::wipe);
        world.machine(machine).wipe(JOURNAL);
    }

    /** Everything on one of the data disks of a bookie is lost. */
    void wipeData(int bookie, long draw) {
        machine(bookie).wipe(dataRoots(dataCount).get((int) Long.remainderUnsigned(draw, dataCount)));
    }

    /**
     * Puts the first data disk of each of two bookies into the other; for one bookie, its first two data disks, or journal and data when it has only one,
     * in each other's place. Twice is as before.
     */
    void exchange(int one, int other) {
        if (one != other) {
            exchange(dataOf(one, 0), dataOf(other, 0));
        } else {
            List<DiskDrive> own = of(one);
            exchange(own.get(0), own.get(1));
        }
    }

    private static void exchange(DiskDrive one, DiskDrive other) {
        DiskImage image = one.image();
        one.replace(other.image());
        other.replace(image);
    }

    /** Flips bits of a stored byte of a bookie's data that {@code draw} chooses; false when there is none. */
    boolean rot(int bookie, long draw) {
        DiskDrive drive = dataOf(bookie, draw >>> 40);
        List<String> files = drive.image().files();
        for (int i = 0; i < FILES_TRIED_MAX && !files.isEmpty(); i++) {
            String file = files.get((int) Long.remainderUnsigned(draw + i, files.size()));
            long size = drive.image().sizeOf(file);
            if (size > 0) {
                drive.corrupt(
                        file, Long.remainderUnsigned(draw >>> 8, size), 1 + (int) Long.remainderUnsigned(draw, 255));
                return true;
            }
        }
        return false;
    }

    /** Takes an entry log of a bookie away, its index file, or both, as {@code draw} chooses; false when there is none. */
    boolean loseLog(int bookie, long draw) {
        DiskDrive data = dataOf(bookie, draw >>> 40);
        List<String> files = data.image().files();
        TreeSet<Integer> logIds = new TreeSet<>();
        for (String file : files) {
            logIds.add(EntryLogFormat.logId(file));
            logIds.add(IndexFile.logId(file));
        }
        logIds.remove(EntryLogFormat.NO_LOG);
        if (logIds.isEmpty()) {
            return false;
        }
        int logId = List.copyOf(logIds).get((int) Long.remainderUnsigned(draw / LOSSES, logIds.size()));
        List<String> lost = new ArrayList<>();
        switch ((int) Long.remainderUnsigned(draw, LOSSES)) {
            case 0 -> lost.add(EntryLogFormat.name(logId));
            case 1 -> lost.add(IndexFile.name(logId));
            default -> lost.addAll(List.of(EntryLogFormat.name(logId), IndexFile.name(logId)));
        }
        lost.retainAll(files);
        lost.forEach(data::lose);
        return !lost.isEmpty();
    }

    /** Takes all files of a bookie's journal away, or one, as {@code draw} chooses; false when there is none. */
    boolean loseJournal(int bookie, long draw) {
        DiskDrive journal = journalOf(bookie);
        List<String> files = journal.image().files().stream()
                .filter(file -> file.startsWith("journal-") && file.endsWith(".ring"))
                .toList();
        if (files.isEmpty()) {
            return false;
        }
        int chosen = (int) Long.remainderUnsigned(draw / ONE_JOURNAL_FILE_IN, files.size());
        boolean onlyOne = Long.remainderUnsigned(draw, ONE_JOURNAL_FILE_IN) == 0;
        (onlyOne ? files.subList(chosen, chosen + 1) : files).forEach(journal::lose);
        return true;
    }
}
