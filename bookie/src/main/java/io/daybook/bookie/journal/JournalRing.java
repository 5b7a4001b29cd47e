// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

    /**
     * What is said of a ring of which files that the mark counts are not there, or one that a replay must read is shorter than the others: records may be
     * lost with them. Empty when all are whole. No crash makes a file shorter: it gets its name when it has its size.
     */
    public static Optional<String> lack(Disk disk, Mark mark, BookieId bookieId) {
        List<String> wanted = wanted(mark.ringFiles());
        List<String> missing =
                wanted.stream().filter(name -> !disk.exists(name)).toList();
        if (!missing.isEmpty()) {
            return Optional.of("the journal of " + mark.ringFiles() + " files lacks " + String.join(", ", missing));
        }
        long full = wanted.stream().mapToLong(name -> sizeOf(disk, name)).max().orElse(0);
        return wanted.stream()
                .filter(name -> sizeOf(disk, name) < full && mayBeNeeded(disk, name, mark, bookieId))
                .findFirst()
                .map(name -> "the journal file " + name + " is cut short: it has " + sizeOf(disk, name) + " of " + full
                        + " bytes");
    }

    /** Whether a shortened file was in use since the mark, or is too short to tell. A start that gives the files another size replaces one by one those that were not. */
    private static boolean mayBeNeeded(Disk disk, String name, Mark mark, BookieId bookieId) {
        ByteBuffer head = ByteBuffer.allocate(disk.blockBytes()).order(ByteOrder.LITTLE_ENDIAN);
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            boolean isTooShort = file.read(0, head) < head.capacity();
            return isTooShort
                    || (JournalFormat.isCommit(head.flip(), 0, bookieId, new Checksum())
                            && JournalFormat.incarnation(head, 0) >= mark.incarnation());
        }
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
