// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.checkpoint;

import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.Invariants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the mark in a small file in every directory, the journal's last: when the journal's copy is replaced, all others already say the same. A data
 * directory without space has none, as long as another has one.
 *
 * <p>Layout (little-endian): magic 8, format version 4, incarnation 4, sequence 8, last log id 4, ring files 4, bookie id 16, CRC32C 4.
 *
 * <p><i>Invariants:</i> B7, D13: the mark only rises, and is replaced only after every store is durable up to it.
 *
 * <p><i>Threading:</i> blocks; the storage loop.
 */
public final class Checkpoint {
    private static final String NAME = "checkpoint";
    private static final long MAGIC = 0x3154504b_48434244L;
    private static final int VERSION = 1;
    private static final int BYTES = 52;

    private final List<Disk> disks;
    private final BookieId bookieId;
    private Mark mark;

    private Checkpoint(List<Disk> disks, BookieId bookieId, Mark mark) {
        this.disks = List.copyOf(disks);
        this.bookieId = bookieId;
        this.mark = mark;
    }

    /** Writes the first mark; {@code disks} in the order in which they are written, the journal's last. */
    public static void format(List<Disk> disks, BookieId bookieId) {
        for (Disk disk : disks) {
            SmallFile.replace(disk, NAME, encode(Mark.FIRST, bookieId));
        }
    }

    /**
     * Reads the mark: the highest of the readable copies, since a copy is only written when it holds.
     *
     * @return null when no copy is readable
     */
    public static @Nullable Checkpoint read(List<Disk> disks, BookieId bookieId) {
        Mark highest = null;
        for (Disk disk : disks) {
            Mark copy = readCopy(disk, bookieId);
            if (copy != null && (highest == null || copy.incarnation() > highest.incarnation())) {
                highest = copy;
            }
        }
        return highest == null ? null : new Checkpoint(disks, bookieId, highest);
    }

    private static @Nullable Mark readCopy(Disk disk, BookieId bookieId) {
        try {
            return decode(SmallFile.read(disk, NAME), bookieId);
        } catch (DiskException failure) {
            return null;
        }
    }

    /** The mark as it was read or advanced last. */
    public Mark mark() {
        return mark;
    }

    /** Raises the mark; durable in every directory that has room for it on return, see {@link SmallFile#replaceCopies}. Throws {@link DiskException}. */
    public void advance(Mark next) {
        Invariants.require(
                next.incarnation() > mark.incarnation() && next.sequence() >= mark.sequence(),
                "D13: the mark would go from {} to {}",
                mark,
                next);
        SmallFile.replaceCopies(disks, NAME, encode(next, bookieId));
        mark = next;
    }

    private static ByteBuffer encode(Mark mark, BookieId bookieId) {
        ByteBuffer out = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(VERSION).putInt(mark.incarnation()).putLong(mark.sequence());
        out.putInt(mark.lastLogId()).putInt(mark.ringFiles());
        out.putLong(bookieId.high()).putLong(bookieId.low());
        out.putInt(new Checksum().of(out, 0, BYTES - 4));
        return out.flip();
    }

    private static @Nullable Mark decode(ByteBuffer bytes, BookieId bookieId) {
        ByteBuffer in = bytes.order(ByteOrder.LITTLE_ENDIAN);
        boolean ours = in.limit() == BYTES
                && in.getLong(0) == MAGIC
                && in.getInt(8) == VERSION
                && in.getInt(BYTES - 4) == new Checksum().of(in, 0, BYTES - 4)
                && in.getLong(32) == bookieId.high()
                && in.getLong(40) == bookieId.low();
        return ours ? new Mark(in.getInt(12), in.getLong(16), in.getInt(24), in.getInt(28)) : null;
    }
}
