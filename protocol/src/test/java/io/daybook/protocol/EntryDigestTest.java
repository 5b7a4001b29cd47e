// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Digests find every damage, in every kind of buffer. */
final class EntryDigestTest {
    private static final byte[] KEY = "key of the ledger".getBytes(StandardCharsets.UTF_8);

    private static List<EntryDigest> digests() {
        return List.of(EntryDigest.crc32c(), EntryDigest.hmacSha256(KEY));
    }

    /** An entry of that payload, {@code start} bytes into the buffer. */
    private static ByteBuf entry(EntryDigest digest, ByteBuf out, int start, byte[] payload) {
        out.writeZero(start);
        EntryLayout.writeHeader(out, 7, 3, 2, 1_000);
        out.writeZero(digest.bytes());
        out.writeBytes(payload);
        digest.write(out, start);
        out.skipBytes(start);
        return out;
    }

    private static List<ByteBuf> buffers() {
        return List.of(
                Unpooled.buffer(256),
                Unpooled.directBuffer(256),
                Unpooled.buffer(300).slice(13, 250).writerIndex(0),
                Unpooled.directBuffer(300).slice(13, 250).writerIndex(0),
                Unpooled.wrappedBuffer(
                                Unpooled.directBuffer(64).writeZero(64),
                                Unpooled.buffer(192).writeZero(192))
                        .writerIndex(0));
    }

    @Test
    void writtenDigestIsVerifiedInEveryKindOfBuffer() {
        for (EntryDigest digest : digests()) {
            for (ByteBuf buffer : buffers()) {
                ByteBuf entry = entry(digest, buffer, 5, "some payload".getBytes(StandardCharsets.UTF_8));

                assertThat(digest.verify(entry)).isTrue();
                assertThat(digest.verify(entry, entry.readerIndex(), entry.readableBytes()))
                        .isTrue();
                assertThat(entry.readerIndex()).isEqualTo(5);
                entry.release();
            }
        }
    }

    @Test
    void kindOfBufferDoesNotChangeTheBytes() {
        for (EntryDigest digest : digests()) {
            List<String> written = buffers().stream()
                    .map(buffer -> {
                        ByteBuf entry = entry(digest, buffer, 0, new byte[100]);
                        String bytes = ByteBufUtil.hexDump(entry);
                        entry.release();
                        return bytes;
                    })
                    .distinct()
                    .toList();

            assertThat(written).hasSize(1);
        }
    }

    @Test
    void everyFlippedBitIsFound() {
        for (EntryDigest digest : digests()) {
            ByteBuf entry = entry(digest, Unpooled.directBuffer(), 0, new byte[20]);
            for (int bit = 0; bit < entry.writerIndex() * 8; bit++) {
                int mask = 1 << (bit % 8);
                entry.setByte(bit / 8, entry.getByte(bit / 8) ^ mask);
                assertThat(digest.verify(entry)).isFalse();
                entry.setByte(bit / 8, entry.getByte(bit / 8) ^ mask);
            }
            assertThat(digest.verify(entry)).isTrue();
            entry.release();
        }
    }

    @Test
    void cutEntriesAreFound() {
        Random random = new Random(4);
        for (EntryDigest digest : digests()) {
            byte[] payload = new byte[40];
            random.nextBytes(payload);
            ByteBuf entry = entry(digest, Unpooled.buffer(), 0, payload);
            for (int length = 0; length < entry.writerIndex(); length++) {
                assertThat(digest.verify(entry, 0, length)).isFalse();
            }
            entry.release();
        }
    }

    @Test
    void anEntryWithoutPayloadHasADigest() {
        for (EntryDigest digest : digests()) {
            ByteBuf entry = entry(digest, Unpooled.directBuffer(), 0, new byte[0]);
            assertThat(entry.readableBytes()).isEqualTo(digest.payloadIndex());
            assertThat(digest.verify(entry)).isTrue();
            entry.release();
        }
    }

    @Test
    void digestsAreTheKnownOnes() {
        // Computed by other implementations over the header of (1, 2, 3, 4) and the payload "abc".
        ByteBuf crc = Unpooled.buffer();
        EntryLayout.writeHeader(crc, 1, 2, 3, 4);
        crc.writeZero(4).writeBytes("abc".getBytes(StandardCharsets.US_ASCII));
        EntryDigest.crc32c().write(crc, 0);
        ByteBuf hmac = Unpooled.buffer();
        EntryLayout.writeHeader(hmac, 1, 2, 3, 4);
        hmac.writeZero(32).writeBytes("abc".getBytes(StandardCharsets.US_ASCII));
        EntryDigest.hmacSha256("k".getBytes(StandardCharsets.US_ASCII)).write(hmac, 0);

        assertThat(ByteBufUtil.hexDump(crc, 32, 4)).isEqualTo("5ac15167");
        assertThat(ByteBufUtil.hexDump(hmac, 32, 32))
                .isEqualTo("4b019e471bacfa670420cb2189bfdbf741e3d52231b956012a235419f290e7b5");
    }

    @Test
    void anotherKeyVerifiesNothing() {
        EntryDigest one = EntryDigest.hmacSha256(KEY);
        ByteBuf entry = entry(one, Unpooled.buffer(), 0, HexFormat.of().parseHex("00ff"));

        assertThat(EntryDigest.hmacSha256(new byte[] {1}).verify(entry)).isFalse();
        assertThat(EntryDigest.crc32c().verify(entry)).isFalse();
        entry.release();
    }

    @Test
    void impossibleArgumentsAreRefused() {
        ByteBuf tooShort = Unpooled.buffer().writeZero(35);

        assertThatThrownBy(() -> EntryDigest.crc32c().write(tooShort, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EntryDigest.hmacSha256(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }
}
