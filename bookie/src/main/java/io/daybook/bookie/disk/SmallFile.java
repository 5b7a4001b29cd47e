// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
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
