// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.bookie.disk.UnusableCopies;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Which logs count, of those up to a certain flush of each journal; newer ones are found through the chain of previous logs of that journal. Replacing it is the one step with which
 * compaction takes effect: before it the old logs count, after it the new one (B12, B13).
 *
 * <p>Layout (little-endian) with one journal, format version 1: magic 8, format version 4, number of logs 4, generation 8, newest flushed log 4, flags 4
 * (1: logs that it does not name were lost), bookie id 16, ids of the logs 4 each, CRC32C 4 of everything before. With several, format version 2: the number
 * of journals in the place of the newest flushed log, and the newest flushed log of each, 4 each, before the ids of the logs. A copy stands in every
 * directory, that of the last journal is written last; of the readable copies the one of the highest generation counts. A directory without space has none,
 * as long as another has one.
 *
 * <p><i>Threading:</i> blocks; one loop at a time.
 */
public final class Catalog {
    /** The name of the file. */
    public static final String NAME = "catalog";

    /** Stands for all logs when no copy of the catalog can be read: which of them are lost cannot be told. No log has this id. */
    public static final int UNREADABLE = -1;

    private static final long MAGIC = 0x31474c54_41434244L;
    private static final int VERSION_OF_ONE = 1;
    private static final int VERSION_OF_SEVERAL = 2;
    private static final int HEADER_BYTES = 48;
    private static final int CRC_BYTES = 4;
    private static final int INCOMPLETE = 1;

    /** How many numbers a catalog can hold: logs that it names and, with several journals, the newest flushed one of each. */
    static final int NUMBERS_MAX = (SmallFile.BYTES_MAX - HEADER_BYTES - CRC_BYTES) / 4;

    private final List<Disk> disks;
    private final BookieId bookieId;
    private final JournalCount journals;
    private State state;
    private long generation;
    private List<Integer> newestFlushed;
    private boolean incomplete;
    private List<Integer> logIds;
    private int agreeing;

    /** What is known of the catalog. */
    public enum State {
        /** Never written: every log is found through the chain. */
        ABSENT,
        /** Read. */
        READ,
        /** There are copies, none of which can be read: every log that is there counts. */
        DAMAGED
    }

    private Catalog(List<Disk> disks, BookieId bookieId, JournalCount journals) {
        this.disks = List.copyOf(disks);
        this.bookieId = bookieId;
        this.journals = journals;
        this.state = State.ABSENT;
        this.newestFlushed = Collections.nCopies(journals.count(), EntryLogFormat.NO_LOG);
        this.logIds = List.of();
    }

    /** Reads the catalog; {@code disks} in the order in which it is written. Throws {@link DiskException}. */
    public static Catalog read(List<Disk> disks, BookieId bookieId, JournalCount journals) {
        Catalog catalog = new Catalog(disks, bookieId, journals);
        UnusableCopies unusable = new UnusableCopies(NAME);
        for (Disk disk : disks) {
            if (disk.exists(NAME)) {
                catalog.readCopy(disk, unusable);
            }
        }
        unusable.tell(catalog.state == State.READ);
        return catalog;
    }

    private void readCopy(Disk disk, UnusableCopies unusable) {
        ByteBuffer in;
        try {
            in = SmallFile.read(disk, NAME).order(ByteOrder.LITTLE_ENDIAN);
        } catch (DiskException unreadable) {
            unusable.unreadable(disk, unreadable);
            state = state == State.READ ? State.READ : State.DAMAGED;
            return;
        }
        if (!isSound(in)) {
            unusable.damaged(disk);
            state = state == State.READ ? State.READ : State.DAMAGED;
        } else if (state == State.READ && in.getLong(16) == generation) {
            agreeing++;
        } else if (state != State.READ || in.getLong(16) > generation) {
            state = State.READ;
            agreeing = 1;
            generation = in.getLong(16);
            incomplete = (in.getInt(28) & INCOMPLETE) != 0;
            List<Integer> ids = new ArrayList<>();
            for (int at = HEADER_BYTES; at < in.limit() - CRC_BYTES; at += 4) {
                ids.add(in.getInt(at));
            }
            int several = flushedOfSeveral();
            newestFlushed = several == 0 ? List.of(in.getInt(24)) : List.copyOf(ids.subList(0, several));
            logIds = List.copyOf(ids.subList(several, ids.size()));
        }
    }

    /** How many numbers stand before the ids of the logs. */
    private int flushedOfSeveral() {
        return journals.count() == 1 ? 0 : journals.count();
    }

    private int version() {
        return journals.count() == 1 ? VERSION_OF_ONE : VERSION_OF_SEVERAL;
    }

    private boolean isSound(ByteBuffer in) {
        return in.limit() >= HEADER_BYTES + CRC_BYTES
                && in.getLong(0) == MAGIC
                && in.getInt(8) == version()
                && (journals.count() == 1 || in.getInt(24) == journals.count())
                && in.limit() == HEADER_BYTES + (flushedOfSeveral() + (long) in.getInt(12)) * 4 + CRC_BYTES
                && in.getLong(32) == bookieId.high()
                && in.getLong(40) == bookieId.low()
                && in.getInt(in.limit() - CRC_BYTES) == new Checksum().of(in, 0, in.limit() - CRC_BYTES);
    }

    /** What is known. */
    public State state() {
        return state;
    }

    /**
     * Writes all copies again if they are not all the same: a crash cut a replacement short, or one was damaged. Must come before anything is removed that
     * the chosen copy does not name, because another copy may be all that is left tomorrow. Throws {@link DiskException}.
     */
    public void agree() {
        if (state == State.READ && agreeing < disks.size()) {
            replace(newestFlushed, logIds, incomplete);
        }
    }

    /** The log of a flush of each journal up to which the catalog is complete, 0 for none; in the order of the journals' numbers. */
    public List<Integer> newestFlushed() {
        return newestFlushed;
    }

    /** The logs that count, of those up to {@link #newestFlushed} and of those made by compaction. */
    public List<Integer> logIds() {
        return logIds;
    }

    /** Whether logs were lost that it does not name any more: what is not found may have been there (B6). */
    public boolean isIncomplete() {
        return incomplete;
    }

    /**
     * Replaces the catalog; durable in every directory that has room for it on return, see {@link SmallFile#replaceCopies}. Throws {@link DiskException}.
     *
     * @param nextIncomplete whether logs were lost that are not among {@code nextLogIds}; that is not forgotten by a later replacement
     */
    public void replace(List<Integer> nextNewestFlushed, List<Integer> nextLogIds, boolean nextIncomplete) {
        int logsMax = NUMBERS_MAX - flushedOfSeveral();
        if (nextLogIds.size() > logsMax) {
            throw new DiskException(
                    DiskException.Kind.IO,
                    "the catalog would name " + nextLogIds.size() + " logs, more than " + logsMax,
                    null);
        }
        int bytes = HEADER_BYTES + (flushedOfSeveral() + nextLogIds.size()) * 4;
        ByteBuffer out = ByteBuffer.allocate(bytes + CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(version()).putInt(nextLogIds.size()).putLong(generation + 1);
        out.putInt(journals.count() == 1 ? nextNewestFlushed.get(0) : journals.count());
        out.putInt(incomplete || nextIncomplete ? INCOMPLETE : 0);
        out.putLong(bookieId.high()).putLong(bookieId.low());
        nextNewestFlushed.subList(0, flushedOfSeveral()).forEach(out::putInt);
        nextLogIds.forEach(out::putInt);
        out.putInt(new Checksum().of(out, 0, bytes));
        // Not before the first copy is written: if that fails, a later generation must be higher than what may be
        // there.
        generation++;
        SmallFile.replaceCopies(disks, NAME, out.flip());
        state = State.READ;
        agreeing = disks.size();
        newestFlushed = List.copyOf(nextNewestFlushed);
        incomplete |= nextIncomplete;
        logIds = List.copyOf(nextLogIds);
    }
}
