// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;

/** What happens to a file. */
enum FileDamage {
    FLIPPED,
    ZEROED,
    CUT;

    private static final int ZEROED_BYTES = 512;

    /** Where the bytes end that it does something to at a position of a file. */
    long end(long position, long size) {
        return switch (this) {
            case FLIPPED -> position + 1;
            case ZEROED -> Math.min(position + ZEROED_BYTES, size);
            case CUT -> size;
        };
    }

    /** Does it at a position before the end of the file, durably. */
    void at(Disk disk, String name, long position) {
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_WRITE)) {
            switch (this) {
                case FLIPPED -> {
                    ByteBuffer one = ByteBuffer.allocate(1);
                    file.read(position, one);
                    one.put(0, (byte) (one.get(0) ^ 0x10));
                    file.write(position, one.rewind());
                }
                case ZEROED ->
                    file.write(position, ByteBuffer.allocate((int) Math.min(ZEROED_BYTES, file.size() - position)));
                case CUT -> file.truncate(position);
            }
            file.sync();
        }
    }
}
