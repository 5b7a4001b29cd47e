// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.limbo;

import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of damage, in the small file {@code damage} of the first data directory.
 *
 * <p>Layout (little-endian): magic 8, format version 4, flags 4 (1: accepted), logs 4, their ids 4 each, CRC32C 4.
 *
 * @param isAccepted whether the operator wants the bookie to start although records of a journal are lost
 * @param isUnreadable whether there are notes that cannot be read: they may have said anything
 * @param coveredLogs logs that are damaged or lost, all ledgers of whose time were put into limbo
 */
public record DamageNotes(boolean isAccepted, boolean isUnreadable, SortedSet<Integer> coveredLogs) {
    private static final Logger LOG = LoggerFactory.getLogger(DamageNotes.class);

    /** The name of the file. */
    public static final String NAME = "damage";

    private static final long MAGIC = 0x3147414d_41444244L;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 20;
    private static final int ACCEPTED = 1;

    /** Copies the set. */
    public DamageNotes {
        coveredLogs = Collections.unmodifiableSortedSet(new TreeSet<>(coveredLogs));
    }

    /**
     * Reads the notes: none when there is no file. Those that cannot be read give no consent and cover no log, but the loss that they may have told of is
     * {@linkplain #mustDoubt doubted}. Throws {@link DiskException}.
     */
    public static DamageNotes read(Disk data) {
        if (!data.exists(NAME)) {
            return new DamageNotes(false, false, new TreeSet<>());
        }
        ByteBuffer in = SmallFile.read(data, NAME).order(ByteOrder.LITTLE_ENDIAN);
        SortedSet<Integer> logs = new TreeSet<>();
        boolean isSound = in.limit() >= HEADER_BYTES + 4
                && in.getLong(0) == MAGIC
                && in.getInt(8) == VERSION
                && in.limit() == HEADER_BYTES + 4L * in.getInt(16) + 4
                && in.getInt(in.limit() - 4) == new Checksum().of(in, 0, in.limit() - 4);
        if (!isSound) {
            LOG.warn(
                    "path={} file={} state=DAMAGED what it may have told is doubted: no consent is taken from it",
                    data,
                    NAME);
        }
        for (int i = 0; isSound && i < in.getInt(16); i++) {
            logs.add(in.getInt(HEADER_BYTES + 4 * i));
        }
        return new DamageNotes(isSound && (in.getInt(12) & ACCEPTED) != 0, !isSound, logs);
    }

    /**
     * Whether all ledgers are in doubt until they are in limbo: consent was given, or may have been. The start that made use of it left nothing that looks
     * damaged.
     */
    public boolean mustDoubt() {
        return isAccepted || isUnreadable;
    }

    /** Replaces the notes, durably. Throws {@link DiskException}. */
    public void write(Disk data) {
        ByteBuffer out =
                ByteBuffer.allocate(HEADER_BYTES + 4 * coveredLogs.size() + 4).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(VERSION).putInt(isAccepted ? ACCEPTED : 0).putInt(coveredLogs.size());
        coveredLogs.forEach(out::putInt);
        out.putInt(new Checksum().of(out, 0, out.position()));
        SmallFile.replace(data, NAME, out.flip());
    }

    /** With the operator's consent. */
    public DamageNotes accepted() {
        return new DamageNotes(true, false, coveredLogs);
    }

    /** With the damage dealt with, and that of these logs. */
    public DamageNotes covering(Set<Integer> logs) {
        SortedSet<Integer> all = new TreeSet<>(coveredLogs);
        all.addAll(logs);
        return new DamageNotes(false, false, all);
    }
}
