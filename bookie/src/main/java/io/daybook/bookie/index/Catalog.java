// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Which logs count, of those up to a certain flush; newer ones are found through the chain of previous logs. Replacing it is the one step with which
 * compaction takes effect: before it the old logs count, after it the new one (B12, B13).
 *
 * <p>Layout (little-endian): magic 8, format version 4, number of logs 4, generation 8, newest flushed log 4, flags 4 (1: logs
 * that it does not name were lost), bookie id 16, ids of the logs 4
 * each, CRC32C 4 of everything before. A copy stands in every directory, the journal's is written last; of the readable copies the one of the highest
 * generation counts. A data directory without space has none, as long as another has one.
 *
 * <p><i>Threading:</i> blocks; one loop at a time.
 */
public final class Catalog {
    /** The name of the file. */
    public static final String NAME = "catalog";

    /** Stands for all logs when no copy of the catalog can be read: which of them are lost cannot be told. No log has this id. */
    public static final int UNREADABLE = -1;

    private static final long MAGIC = 0x31474c54_41434244L;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 48;
    private static final int CRC_BYTES = 4;
    private static final int INCOMPLETE = 1;

    /** How many logs a catalog can name. */
    static final int LOGS_MAX = (SmallFile.BYTES_MAX - HEADER_BYTES - CRC_BYTES) / 4;

    private final List<Disk> disks;
    private final BookieId bookieId;
    private State state;
    private long generation;
    private int newestFlushed;
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

    private Catalog(List<Disk> disks, BookieId bookieId) {
        this.disks = List.copyOf(disks);
        this.bookieId = bookieId;
        this.state = State.ABSENT;
        this.newestFlushed = EntryLogFormat.NO_LOG;
        this.logIds = List.of();
    }

    /** Reads the catalog; {@code disks} in the order in which it is written. Throws {@link DiskException}. */
    public static Catalog read(List<Disk> disks, BookieId bookieId) {
        Catalog catalog = new Catalog(disks, bookieId);
        for (Disk disk : disks) {
            if (disk.exists(NAME)) {
                catalog.readCopy(disk);
            }
        }
        return catalog;
    }

    private void readCopy(Disk disk) {
        ByteBuffer in;
        try {
            in = SmallFile.read(disk, NAME).order(ByteOrder.LITTLE_ENDIAN);
        } catch (DiskException unreadable) {
            state = state == State.READ ? State.READ : State.DAMAGED;
            return;
        }
        if (!isSound(in)) {
            state = state == State.READ ? State.READ : State.DAMAGED;
        } else if (state == State.READ && in.getLong(16) == generation) {
            agreeing++;
        } else if (state != State.READ || in.getLong(16) > generation) {
            state = State.READ;
            agreeing = 1;
            generation = in.getLong(16);
            newestFlushed = in.getInt(24);
            incomplete = (in.getInt(28) & INCOMPLETE) != 0;
            List<Integer> ids = new ArrayList<>();
            for (int i = 0; i < in.getInt(12); i++) {
                ids.add(in.getInt(HEADER_BYTES + i * 4));
            }
            logIds = List.copyOf(ids);
        }
    }

    private boolean isSound(ByteBuffer in) {
        return in.limit() >= HEADER_BYTES + CRC_BYTES
                && in.getLong(0) == MAGIC
                && in.getInt(8) == VERSION
                && in.limit() == HEADER_BYTES + in.getInt(12) * 4L + CRC_BYTES
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

    /** The log of a flush up to which the catalog is complete, 0 for none. */
    public int newestFlushed() {
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
    public void replace(int nextNewestFlushed, List<Integer> nextLogIds, boolean nextIncomplete) {
        if (nextLogIds.size() > LOGS_MAX) {
            throw new DiskException(
                    DiskException.Kind.IO,
                    "the catalog would name " + nextLogIds.size() + " logs, more than " + LOGS_MAX,
                    null);
        }
        int bytes = HEADER_BYTES + nextLogIds.size() * 4;
        ByteBuffer out = ByteBuffer.allocate(bytes + CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(VERSION).putInt(nextLogIds.size()).putLong(generation + 1);
        out.putInt(nextNewestFlushed).putInt(incomplete || nextIncomplete ? INCOMPLETE : 0);
        out.putLong(bookieId.high()).putLong(bookieId.low());
        nextLogIds.forEach(out::putInt);
        out.putInt(new Checksum().of(out, 0, bytes));
        // Not before the first copy is written: if that fails, a later generation must be higher than what may be
        // there.
        generation++;
        SmallFile.replaceCopies(disks, NAME, out.flip());
        state = State.READ;
        agreeing = disks.size();
        newestFlushed = nextNewestFlushed;
        incomplete |= nextIncomplete;
        logIds = List.copyOf(nextLogIds);
    }
}
