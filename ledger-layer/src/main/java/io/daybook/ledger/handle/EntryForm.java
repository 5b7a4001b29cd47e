// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import io.daybook.ledger.api.DigestKey;
import io.daybook.metadata.model.DigestType;
import io.daybook.protocol.EntryDigest;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.Limits;
import io.daybook.protocol.wire.AddRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * The form of the entries of one ledger: header, digest, payload.
 *
 * <p><i>Threading:</i> one instance per handle, on its loop.
 */
public final class EntryForm {
    private final long ledgerId;
    private final EntryDigest digest;

    /** For the ledger; throws {@link IllegalArgumentException} when the digest needs a key and there is none. */
    public EntryForm(long ledgerId, DigestType type, DigestKey key) {
        this.ledgerId = ledgerId;
        this.digest = switch (type) {
            case CRC32C -> EntryDigest.crc32c();
            case HMAC_SHA256 -> EntryDigest.hmacSha256(key.copyOfBytes());
        };
    }

    /** Whether such a digest needs a key and this is none. */
    public static boolean lacksKey(DigestType type, DigestKey key) {
        return type == DigestType.HMAC_SHA256 && key.copyOfBytes().length == 0;
    }

    /** The digest of an entry -1 without payload, which no ledger has, in hex digits: whoever makes the same one for this ledger has its key. */
    public String digestOfNothing() {
        ByteBuf nothing = Unpooled.buffer(digest.payloadIndex());
        EntryLayout.writeHeader(nothing, ledgerId, Limits.NO_ENTRY_ID, Limits.NO_ENTRY_ID, 0);
        nothing.writerIndex(digest.payloadIndex());
        digest.write(nothing, 0);
        return ByteBufUtil.hexDump(nothing, EntryLayout.HEADER_BYTES, digest.bytes());
    }

    /** Bytes of an add frame with a payload of this size. */
    public int frameBytes(int payloadBytes) {
        return AddRequest.ENTRY_INDEX + digest.payloadIndex() + payloadBytes;
    }

    /** Writes the entry, after the prefix and header of the add that are already in {@code frame}. The payload is copied, not consumed. */
    public void writeEntry(ByteBuf frame, long entryId, long lastAddConfirmed, long lengthBytes, ByteBuf payload) {
        int start = frame.writerIndex();
        EntryLayout.writeHeader(frame, ledgerId, entryId, lastAddConfirmed, lengthBytes);
        frame.writerIndex(start + digest.payloadIndex());
        frame.writeBytes(payload, payload.readerIndex(), payload.readableBytes());
        digest.write(frame, start);
    }

    /** Whether the bytes are the whole entry of that id, with the right digest. */
    public boolean isSound(ByteBuf entry, int start, int bytes, long entryId) {
        return digest.verify(entry, start, bytes)
                && EntryLayout.ledgerId(entry, start) == ledgerId
                && EntryLayout.entryId(entry, start) == entryId;
    }

    /** Where the payload begins in an entry. */
    public int payloadIndex() {
        return digest.payloadIndex();
    }

    /** The same entry with another last add confirmed. Only the defect D6 wants this: a copy is else made verbatim (L12). */
    public void raiseConfirmed(ByteBuf entry, long lastAddConfirmed) {
        entry.setLongLE(entry.readerIndex() + 16, lastAddConfirmed);
        digest.write(entry, entry.readerIndex());
    }
}
