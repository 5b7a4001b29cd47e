// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of a journal directory. They are written once with zeros and then used again for ever: blocks that were never written cost two to four
 * times as much to sync, even in a preallocated file.
 *
 * <p><i>Threading:</i> blocks; a storage loop, before the journal works.
 */
public final class JournalRing {
    private static final String PREFIX = "journal-";
    private static final String SUFFIX = ".ring";
    private static final String UNFINISHED_SUFFIX = ".tmp";
    private static final int ZERO_BYTES = 256 * 1024;

    private JournalRing() {}

    /** The names of the files in use, sorted. */
    public static List<String> names(Disk disk) {
        List<String> names = new ArrayList<>();
        for (String name : disk.list("")) {
            if (name.startsWith(PREFIX) && name.endsWith(SUFFIX)) {
                names.add(name);
            }
        }
        return names;
    }

    /** What is said of a ring of {@code count} files, or more, of which some are not there: records may be lost with them. Empty when all are. */
    public static Optional<String> lack(Disk disk, int count) {
        List<String> missing =
                wanted(count).stream().filter(name -> !disk.exists(name)).toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the journal of " + count + " files lacks " + String.join(", ", missing));
    }

    /** Makes the files that a ring of {@code count} lacks, and leaves all others alone. Durable on return. */
    public static void grow(Disk disk, int count, int bytes) {
        boolean changed = false;
        for (String name : wanted(count)) {
            if (!disk.exists(name)) {
                create(disk, name, bytes);
                changed = true;
            }
        }
        if (changed) {
            disk.syncDirectory("");
        }
    }

    /**
     * Makes a ring that was {@link #grow grown} consist of exactly {@code count} files of {@code bytes} each. Nothing in them may be needed any more:
     * files of another size are replaced, surplus ones removed. Durable on return.
     */
    public static List<String> shape(Disk disk, int count, int bytes) {
        List<String> wanted = wanted(count);
        boolean changed = false;
        for (String name : names(disk)) {
            if (!wanted.contains(name)) {
                disk.delete(name);
                changed = true;
            } else if (sizeOf(disk, name) != bytes) {
                create(disk, name, bytes);
                changed = true;
            }
        }
        if (changed) {
            disk.syncDirectory("");
        }
        return wanted;
    }

    private static List<String> wanted(int count) {
        List<String> wanted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            wanted.add(PREFIX + String.format("%04d", i) + SUFFIX);
        }
        return wanted;
    }

    private static long sizeOf(Disk disk, String name) {
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            return file.size();
        }
    }

    private static void create(Disk disk, String name, int bytes) {
        String unfinished = name + UNFINISHED_SUFFIX;
        if (disk.exists(unfinished)) {
            disk.delete(unfinished);
        }
        try (DiskFile file = disk.open(unfinished, Disk.OpenMode.CREATE_NEW)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZERO_BYTES, bytes));
            for (int at = 0; at < bytes; at += zeros.capacity()) {
                zeros.clear().limit(Math.min(zeros.capacity(), bytes - at));
                file.write(at, zeros);
            }
            file.sync();
        }
        disk.rename(unfinished, name);
    }
}
