// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.checkpoint;

import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.bookie.disk.UnusableCopies;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.Invariants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the marks of all journals in one small file in every directory, that of the last journal written last: when its copy is replaced, all others
 * already say the same. A directory without space has none, as long as another has one.
 *
 * <p>Layout (little-endian) with one journal, format version 1: magic 8, format version 4, incarnation 4, sequence 8, last log id 4, ring files 4, bookie id
 * 16, CRC32C 4. With several, format version 2: magic 8, format version 4, journals 4, bookie id 16, then for each journal sequence 8, incarnation 4, last
 * log id 4, ring files 4, zero 4, at last CRC32C 4.
 *
 * <p><i>Invariants:</i> B7, D13: each mark only rises, is replaced only after every store is durable up to it, and speaks for its own journal alone.
 *
 * <p><i>Threading:</i> blocks; the storage loop.
 */
public final class Checkpoint {
    private static final String NAME = "checkpoint";
    private static final long MAGIC = 0x3154504b_48434244L;
    private static final int VERSION_OF_ONE = 1;
    private static final int VERSION_OF_SEVERAL = 2;
    private static final int BYTES_OF_ONE = 52;
    private static final int HEADER_BYTES = 32;
    private static final int MARK_BYTES = 24;
    private static final int CRC_BYTES = 4;

    private final List<Disk> disks;
    private final BookieId bookieId;
    private final JournalCount journals;
    private List<Mark> marks;

    private Checkpoint(List<Disk> disks, BookieId bookieId, JournalCount journals, List<Mark> marks) {
        this.disks = List.copyOf(disks);
        this.bookieId = bookieId;
        this.journals = journals;
        this.marks = List.copyOf(marks);
    }

    /** Writes the first marks; {@code disks} in the order in which they are written, that of the last journal last. */
    public static void format(List<Disk> disks, BookieId bookieId, JournalCount journals) {
        List<Mark> first = new ArrayList<>();
        for (int journal = 0; journal < journals.count(); journal++) {
            first.add(Mark.first(journals.firstIncarnation(journal)));
        }
        for (Disk disk : disks) {
            SmallFile.replace(disk, NAME, encode(first, bookieId));
        }
    }

    /**
     * Reads the marks: those of the highest of the readable copies, since a copy is only written when it holds.
     *
     * @return null when no copy is readable, or when of two neither says all that the other does, which no bookie writes
     */
    public static @Nullable Checkpoint read(List<Disk> disks, BookieId bookieId, JournalCount journals) {
        UnusableCopies unusable = new UnusableCopies(NAME);
        List<List<Mark>> copies = new ArrayList<>();
        for (Disk disk : disks) {
            List<Mark> copy = readCopy(disk, bookieId, journals, unusable);
            if (!copy.isEmpty()) {
                copies.add(copy);
            }
        }
        List<Mark> highest = highest(copies);
        unusable.tell(!highest.isEmpty());
        return highest.isEmpty() ? null : new Checkpoint(disks, bookieId, journals, highest);
    }

    /** Empty when there is none. */
    private static List<Mark> highest(List<List<Mark>> copies) {
        List<Mark> highest = List.of();
        for (List<Mark> copy : copies) {
            if (isAtLeast(highest, copy)) {
                continue;
            }
            if (!isAtLeast(copy, highest)) {
                return List.of();
            }
            highest = copy;
        }
        return highest;
    }

    /** Compares journal by journal: the marks of several are not one number. */
    private static boolean isAtLeast(List<Mark> marks, List<Mark> others) {
        if (marks.isEmpty()) {
            return others.isEmpty();
        }
        for (int i = 0; i < others.size(); i++) {
            if (!marks.get(i).isAtLeast(others.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<Mark> readCopy(Disk disk, BookieId bookieId, JournalCount journals, UnusableCopies unusable) {
        try {
            ByteBuffer in = SmallFile.read(disk, NAME).order(ByteOrder.LITTLE_ENDIAN);
            List<Mark> copy =
                    journals.count() == 1 ? decodeOne(in, bookieId) : decodeSeveral(in, bookieId, journals.count());
            if (copy.isEmpty()) {
                unusable.damaged(disk);
            }
            return copy;
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.NOT_FOUND) {
                unusable.unreadable(disk, failure);
            }
            return List.of();
        }
    }

    /** The mark of a journal as it was read or advanced last. */
    public Mark mark(int journal) {
        return marks.get(journal);
    }

    /** The marks of all journals, in the order of their numbers. */
    public List<Mark> marks() {
        return marks;
    }

    /**
     * Raises the mark of one journal; durable in every directory that has room for it on return, see {@link SmallFile#replaceCopies}. Throws
     * {@link DiskException}.
     */
    public void advance(int journal, Mark next) {
        List<Mark> all = new ArrayList<>(marks);
        all.set(journal, next);
        requireRise(journal, next);
        replace(all);
    }

    /** Raises the marks of all journals in one step, as {@link #advance} raises one. */
    public void advanceAll(List<Mark> next) {
        for (int journal = 0; journal < next.size(); journal++) {
            requireRise(journal, next.get(journal));
        }
        replace(next);
    }

    private void requireRise(int journal, Mark next) {
        Mark mark = marks.get(journal);
        Invariants.require(
                next.incarnation() > mark.incarnation() && next.sequence() >= mark.sequence(),
                "D13: the mark would go from {} to {}",
                mark,
                next);
        Invariants.require(
                journals.ofIncarnation(next.incarnation()) == journal,
                "D13: {} would be the mark of journal {}",
                next,
                journal);
    }

    private void replace(List<Mark> next) {
        SmallFile.replaceCopies(disks, NAME, encode(next, bookieId));
        marks = List.copyOf(next);
    }

    private static ByteBuffer encode(List<Mark> marks, BookieId bookieId) {
        int bytes = marks.size() == 1 ? BYTES_OF_ONE : HEADER_BYTES + marks.size() * MARK_BYTES + CRC_BYTES;
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC);
        if (marks.size() == 1) {
            Mark mark = marks.get(0);
            out.putInt(VERSION_OF_ONE).putInt(mark.incarnation()).putLong(mark.sequence());
            out.putInt(mark.lastLogId()).putInt(mark.ringFiles());
            out.putLong(bookieId.high()).putLong(bookieId.low());
        } else {
            out.putInt(VERSION_OF_SEVERAL).putInt(marks.size());
            out.putLong(bookieId.high()).putLong(bookieId.low());
            for (Mark mark : marks) {
                out.putLong(mark.sequence()).putInt(mark.incarnation()).putInt(mark.lastLogId());
                out.putInt(mark.ringFiles()).putInt(0);
            }
        }
        out.putInt(new Checksum().of(out, 0, bytes - CRC_BYTES));
        return out.flip();
    }

    private static List<Mark> decodeOne(ByteBuffer in, BookieId bookieId) {
        boolean ours = in.limit() == BYTES_OF_ONE
                && isSound(in, VERSION_OF_ONE)
                && in.getLong(32) == bookieId.high()
                && in.getLong(40) == bookieId.low();
        return ours ? List.of(new Mark(in.getInt(12), in.getLong(16), in.getInt(24), in.getInt(28))) : List.of();
    }

    private static List<Mark> decodeSeveral(ByteBuffer in, BookieId bookieId, int count) {
        boolean ours = in.limit() == HEADER_BYTES + count * MARK_BYTES + CRC_BYTES
                && isSound(in, VERSION_OF_SEVERAL)
                && in.getInt(12) == count
                && in.getLong(16) == bookieId.high()
                && in.getLong(24) == bookieId.low();
        List<Mark> marks = new ArrayList<>();
        for (int at = HEADER_BYTES; ours && at < in.limit() - CRC_BYTES; at += MARK_BYTES) {
            marks.add(new Mark(in.getInt(at + 8), in.getLong(at), in.getInt(at + 12), in.getInt(at + 16)));
        }
        return marks;
    }

    private static boolean isSound(ByteBuffer in, int version) {
        return in.getLong(0) == MAGIC
                && in.getInt(8) == version
                && in.getInt(in.limit() - CRC_BYTES) == new Checksum().of(in, 0, in.limit() - CRC_BYTES);
    }
}
