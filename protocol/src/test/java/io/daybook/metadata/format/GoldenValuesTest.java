// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.format.BookieFormat.StoredRegistration;
import io.daybook.metadata.format.LedgerFormat.LedgerIds;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Values written by the first release stay readable, and stay what is written as long as the version is the same. */
final class GoldenValuesTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/metadata-v1.txt");
    private static final String STREAM_BEFORE_COMPRESSION = "stream";

    /** Heads that are read only: written before there was compression, or before those with an HMAC had a version of their own. */
    private static final List<String> OLD_STREAMS = List.of(
            STREAM_BEFORE_COMPRESSION, "stream-with-compression", "stream-renamed", "stream-of-a-name-used-before");

    private static LedgerMetadata closedLedger() {
        LedgerMetadata open = Samples.ledger(7, 1);
        LedgerMetadata changed = open.withEnsemble(
                        100, List.of(Samples.bookie(1), Samples.bookie(4), Samples.bookie(3)), Samples.token(2))
                .withRecovery(Samples.token(3));
        return changed.withClosed(150, 12_345, changed.fragments(), Samples.token(4));
    }

    private static BitSet bucket() {
        BitSet bucket = new BitSet();
        bucket.set(3, 40);
        return bucket;
    }

    private static StreamMetadata successor() {
        return stream().numberedFrom(57);
    }

    /** As it was before streams could be renamed. */
    private static StreamMetadata stream() {
        return homed(Samples.stream("stream \u00e4", 5), StreamMetadata.Home.BELOW_NAME, Function.identity());
    }

    private static StreamMetadata renamed() {
        return Samples.stream("stream \u00e4", 5).movedTo("other", Samples.token(7), 40);
    }

    private static StreamMetadata unsigned(StreamMetadata head) {
        return Samples.withDigest(head, DigestType.CRC32C);
    }

    private static Map<String, byte[]> written() {
        Map<String, byte[]> values = new TreeMap<>();
        values.put("cluster", ClusterFormat.encode(new ClusterInfo(Samples.CLUSTER, 5)));
        values.put("cookie", BookieFormat.encodeCookie(Samples.cookie(1)));
        values.put("registration", BookieFormat.encodeRegistration(Samples.registration(2, true), Samples.token(3)));
        values.put("ledger-open", LedgerFormat.encode(Samples.ledger(7, 1)));
        values.put("ledger-closed", LedgerFormat.encode(closedLedger()));
        values.put("ledger-ids", LedgerFormat.encodeIds(new LedgerIds(1, 2, Samples.token(4))));
        values.put("ledger-bucket", LedgerFormat.encodeBucket(bucket()));
        values.put("stream-below-its-name", StreamFormat.encode(unsigned(stream())));
        values.put("stream-at-its-home", StreamFormat.encode(unsigned(renamed())));
        values.put("stream-signed", StreamFormat.encode(renamed()));
        values.put("stream-signed-below-its-name", StreamFormat.encode(stream()));
        values.put("stream-home", StreamFormat.encodeHome("stream \u00e4"));
        values.put("stream-below-a-name-used-before", StreamFormat.encode(unsigned(successor())));
        values.put("stream-bucket", StreamFormat.encodeBucket(58, Samples.token(6)));
        values.put("segment-in-progress", StreamFormat.encodeSegment(Samples.segment(3)));
        values.put("segment-completed", StreamFormat.encodeSegment(Samples.completed(3)));
        return values;
    }

    /** What the head meant before settings had a bound of bytes and a compression. */
    private static StreamMetadata beforeCompression(StreamMetadata head) {
        return homed(
                head,
                head.home(),
                settings -> new StreamSettings(
                        settings.quorums(),
                        settings.digest(),
                        settings.transactionIdMode(),
                        settings.segmentMillisMax(),
                        settings.segmentBytesMax(),
                        settings.retentionMillis(),
                        0,
                        StreamSettings.Compression.NONE));
    }

    private static StreamMetadata homed(
            StreamMetadata head, StreamMetadata.Home home, Function<StreamSettings, StreamSettings> settings) {
        return new StreamMetadata(
                head.name(),
                head.incarnation(),
                home,
                head.state(),
                settings.apply(head.settings()),
                head.epoch(),
                head.originSegmentNumber(),
                head.firstSegmentNumber(),
                head.nextSegmentNumber(),
                head.truncatedSegment(),
                head.truncatedEntry(),
                head.truncatedSlot(),
                head.lastTransactionId(),
                head.owner(),
                head.createdMillis(),
                head.token());
    }

    private static Map<String, byte[]> golden() throws IOException {
        Map<String, byte[]> values = new TreeMap<>();
        for (String line : Files.readAllLines(GOLDEN)) {
            String[] nameAndHex = line.split(" ", 2);
            values.put(nameAndHex[0], HexFormat.of().parseHex(nameAndHex[1]));
        }
        return values;
    }

    @Test
    void valuesAreWrittenAsBefore() throws IOException {
        Map<String, byte[]> golden = golden();
        golden.keySet().removeAll(OLD_STREAMS);

        assertThat(hex(written())).isEqualTo(hex(golden));
    }

    private static Map<String, String> hex(Map<String, byte[]> values) {
        Map<String, String> hex = new TreeMap<>();
        values.forEach((name, value) -> hex.put(name, HexFormat.of().formatHex(value)));
        return hex;
    }

    @Test
    void oldValuesAreReadAsTheyWereMeant() throws IOException {
        // D-137
        Map<String, byte[]> values = golden();
        Function<String, byte[]> old = name -> Objects.requireNonNull(values.get(name), name);

        assertThat(ClusterFormat.decode(old.apply("cluster"), "cluster"))
                .isEqualTo(new ClusterInfo(Samples.CLUSTER, 5));
        assertThat(BookieFormat.decodeCookie(old.apply("cookie"), "cookie")).isEqualTo(Samples.cookie(1));
        assertThat(BookieFormat.decodeRegistration(old.apply("registration"), "registration"))
                .isEqualTo(new StoredRegistration(Samples.registration(2, true), Samples.token(3)));
        assertThat(LedgerFormat.decode(old.apply("ledger-open"), "ledger")).isEqualTo(Samples.ledger(7, 1));
        assertThat(LedgerFormat.decode(old.apply("ledger-closed"), "ledger")).isEqualTo(closedLedger());
        assertThat(LedgerFormat.decodeIds(old.apply("ledger-ids"), "ids"))
                .isEqualTo(new LedgerIds(1, 2, Samples.token(4)));
        assertThat(LedgerFormat.decodeBucket(old.apply("ledger-bucket"), "bucket"))
                .isEqualTo(bucket());
        assertThat(StreamFormat.decode(old.apply(STREAM_BEFORE_COMPRESSION), "stream"))
                .isEqualTo(beforeCompression(stream()));
        assertThat(StreamFormat.decode(old.apply("stream-with-compression"), "stream"))
                .isEqualTo(stream());
        assertThat(StreamFormat.decode(old.apply("stream-renamed"), "stream")).isEqualTo(renamed());
        assertThat(StreamFormat.decode(old.apply("stream-below-its-name"), "stream"))
                .isEqualTo(unsigned(stream()));
        assertThat(StreamFormat.decode(old.apply("stream-at-its-home"), "stream"))
                .isEqualTo(unsigned(renamed()));
        assertThat(StreamFormat.decode(old.apply("stream-below-a-name-used-before"), "stream"))
                .isEqualTo(unsigned(successor()));
        assertThat(StreamFormat.decode(old.apply("stream-signed"), "stream")).isEqualTo(renamed());
        assertThat(StreamFormat.decode(old.apply("stream-signed-below-its-name"), "stream"))
                .isEqualTo(stream());
        assertThat(StreamFormat.decodeHome(old.apply("stream-home"), "home")).isEqualTo("stream \u00e4");
        assertThat(StreamFormat.decode(old.apply("stream-of-a-name-used-before"), "stream"))
                .isEqualTo(successor());
        assertThat(StreamFormat.decodeBucket(old.apply("stream-bucket"), "bucket"))
                .isEqualTo(58);
        assertThat(StreamFormat.decodeSegment(old.apply("segment-in-progress"), "segment"))
                .isEqualTo(Samples.segment(3));
        assertThat(StreamFormat.decodeSegment(old.apply("segment-completed"), "segment"))
                .isEqualTo(Samples.completed(3));
    }
}
