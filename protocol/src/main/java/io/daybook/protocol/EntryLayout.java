// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The bytes of an entry as they travel and as bookies keep them: a 32-byte header (ledger id, entry id, last add confirmed, cumulative payload
 * length; little-endian 64-bit numbers), the digest over header and payload, the payload. A bookie reads only the header.
 */
public final class EntryLayout {
    /** Bytes of the header. */
    public static final int HEADER_BYTES = 32;

    /** Bytes of the longest digest. */
    public static final int DIGEST_BYTES_MAX = 32;

    private static final int LEDGER_ID = 0;
    private static final int ENTRY_ID = 8;
    private static final int LAST_ADD_CONFIRMED = 16;
    private static final int LENGTH = 24;

    private EntryLayout() {}

    /** Writes the header at the writer index. {@code lengthBytes} is the sum of payload bytes of this entry and all before it. */
    public static void writeHeader(ByteBuf out, long ledgerId, long entryId, long lastAddConfirmed, long lengthBytes) {
        out.writeLongLE(ledgerId);
        out.writeLongLE(entryId);
        out.writeLongLE(lastAddConfirmed);
        out.writeLongLE(lengthBytes);
    }

    /** The ledger id of the entry that starts at {@code index}. */
    public static long ledgerId(ByteBuf entry, int index) {
        return entry.getLongLE(index + LEDGER_ID);
    }

    /** The entry id of the entry that starts at {@code index}. */
    public static long entryId(ByteBuf entry, int index) {
        return entry.getLongLE(index + ENTRY_ID);
    }

    /** The last add confirmed that the writer knew when it made the entry that starts at {@code index}. */
    public static long lastAddConfirmed(ByteBuf entry, int index) {
        return entry.getLongLE(index + LAST_ADD_CONFIRMED);
    }

    /** The cumulative payload length of the entry that starts at {@code index}. */
    public static long lengthBytes(ByteBuf entry, int index) {
        return entry.getLongLE(index + LENGTH);
    }
}
