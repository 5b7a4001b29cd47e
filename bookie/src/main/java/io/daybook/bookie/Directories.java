// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.disk.CookieFile;
import io.daybook.bookie.disk.DataDisks;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.Host;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of one bookie, held by this process.
 *
 * <p><i>Threading:</i> blocks; one storage loop.
 */
final class Directories implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Directories.class);
    private static final String DATA_ROLE = "data-";
    private static final String JOURNAL_ROLE = "journal-";

    private final List<Directory> all = new ArrayList<>();
    private final List<Disk.DirectoryLock> locks = new ArrayList<>();
    private int dataCount;

    /**
     * One directory.
     *
     * @param isHeld whether it is locked: one that is looked at and has no cookie is left alone, as nobody knows whose it is
     */
    record Directory(String role, String path, Disk disk, boolean isHeld) {
        /** Its cookie; null when it has none. */
        @Nullable
        CookieFile cookie() {
            if (!isHeld || !disk.exists(CookieFile.NAME)) {
                return null;
            }
            try {
                return CookieFile.read(disk);
            } catch (CookieFile.UnreadableCookieException unreadable) {
                throw new BookieStartException(
                        ExitCode.IDENTITY,
                        "the cookie in " + path + " cannot be read (" + unreadable.getMessage()
                                + "): restore the file 'cookie' from a copy, or give up this bookie and format empty"
                                + " directories as a new one",
                        unreadable);
            }
        }

        /** The names in it, beside what any directory may hold. */
        List<String> content() {
            List<String> names = new ArrayList<>(disk.list(""));
            names.removeIf(name -> name.equals("LOCK") || name.equals("lost+found"));
            return names;
        }
    }

    private Directories() {}

    /** Opens and locks the directories of a configuration, if they are a bookie's; they are created first, and locked whatever they are, when {@code create}. */
    static Directories open(BookieConfig config, Host host, boolean create) {
        Directories directories = new Directories();
        try {
            int number = 0;
            for (String path : config.dataDirectories()) {
                directories.add(DATA_ROLE + number++, path, host, create);
            }
            directories.dataCount = number;
            number = 0;
            for (String path : config.journalDirectories()) {
                directories.add(JOURNAL_ROLE + number++, path, host, create);
            }
            return directories;
        } catch (RuntimeException | OutOfMemoryError failure) {
            directories.close();
            throw failure;
        }
    }

    private void add(String role, String path, Host host, boolean create) {
        Disk disk = host.disk(path);
        boolean isHeld = create;
        try {
            if (create) {
                disk.createDirectories("");
            } else if (!disk.exists("")) {
                throw new BookieStartException(
                        ExitCode.IDENTITY,
                        "the directory " + path + " (" + role + ") is missing: mount it, or run 'bookie format' if"
                                + " this is a new bookie");
            }
            isHeld |= disk.exists(CookieFile.NAME);
            if (isHeld) {
                locks.add(disk.lock(""));
            }
        } catch (DiskException failure) {
            throw failure.kind() == DiskException.Kind.LOCKED
                    ? new BookieStartException(
                            ExitCode.IN_USE,
                            "the directory " + path + " (" + role
                                    + ") is in use by another process: stop that bookie first",
                            failure)
                    : new BookieStartException(
                            ExitCode.DISK,
                            "the directory " + path + " (" + role + ") cannot be used: " + failure.getMessage(),
                            failure);
        }
        all.add(new Directory(role, path, disk, isHeld));
    }

    /** In the order in which a checkpoint is written: data first, then the journals. */
    List<Directory> all() {
        return all;
    }

    /** What each of them is for, in the order of {@link #all}. */
    List<String> roles() {
        return all.stream().map(Directory::role).toList();
    }

    DataDisks data() {
        return new DataDisks(disks().subList(0, dataCount));
    }

    /** Those of the journals, in the order of their numbers. */
    List<Directory> journals() {
        return all.subList(dataCount, all.size());
    }

    /** How many journals there are. */
    JournalCount journalCount() {
        return new JournalCount(all.size() - dataCount);
    }

    /** The setting that names the directory of a role. */
    static String settingOf(String role) {
        return role.startsWith(JOURNAL_ROLE) ? "bookie.journal-directories" : "bookie.data-directories";
    }

    /** The place of the lock of the first data directory. */
    String place() {
        return locks.get(0).place();
    }

    /** All disks, in the order of {@link #all}. */
    List<Disk> disks() {
        return all.stream().map(Directory::disk).toList();
    }

    /** Lets others use the directories. */
    /** One that cannot be given back keeps no other. */
    @Override
    public void close() {
        for (Disk.DirectoryLock lock : locks) {
            try {
                lock.close();
            } catch (DiskException unclean) {
                LOG.warn("state=NOT_UNLOCKED {}", unclean.getMessage());
            }
        }
        locks.clear();
    }
}
