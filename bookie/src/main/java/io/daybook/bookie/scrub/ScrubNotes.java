// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.scrub;

import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the search for damage has come and what it has found, in the small file {@code scrub} of the first data directory: a round goes on after a restart,
 * and whoever repairs finds what to repair.
 *
 * <p>Layout (little-endian): magic 8, format version 4, flags 4 (1: a round is under way), rounds 8, bytes 8, last log 4, logs 4, times of begin and end
 * 8 each, number of damages 4, zero 4; each damage: kind 4, log 4, position 8, ledger id 8, first entry id 8, count 4, zero 4; CRC32C 4 of all before.
 *
 * @param rounds that were ended
 * @param bytes read in the round
 * @param lastLogId the log that was checked last in the round, {@link #NO_LOG} for none
 * @param logs checked in the round
 * @param begunMillis when the round began, by the wall clock; 0 when none ever did
 * @param endedMillis when the last round ended; 0 when none ever did
 * @param damages what is known to be damaged now, in order of logs; the first {@link #DAMAGES_MAX}
 */
public record ScrubNotes(
        long rounds,
        boolean isUnderWay,
        long bytes,
        int lastLogId,
        int logs,
        long begunMillis,
        long endedMillis,
        List<Damage> damages) {
    private static final Logger LOG = LoggerFactory.getLogger(ScrubNotes.class);

    /** The name of the file. */
    public static final String NAME = "scrub";

    /** Before all logs. */
    public static final int NO_LOG = Integer.MIN_VALUE;

    /** How many damages are kept: far more than anybody repairs one by one. */
    public static final int DAMAGES_MAX = 10_000;

    private static final long MAGIC = 0x31425552_43534244L;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 64;
    private static final int DAMAGE_BYTES = 40;
    private static final int CRC_BYTES = 4;
    private static final int UNDER_WAY = 1;

    /** Copies the list, up to the bound. */
    public ScrubNotes {
        damages = List.copyOf(damages.subList(0, Math.min(damages.size(), DAMAGES_MAX)));
    }

    /** Of a bookie that was never checked. */
    public static ScrubNotes none() {
        return new ScrubNotes(0, false, 0, NO_LOG, 0, 0, 0, List.of());
    }

    /** Reads the notes: none when there is no file, or none that can be read: a round begins anew then. Throws {@link DiskException}. */
    public static ScrubNotes read(Disk data) {
        if (!data.exists(NAME)) {
            return none();
        }
        ByteBuffer in = SmallFile.read(data, NAME).order(ByteOrder.LITTLE_ENDIAN);
        if (!isSound(in)) {
            LOG.warn(
                    "path={} file={} state=DAMAGED its list of damage is lost: a round of checks begins anew",
                    data,
                    NAME);
            return none();
        }
        List<Damage> damages = new ArrayList<>();
        for (int i = 0, at = HEADER_BYTES; i < in.getInt(56); i++, at += DAMAGE_BYTES) {
            damages.add(new Damage(
                    Damage.Kind.of(in.getInt(at)),
                    in.getInt(at + 4),
                    in.getLong(at + 8),
                    in.getLong(at + 16),
                    in.getLong(at + 24),
                    in.getInt(at + 32)));
        }
        return new ScrubNotes(
                in.getLong(16),
                (in.getInt(12) & UNDER_WAY) != 0,
                in.getLong(24),
                in.getInt(32),
                in.getInt(36),
                in.getLong(40),
                in.getLong(48),
                damages);
    }

    private static boolean isSound(ByteBuffer in) {
        return in.limit() >= HEADER_BYTES + CRC_BYTES
                && in.getLong(0) == MAGIC
                && in.getInt(8) == VERSION
                && in.limit() == HEADER_BYTES + (long) in.getInt(56) * DAMAGE_BYTES + CRC_BYTES
                && in.getInt(in.limit() - CRC_BYTES) == new Checksum().of(in, 0, in.limit() - CRC_BYTES);
    }

    /** Replaces the file, durably. Throws {@link DiskException}. */
    public void write(Disk data) {
        int size = HEADER_BYTES + damages.size() * DAMAGE_BYTES;
        ByteBuffer out = ByteBuffer.allocate(size + CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(VERSION).putInt(isUnderWay ? UNDER_WAY : 0);
        out.putLong(rounds).putLong(bytes).putInt(lastLogId).putInt(logs);
        out.putLong(begunMillis).putLong(endedMillis).putInt(damages.size()).putInt(0);
        for (Damage damage : damages) {
            out.putInt(damage.kind().code()).putInt(damage.logId()).putLong(damage.position());
            out.putLong(damage.ledgerId())
                    .putLong(damage.firstEntryId())
                    .putInt(damage.count())
                    .putInt(0);
        }
        out.putInt(new Checksum().of(out, 0, size));
        SmallFile.replace(data, NAME, out.flip());
    }

    /** A round begins. */
    ScrubNotes begun(long nowMillis) {
        return new ScrubNotes(rounds, true, 0, NO_LOG, 0, nowMillis, endedMillis, damages);
    }

    /** A log was checked; {@code known} is the damage that is known now. */
    ScrubNotes checked(int logId, long logBytes, List<Damage> known) {
        return new ScrubNotes(rounds, true, bytes + logBytes, logId, logs + 1, begunMillis, endedMillis, known);
    }

    /** The round is over; {@code known} is the damage that is known now. */
    ScrubNotes ended(long nowMillis, List<Damage> known) {
        return new ScrubNotes(rounds + 1, false, bytes, lastLogId, logs, begunMillis, nowMillis, known);
    }
}
