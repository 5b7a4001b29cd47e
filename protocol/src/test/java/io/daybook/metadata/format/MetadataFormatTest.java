// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.format.BookieFormat.StoredRegistration;
import io.daybook.metadata.format.LedgerFormat.LedgerIds;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Metadata values: what is encoded is decoded again, and what cannot be decoded is UNREADABLE (M6), whatever its bytes. */
final class MetadataFormatTest {
    private static final int MUTANTS = 100_000;
    private static final String WHERE = "the value of this test";

    private static final StreamMetadata HEAD = Samples.stream("name \u00e4\ud83d\ude00", 5);

    /** A way to read one kind of value. */
    private static final class Kind {
        private final byte[] good;
        private final BiFunction<byte[], String, ?> decode;

        Kind(byte[] good, BiFunction<byte[], String, ?> decode) {
            this.good = good;
            this.decode = decode;
        }

        byte[] good() {
            return good;
        }

        BiFunction<byte[], String, ?> decode() {
            return decode;
        }
    }

    private static LedgerMetadata randomLedger(Random random) {
        int write = 1 + random.nextInt(4);
        Quorums quorums = new Quorums(write + random.nextInt(3), write, 1 + random.nextInt(write));
        List<Fragment> fragments = new ArrayList<>();
        long first = 0;
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            List<BookieId> ensemble = new ArrayList<>();
            for (int j = 0; j < quorums.ensembleSize(); j++) {
                ensemble.add(new BookieId(random.nextLong(), j));
            }
            fragments.add(new Fragment(first, ensemble));
            first += 1 + random.nextInt(1_000_000);
        }
        TreeMap<String, String> custom = new TreeMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            custom.put(text(random), text(random));
        }
        LedgerState state = pick(random, LedgerState.values());
        boolean isClosed = state == LedgerState.CLOSED;
        return new LedgerMetadata(
                random.nextLong() & Long.MAX_VALUE,
                quorums,
                pick(random, DigestType.values()),
                state,
                isClosed ? first + random.nextInt(10) : -1,
                isClosed ? random.nextLong() & Long.MAX_VALUE : 0,
                fragments,
                custom,
                random.nextLong(),
                token(random));
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(12), 0, Character.MAX_CODE_POINT + 1)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static <T> T pick(Random random, T[] constants) {
        return constants[random.nextInt(constants.length)];
    }

    private static WriteToken token(Random random) {
        return new WriteToken(random.nextLong(), random.nextLong());
    }

    @Property(tries = 300)
    void ledgersAreReadBack(@ForAll long seed) {
        LedgerMetadata ledger = randomLedger(new Random(seed));

        assertThat(LedgerFormat.decode(LedgerFormat.encode(ledger), WHERE)).isEqualTo(ledger);
    }

    @Property(tries = 300)
    void bookiesAreReadBack(@ForAll long seed) {
        Random random = new Random(seed);
        BookieId bookieId = new BookieId(random.nextLong(), random.nextLong());
        List<String> directories = List.of(text(random), text(random)).subList(0, random.nextInt(3));
        BookieCookie cookie = new BookieCookie(
                new ClusterId(random.nextLong(), random.nextLong()),
                bookieId,
                text(random),
                directories,
                random.nextLong());
        BookieRegistration registration = new BookieRegistration(
                bookieId,
                text(random),
                text(random),
                random.nextInt(65_536),
                random.nextBoolean(),
                text(random),
                random.nextLong() & Long.MAX_VALUE);
        WriteToken token = token(random);

        assertThat(BookieFormat.decodeCookie(BookieFormat.encodeCookie(cookie), WHERE))
                .isEqualTo(cookie);
        assertThat(BookieFormat.decodeRegistration(BookieFormat.encodeRegistration(registration, token), WHERE))
                .isEqualTo(new StoredRegistration(registration, token));
    }

    @Property(tries = 300)
    void streamsAreReadBack(@ForAll long seed) {
        // D-125
        Random random = new Random(seed);
        long first = random.nextInt(1_000);
        int origin = random.nextInt((int) first + 1);
        StreamMetadata.Home home = random.nextBoolean()
                ? StreamMetadata.Home.BELOW_NAME
                : new StreamMetadata.Home(token(random), random.nextInt(origin + 1));
        StreamMetadata head = new StreamMetadata(
                "s" + text(random),
                token(random),
                home,
                pick(random, StreamMetadata.State.values()),
                new StreamSettings(
                        Quorums.DEFAULT,
                        pick(random, DigestType.values()),
                        pick(random, StreamSettings.TransactionIdMode.values()),
                        random.nextInt(1_000),
                        random.nextInt(1_000),
                        random.nextInt(1_000),
                        random.nextInt(1_000),
                        pick(random, StreamSettings.Compression.values())),
                random.nextInt(1_000),
                origin,
                first,
                first + random.nextInt(1_000),
                random.nextLong(),
                random.nextLong(),
                random.nextInt(),
                random.nextLong(),
                text(random),
                random.nextLong(),
                token(random));
        SegmentMetadata segment = new SegmentMetadata(
                1 + random.nextInt(1_000),
                random.nextLong() & Long.MAX_VALUE,
                pick(random, SegmentMetadata.State.values()),
                random.nextLong(),
                random.nextLong(),
                random.nextInt(1_000),
                random.nextInt(1_000),
                random.nextInt(1_000) - 1,
                random.nextInt(1_000) - 1,
                random.nextInt(1_000),
                random.nextLong(),
                random.nextLong(),
                random.nextLong() & Long.MAX_VALUE);

        assertThat(StreamFormat.decode(StreamFormat.encode(head), WHERE)).isEqualTo(head);
        assertThat(StreamFormat.decodeSegment(StreamFormat.encodeSegment(segment), WHERE))
                .isEqualTo(segment);
    }

    @Property(tries = 300)
    void clusterIdsAndBucketsAreReadBack(@ForAll long seed) {
        Random random = new Random(seed);
        ClusterInfo info = new ClusterInfo(new ClusterId(random.nextLong(), random.nextLong()), random.nextLong());
        LedgerIds ids = new LedgerIds(random.nextInt(1_000), random.nextLong() & Long.MAX_VALUE, token(random));
        BitSet bucket = new BitSet();
        random.ints(random.nextInt(50), 0, 4_096).forEach(bucket::set);

        assertThat(ClusterFormat.decode(ClusterFormat.encode(info), WHERE)).isEqualTo(info);
        assertThat(LedgerFormat.decodeIds(LedgerFormat.encodeIds(ids), WHERE)).isEqualTo(ids);
        assertThat(LedgerFormat.decodeBucket(LedgerFormat.encodeBucket(bucket), WHERE))
                .isEqualTo(bucket);
    }

    private static List<Kind> kinds() {
        BitSet bucket = new BitSet();
        bucket.set(5, 100);
        return List.of(
                new Kind(ClusterFormat.encode(new ClusterInfo(Samples.CLUSTER, 5)), ClusterFormat::decode),
                new Kind(BookieFormat.encodeCookie(Samples.cookie(1)), BookieFormat::decodeCookie),
                new Kind(
                        BookieFormat.encodeRegistration(Samples.registration(1, true), Samples.token(3)),
                        BookieFormat::decodeRegistration),
                new Kind(LedgerFormat.encode(Samples.ledger(7, 1)), LedgerFormat::decode),
                new Kind(LedgerFormat.encodeIds(new LedgerIds(1, 2, Samples.token(4))), LedgerFormat::decodeIds),
                new Kind(LedgerFormat.encodeBucket(bucket), LedgerFormat::decodeBucket),
                new Kind(StreamFormat.encode(HEAD), StreamFormat::decode),
                new Kind(StreamFormat.encodeHome("name \u00e4"), StreamFormat::decodeHome),
                new Kind(StreamFormat.encodeSegment(Samples.completed(3)), StreamFormat::decodeSegment));
    }

    private static boolean isReadable(Kind kind, byte[] value) {
        try {
            return kind.decode().apply(value, WHERE) != null;
        } catch (MetadataException refused) {
            assertThat(refused.code()).isEqualTo(MetadataException.Code.UNREADABLE);
            assertThat(refused.getMessage()).startsWith(WHERE).doesNotContain("\n");
            return false;
        }
    }

    @Test
    void mutantsAreReadOrRefused() {
        Random random = new Random(17);
        for (Kind kind : kinds()) {
            int refused = 0;
            for (int i = 0; i < MUTANTS; i++) {
                byte[] value = kind.good().clone();
                for (int j = random.nextInt(4); j >= 0; j--) {
                    value[random.nextInt(value.length)] ^= (byte) (1 << random.nextInt(8));
                }
                int length = random.nextInt(4) == 0 ? random.nextInt(value.length) : value.length;
                refused += isReadable(kind, Arrays.copyOf(value, length)) ? 0 : 1;
            }
            assertThat(refused).isBetween(MUTANTS / 10, MUTANTS - 1);
        }
    }

    @Test
    void valueOfAnotherKindIsRefused() {
        List<Kind> kinds = kinds();
        for (Kind kind : kinds) {
            for (Kind other : kinds) {
                assertThat(isReadable(kind, other.good())).isEqualTo(kind.equals(other));
            }
        }
    }

    @Test
    void valueOfANewerVersionAsksForAnUpgrade() {
        // D-137
        for (Kind kind : kinds()) {
            byte[] newer = kind.good().clone();
            int at = versionAt(newer);
            int version = newer[at] + 1;
            newer[at] = (byte) version;

            assertThatThrownBy(() -> kind.decode().apply(newer, WHERE))
                    .isInstanceOf(MetadataException.class)
                    .hasMessageStartingWith(WHERE)
                    .hasMessageContaining("version " + version)
                    .hasMessageContaining("upgrade");
        }
    }

    @Test
    void headThatOlderProgramsWouldMistakeIsOfAVersionThatTheyRefuse() {
        // P-06: both kinds ignore fields that they do not know. Those that read up to version 2 would write one
        // that has an HMAC with CRC-32C; those that read version 1 only look for segments below its name.
        assertThat(versionOf(Samples.stream("stream", 5), DigestType.HMAC_SHA256))
                .isEqualTo(3);
        assertThat(versionOf(Samples.streamBelowName("stream", 5), DigestType.HMAC_SHA256))
                .isEqualTo(3);
        assertThat(versionOf(Samples.stream("stream", 5), DigestType.CRC32C)).isEqualTo(2);
        assertThat(versionOf(Samples.streamBelowName("stream", 5), DigestType.CRC32C))
                .isEqualTo(1);
    }

    private static int versionOf(StreamMetadata head, DigestType digest) {
        byte[] value = StreamFormat.encode(Samples.withDigest(head, digest));
        return value[versionAt(value)];
    }

    /** Where the version stands: the first field of the root table. */
    private static int versionAt(byte[] value) {
        var bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        int table = bytes.getInt(0);
        int fields = table - bytes.getInt(table);
        int at = table + bytes.getShort(fields + 4);
        assertThat(bytes.getInt(at)).isBetween(1, 3);
        return at;
    }

    @Test
    void impossibleValuesAreNotWritten() {
        assertThatThrownBy(() -> StreamFormat.encode(Samples.stream("", 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StreamFormat.encodeSegment(Samples.segment(0)))
                .isInstanceOf(IllegalArgumentException.class);
        BookieRegistration badPort = new BookieRegistration(Samples.bookie(1), "", "host", 70_000, false, "", 0);
        assertThatThrownBy(() -> BookieFormat.encodeRegistration(badPort, WriteToken.NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
