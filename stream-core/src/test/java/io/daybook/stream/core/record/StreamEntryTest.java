// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The layout of entries, and what is refused. */
final class StreamEntryTest {
    private static byte[] encode(long firstSequenceId, RecordBytes... records) {
        return encode(EntryCodec.NONE, firstSequenceId, records);
    }

    private static byte[] encode(EntryCodec codec, long firstSequenceId, RecordBytes... records) {
        EntryBuilder builder = new EntryBuilder();
        List.of(records).forEach(builder::add);
        ByteBuf entry = builder.encode(firstSequenceId, codec);
        assertThat(entry.readableBytes()).isLessThanOrEqualTo(builder.bytesMax());
        byte[] bytes = ByteBufUtil.getBytes(entry);
        entry.release();
        return bytes;
    }

    private static RecordBytes record(long transactionId, String text) {
        return new RecordBytes(transactionId, text.getBytes(StandardCharsets.UTF_8));
    }

    private static StreamEntry decode(byte[] bytes) {
        return StreamEntry.decode(4, 7, Unpooled.wrappedBuffer(bytes));
    }

    @Test
    void decodedRecordsEqualTheEncodedOnes() {
        StreamEntry entry = decode(encode(100, record(5, "a"), record(5, ""), record(1L << 60, "ccc")));

        assertThat(entry.firstSequenceId()).isEqualTo(100);
        assertThat(entry.nextSequenceId()).isEqualTo(103);
        assertThat(entry.records()).extracting(PositionedRecord::payloadText).containsExactly("a", "", "ccc");
        assertThat(entry.records()).extracting(PositionedRecord::transactionId).containsExactly(5L, 5L, 1L << 60);
        assertThat(entry.records())
                .extracting(PositionedRecord::position)
                .containsExactly(new DLSN(4, 7, 0), new DLSN(4, 7, 1), new DLSN(4, 7, 2));
        assertThat(entry.records()).extracting(PositionedRecord::sequenceId).containsExactly(100L, 101L, 102L);
    }

    @Test
    void layoutIsTheDocumentedOne() {
        byte[] bytes = encode(300, record(2, "ab"), record(5, ""));

        assertThat(bytes).containsExactly(1, 0, 0xAC, 2, 2, 2, 2, 'a', 'b', 3, 0);
    }

    @Test
    void extremesSurvive() {
        StreamEntry entry = decode(encode(Long.MAX_VALUE - 1, record(0, "x"), record(Long.MAX_VALUE, "y")));

        assertThat(entry.firstSequenceId()).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(entry.last().transactionId()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void everyTruncatedEntryIsRefused() {
        byte[] whole = encode(9, record(1, "hello"), record(2, "world"));

        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decode(part)).isInstanceOf(DamagedEntryException.class);
        }
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        assertThatThrownBy(() -> decode(longer))
                .isInstanceOf(DamagedEntryException.class)
                .hasMessageContaining("1 bytes follow");
    }

    @Test
    void newerVersionIsNamed() {
        byte[] bytes = encode(1, record(1, "x"));
        bytes[0] = 9;

        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(DamagedEntryException.class)
                .hasMessageContaining("version is 9");
        bytes[0] = 1;
        bytes[1] = 4;
        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(DamagedEntryException.class)
                .hasMessageContaining("flags are 4");
    }

    @Test
    void anyBytesEitherDecodeOrAreRefused() {
        // D-2
        Random random = new Random(7);
        int refusals = 0;
        byte[] whole = encode(77, record(1, "some"), record(2, ""), record(9, "payload"));
        for (int i = 0; i < 50_000; i++) {
            byte[] mutant = whole.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                mutant[random.nextInt(mutant.length)] = (byte) random.nextInt();
            }
            refusals += isRefused(mutant) ? 1 : 0;
        }

        assertThat(refusals).isBetween(1000, 49_000);
    }

    private static boolean isRefused(byte[] bytes) {
        try {
            return decode(bytes).records().isEmpty();
        } catch (DamagedEntryException refused) {
            return true;
        }
    }

    // ---- compression ----

    private static final RecordBytes[] REPETITIVE = {
        record(5, "the same words, ".repeat(40)), record(6, ""), record(1L << 40, "the same words, ".repeat(3))
    };

    @ParameterizedTest
    @EnumSource
    void compressedEntriesAreSmallerAndReadBack(EntryCodec codec) {
        byte[] plain = encode(EntryCodec.NONE, 100, REPETITIVE);
        byte[] bytes = encode(codec, 100, REPETITIVE);

        // D-144
        assertThat(bytes[1]).isEqualTo((byte) codec.number());
        assertThat(decode(bytes)).isEqualTo(decode(plain));
        if (codec != EntryCodec.NONE) {
            assertThat(bytes.length).isLessThan(plain.length / 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatDoesNotGetSmallerIsStoredAsItIs(EntryCodec codec) {
        byte[] noise = new byte[10_000];
        new Random(3).nextBytes(noise);

        assertThat(encode(codec, 1, new RecordBytes(1, noise))).isEqualTo(encode(1, new RecordBytes(1, noise)));
        assertThat(encode(codec, 1, record(1, "short"))).isEqualTo(encode(1, record(1, "short")));
    }

    @Test
    void lengthThatIsClaimedIsCheckedBeforeRoomIsMadeForIt() {
        // version, flags, then a length of 2 GiB less one in five bytes of seven bits
        byte[] huge = {1, 1, -1, -1, -1, -1, 7, 0};
        byte[] none = {1, 2, 0, 0};

        assertThatThrownBy(() -> decode(huge))
                .isInstanceOf(DamagedEntryException.class)
                .hasMessageContaining("at most");
        assertThatThrownBy(() -> decode(none)).isInstanceOf(DamagedEntryException.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = EntryCodec.class,
            names = {"LZ4", "ZSTD"})
    void damagedCompressedEntriesAreRefused(EntryCodec codec) {
        Random random = new Random(9);
        byte[] whole = encode(codec, 77, REPETITIVE);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decode(part)).isInstanceOf(DamagedEntryException.class);
        }
        int refusals = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] mutant = whole.clone();
            mutant[2 + random.nextInt(mutant.length - 2)] ^= (byte) (1 + random.nextInt(255));
            refusals += isRefused(mutant) ? 1 : 0;
        }
        assertThat(refusals).isGreaterThan(1000);
    }

    @Test
    void entriesOfTheFirstReleaseStayReadable() throws IOException {
        // D-77
        List<String> golden = Files.readAllLines(Path.of("src/test/resources/golden/stream-entries-v1.txt"));

        // Each line is the name of a codec and an entry of REPETITIVE from sequence id 100 on
        assertThat(golden).hasSize(EntryCodec.values().length);
        for (String line : golden) {
            String[] nameAndHex = line.split(" ", 2);
            byte[] bytes = HexFormat.of().parseHex(nameAndHex[1]);
            assertThat(bytes[1])
                    .isEqualTo((byte) EntryCodec.valueOf(nameAndHex[0]).number());
            assertThat(decode(bytes)).isEqualTo(decode(encode(100, REPETITIVE)));
        }
    }
}
