// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

import io.netty.buffer.ByteBuf;

/**
 * The layout of a stream's entries, as {@code docs/formats.md} has it: version, flags (the number of the codec), and the body: first sequence id, record count, then for
 * each record the step of its transaction id, its length and its bytes. A compressed body has its length in front. Numbers are variable-length: seven bits a byte, the
 * lowest first.
 */
public final class EntryFormat {
    /** The version that is written. */
    public static final int VERSION = 1;

    /** Where the flags end. */
    static final int FLAGS_END = 2;

    /** Bytes before the first record, at most. */
    public static final int HEADER_BYTES_MAX = FLAGS_END + 10 + 5;

    /** Bytes that a record takes beside its payload, at most. */
    public static final int RECORD_OVERHEAD_BYTES_MAX = 10 + 5;

    private EntryFormat() {}

    static void writeNumber(ByteBuf out, long number) {
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            out.writeByte((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    static long readNumber(ByteBuf in) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (!in.isReadable()) {
                throw new DamagedEntryException("it ends within a number");
            }
            long next = in.readByte();
            number |= (next & 0x7F) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new DamagedEntryException("a number is longer than 64 bits");
    }
}
