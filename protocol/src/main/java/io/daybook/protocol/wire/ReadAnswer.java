// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.netty.buffer.ByteBuf;

/**
 * The header of a {@link MessageType#READ_ANSWER} frame. After it follow {@code count} entries with consecutive ids from {@code firstEntryId} on,
 * each as a 4-byte little-endian length and its bytes.
 *
 * <p>Layout (little-endian): request id 8, ledger id 8, first entry id 8, last add confirmed 8, count 4, status 2, flags 2.
 *
 * @param lastAddConfirmed the highest last add confirmed this bookie knows of the ledger, -1 for none
 * @param status {@link StatusCode#OK} with at least one entry; or why the first entry is not answered, with none. A tail read whose wait ended answers
 *     {@link StatusCode#OK} with no entry
 */
public record ReadAnswer(
        long requestId,
        long ledgerId,
        long firstEntryId,
        long lastAddConfirmed,
        int count,
        StatusCode status,
        int flags) {
    /** The ledger is fenced at this bookie. */
    public static final int FLAG_FENCED = 1;

    /** Bytes of prefix and header: where the first entry's length stands, relative to the frame's reader index. */
    public static final int ENTRIES_INDEX = MessageType.PREFIX_BYTES + 40;

    /** Where {@code count} stands in the frame, for a sender that learns it last. */
    public static final int COUNT_INDEX = MessageType.PREFIX_BYTES + 32;

    /** Writes prefix and header. */
    public void write(ByteBuf out) {
        MessageType.READ_ANSWER.writePrefix(out);
        out.writeLongLE(requestId);
        out.writeLongLE(ledgerId);
        out.writeLongLE(firstEntryId);
        out.writeLongLE(lastAddConfirmed);
        out.writeIntLE(count);
        out.writeShortLE(status.number());
        out.writeShortLE(flags);
    }

    /** Whether the ledger is fenced at the bookie that answered. */
    public boolean isFenced() {
        return (flags & FLAG_FENCED) != 0;
    }

    /** Reads the header and checks that the entries it announces are there, whole, and of the right ids; throws {@link BadFrameException}. */
    public static ReadAnswer read(ByteBuf frame) {
        WireBytes.requireLength(frame, ENTRIES_INDEX, Integer.MAX_VALUE, "read answer");
        int at = frame.readerIndex() + MessageType.PREFIX_BYTES;
        ReadAnswer answer = new ReadAnswer(
                frame.getLongLE(at),
                frame.getLongLE(at + 8),
                frame.getLongLE(at + 16),
                frame.getLongLE(at + 24),
                frame.getIntLE(at + 32),
                StatusCode.of(frame.getUnsignedShortLE(at + 36)),
                frame.getUnsignedShortLE(at + 38));
        answer.checkEntries(frame);
        return answer;
    }

    private void checkEntries(ByteBuf frame) {
        int at = frame.readerIndex() + ENTRIES_INDEX;
        for (int i = 0; i < count; i++) {
            int left = frame.writerIndex() - at - 4;
            int length = left < 0 ? -1 : frame.getIntLE(at);
            if (length < EntryLayout.HEADER_BYTES || length > left) {
                throw new BadFrameException("entry " + i + " of a read answer is cut");
            }
            if (EntryLayout.ledgerId(frame, at + 4) != ledgerId
                    || EntryLayout.entryId(frame, at + 4) != firstEntryId + i) {
                throw new BadFrameException("entry " + i + " of a read answer has other ids than the answer");
            }
            at += 4 + length;
        }
        if (count < 0 || at != frame.writerIndex()) {
            throw new BadFrameException("a read answer has bytes beyond its " + count + " entries");
        }
    }
}
