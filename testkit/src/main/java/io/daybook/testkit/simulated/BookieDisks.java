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
import java.util.stream.Stream;

/**
 * The disks of the bookies of a simulated cluster: each has one for each of its journals and one for each of its data directories.
 *
 * <p><i>Threading:</i> the thread that drives the world.
 */
public final class BookieDisks {
    /** Data directories that a bookie can have. */
    public static final int DATA_MAX = 3;

    /** Journals that a bookie can have. */
    public static final int JOURNAL_MAX = 3;

    private static final String JOURNAL = "journal";
    private static final String DATA = "data";
    private static final int FILES_TRIED_MAX = 8;
    private static final int LOSSES = 3;
    private static final int ONE_JOURNAL_FILE_IN = 2;
    private static final int ROT_OF_JOURNALS_ONE_IN = 4;

    /** A file that was taken away. */
    record Lost(DiskDrive drive, String path) {}

    private final SimulatedWorld world;
    private final int dataCount;
    private final int journalCount;

    BookieDisks(SimulatedWorld world, int dataCount, int journalCount) {
        this.world = world;
        this.dataCount = dataCount;
        this.journalCount = journalCount;
    }

    /** The disks of the same bookies in another world. */
    BookieDisks in(SimulatedWorld other) {
        return new BookieDisks(other, dataCount, journalCount);
    }

    /** The data directories of a bookie with so many. */
    static List<String> dataRoots(int count) {
        return roots(DATA, count);
    }

    /** The directories of the journals of a bookie with so many. */
    static List<String> journalRoots(int count) {
        return roots(JOURNAL, count);
    }

    /** The directories of all disks that a bookie can have. */
    static List<String> roots() {
        return Stream.concat(dataRoots(DATA_MAX).stream(), journalRoots(JOURNAL_MAX).stream())
                .toList();
    }

    private static List<String> roots(String first, int count) {
        List<String> roots = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            roots.add(i == 0 ? first : first + '-' + i);
        }
        return roots;
    }

    /** All disks that a bookie can have, also before there is one. */
    public static List<DiskDrive> of(SimulatedWorld world, int bookie) {
        return new BookieDisks(world, DATA_MAX, JOURNAL_MAX).of(bookie);
    }

    /** All disks of a bookie: those of its data, then those of its journals. */
    public List<DiskDrive> of(int bookie) {
        List<DiskDrive> drives = new ArrayList<>(dataOf(bookie));
        drives.addAll(journalsOf(bookie));
        return drives;
    }

    private SimulatedMachine machine(int bookie) {
        return world.machine(SimulatedCluster.machineOf(bookie));
    }

    /** The disks of a bookie's journals. */
    public List<DiskDrive> journalsOf(int bookie) {
        return journalRoots(journalCount).stream().map(machine(bookie)::drive).toList();
    }

    /** One of the disks of a bookie's journals, which {@code draw} chooses. */
    public DiskDrive journalOf(int bookie, long draw) {
        return journalsOf(bookie).get((int) Long.remainderUnsigned(draw, journalCount));
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
        journalRoots(journalCount).forEach(world.machine(machine)::wipe);
    }

    /** Everything on one of the disks of a bookie is lost: of a data disk with a draw below {@link #DATA_MAX}, else of a journal's. */
    void wipeOne(int bookie, long draw) {
        List<String> roots = draw < DATA_MAX ? dataRoots(dataCount) : journalRoots(journalCount);
        machine(bookie).wipe(roots.get((int) Long.remainderUnsigned(draw, roots.size())));
    }

    /**
     * Puts a disk of each of two bookies into the other: the last journal's when there are several, else the first of the data. For one bookie, two of its
     * disks are put in each other's place: those of two journals, else of its data, else of journal and data. Twice is as before.
     */
    void exchange(int one, int other) {
        if (one != other) {
            exchange(exchangeable(one), exchangeable(other));
        } else {
            List<DiskDrive> own = journalCount > 1 ? journalsOf(one) : of(one);
            exchange(own.get(0), own.get(1));
        }
    }

    private DiskDrive exchangeable(int bookie) {
        return journalCount > 1 ? journalsOf(bookie).get(journalCount - 1) : dataOf(bookie, 0);
    }

    private static void exchange(DiskDrive one, DiskDrive other) {
        DiskImage image = one.image();
        one.replace(other.image());
        other.replace(image);
    }

    /**
     * Flips bits of a stored byte of a bookie that {@code draw} chooses, in its data or, when it has several journals, in the small files beside them; false
     * when there is none. A commit that rots before another proves it is lost without a trace, with any number of journals.
     */
    boolean rot(int bookie, long draw) {
        boolean isOfJournal = journalCount > 1 && Long.remainderUnsigned(draw >>> 48, ROT_OF_JOURNALS_ONE_IN) == 0;
        DiskDrive drive = isOfJournal ? journalOf(bookie, draw >>> 40) : dataOf(bookie, draw >>> 40);
        List<String> files = drive.image().files().stream()
                .filter(file -> !isJournalFile(file))
                .toList();
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

    /** Takes an entry log of a bookie away, its index file, or both, as {@code draw} chooses; tells which. */
    List<Lost> loseLog(int bookie, long draw) {
        DiskDrive data = dataOf(bookie, draw >>> 40);
        List<String> files = data.image().files();
        TreeSet<Integer> logIds = new TreeSet<>();
        for (String file : files) {
            logIds.add(EntryLogFormat.logId(file));
            logIds.add(IndexFile.logId(file));
        }
        logIds.remove(EntryLogFormat.NO_LOG);
        if (logIds.isEmpty()) {
            return List.of();
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
        return lost.stream().map(path -> new Lost(data, path)).toList();
    }

    private static boolean isJournalFile(String file) {
        return file.startsWith("journal-") && file.endsWith(".ring");
    }

    /** Takes all files of one of a bookie's journals away, or one, as {@code draw} chooses; false when there is none. */
    boolean loseJournal(int bookie, long draw) {
        DiskDrive journal = journalOf(bookie, draw >>> 40);
        List<String> files = journal.image().files().stream()
                .filter(BookieDisks::isJournalFile)
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
