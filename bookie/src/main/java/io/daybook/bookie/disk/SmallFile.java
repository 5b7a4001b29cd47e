// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Small files that are read whole and replaced whole. A replacement is durable, and happens entirely or not at all (B12). */
public final class SmallFile {
    /** Bytes beyond which a file is not a small file. */
    public static final int BYTES_MAX = 1024 * 1024;

    /** What the names of unfinished replacements end with. */
    public static final String UNFINISHED_SUFFIX = ".tmp";

    private SmallFile() {}

    /** Reads the file {@code name} of the disk's root; throws {@link DiskException}. */
    public static ByteBuffer read(Disk disk, String name) {
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            long size = file.size();
            if (size > BYTES_MAX) {
                throw new DiskException(
                        DiskException.Kind.IO, name + " has " + size + " bytes, far more than it should", null);
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size);
            file.read(0, bytes);
            return bytes.flip();
        }
    }

    /** Replaces the file {@code name} of the disk's root, or creates it; durable on return. Throws {@link DiskException}. */
    public static void replace(Disk disk, String name, ByteBuffer content) {
        String unfinished = name + UNFINISHED_SUFFIX;
        if (disk.exists(unfinished)) {
            disk.delete(unfinished);
        }
        try (DiskFile file = disk.open(unfinished, Disk.OpenMode.CREATE_NEW)) {
            file.write(0, content);
            file.sync();
        }
        disk.rename(unfinished, name);
        disk.syncDirectory("");
    }

    /**
     * Replaces the copies of a file that stands in several directories, that of the last disk after all others; durable on return. Where there is no space
     * the copy is removed, so that none is left that says less than the others, unless there would be no copy but the last (S-18). Throws
     * {@link DiskException}.
     */
    public static void replaceCopies(List<Disk> disks, String name, ByteBuffer content) {
        int last = disks.size() - 1;
        List<Disk> full = new ArrayList<>();
        for (Disk disk : disks.subList(0, last)) {
            try {
                replace(disk, name, content.duplicate());
            } catch (DiskException failure) {
                boolean isLastHope = full.size() == last - 1;
                if (failure.kind() != DiskException.Kind.FULL || isLastHope) {
                    throw failure;
                }
                full.add(disk);
            }
        }
        replace(disks.get(last), name, content.duplicate());
        full.forEach(disk -> removeCopy(disk, name));
    }

    private static void removeCopy(Disk disk, String name) {
        for (String each : List.of(name, name + UNFINISHED_SUFFIX)) {
            if (disk.exists(each)) {
                disk.delete(each);
            }
        }
        disk.syncDirectory("");
    }

    /** Removes what a crash left of unfinished replacements. */
    public static void removeUnfinished(Disk disk) {
        List<String> names = disk.list("");
        for (String name : names) {
            if (name.endsWith(UNFINISHED_SUFFIX)) {
                disk.delete(name);
            }
        }
    }
}
