// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.metadata.model.WriteToken;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Under which tokens the processes that held this directory registered, in the small file {@code tenure} of the first data directory. Whoever holds the
 * directory's lock at the same place knows that they are dead, so that it need not wait for the end of their sessions (S-27); in a copy of the directory
 * the file proves nothing, because its lock is in another place (S-32).
 *
 * <p>Layout (little-endian): magic 8, format version 4, bytes of the place 4, tokens 4, the place in UTF-8, the tokens, newest first, 16 each, CRC32C 4.
 *
 * @param place of the lock under which they were noted; empty when it cannot be told
 * @param tokens newest first
 */
public record Tenure(String place, List<WriteToken> tokens) {
    private static final Logger LOG = LoggerFactory.getLogger(Tenure.class);

    /** The name of the file. */
    public static final String NAME = "tenure";

    /** Starts in a row that end before they registered leave the token of the process before them in the list. */
    private static final int TOKENS_MAX = 16;

    private static final long MAGIC = 0x3152554e_45544244L;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 20;
    private static final int TOKEN_BYTES = 16;
    private static final int CRC_BYTES = 4;

    /** Copies the list. */
    public Tenure {
        tokens = List.copyOf(tokens);
    }

    /**
     * Reads what is noted for a lock: nothing when there is no file, none that can be read, or one that was noted under another lock. Throws
     * {@link DiskException}.
     */
    public static Tenure read(Disk data, String place) {
        Tenure none = new Tenure(place, List.of());
        if (place.isEmpty() || !data.exists(NAME)) {
            return none;
        }
        ByteBuffer in = SmallFile.read(data, NAME).order(ByteOrder.LITTLE_ENDIAN);
        if (!isSound(in)) {
            LOG.warn(
                    "path={} file={} state=DAMAGED it is written anew: this start may have to wait for the end of the former"
                            + " process's session",
                    data,
                    NAME);
            return none;
        }
        byte[] noted = new byte[in.getInt(12)];
        in.get(HEADER_BYTES, noted);
        if (!new String(noted, StandardCharsets.UTF_8).equals(place)) {
            return none;
        }
        List<WriteToken> tokens = new ArrayList<>();
        int at = HEADER_BYTES + noted.length;
        for (int i = 0; i < in.getInt(16); i++, at += TOKEN_BYTES) {
            tokens.add(new WriteToken(in.getLong(at), in.getLong(at + Long.BYTES)));
        }
        return new Tenure(place, tokens);
    }

    private static boolean isSound(ByteBuffer in) {
        return in.limit() >= HEADER_BYTES + CRC_BYTES
                && in.getLong(0) == MAGIC
                && in.getInt(8) == VERSION
                && in.getInt(12) >= 0
                && in.getInt(16) >= 0
                && in.limit() == HEADER_BYTES + (long) in.getInt(12) + (long) in.getInt(16) * TOKEN_BYTES + CRC_BYTES
                && in.getInt(in.limit() - CRC_BYTES) == new Checksum().of(in, 0, in.limit() - CRC_BYTES);
    }

    /** With the token of the process that holds the directory now. */
    public Tenure with(WriteToken token) {
        List<WriteToken> next = new ArrayList<>();
        next.add(token);
        next.addAll(tokens.subList(0, Math.min(tokens.size(), TOKENS_MAX - 1)));
        return new Tenure(place, next);
    }

    /** Replaces the file, durably. Throws {@link DiskException}. */
    public void write(Disk data) {
        byte[] placeBytes = place.getBytes(StandardCharsets.UTF_8);
        int bytes = HEADER_BYTES + placeBytes.length + tokens.size() * TOKEN_BYTES;
        ByteBuffer out = ByteBuffer.allocate(bytes + CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(VERSION).putInt(placeBytes.length).putInt(tokens.size());
        out.put(placeBytes);
        tokens.forEach(token -> out.putLong(token.high()).putLong(token.low()));
        out.putInt(new Checksum().of(out, 0, bytes));
        SmallFile.replace(data, NAME, out.flip());
    }
}
