// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.wire.generated.SegmentTable;
import io.daybook.protocol.wire.generated.StreamBucketTable;
import io.daybook.protocol.wire.generated.StreamHomeTable;
import io.daybook.protocol.wire.generated.StreamSettingsTable;
import io.daybook.protocol.wire.generated.StreamTable;
import io.daybook.protocol.wire.tables.MetadataShapes;
import java.util.List;

/** The bytes of a stream's values: its head and its segments. */
public final class StreamFormat {
    /** Constants in the order of their numbers. */
    private static final List<StreamMetadata.State> STATES =
            List.of(StreamMetadata.State.ACTIVE, StreamMetadata.State.SEALED, StreamMetadata.State.DELETING);

    private static final List<StreamSettings.TransactionIdMode> MODES =
            List.of(StreamSettings.TransactionIdMode.NON_DECREASING, StreamSettings.TransactionIdMode.STRICT);

    /** Numbered from 0: a value written before there was compression has none. */
    private static final List<StreamSettings.Compression> COMPRESSIONS =
            List.of(StreamSettings.Compression.NONE, StreamSettings.Compression.LZ4, StreamSettings.Compression.ZSTD);

    private static final List<SegmentMetadata.State> SEGMENT_STATES = List.of(
            SegmentMetadata.State.IN_PROGRESS, SegmentMetadata.State.COMPLETED, SegmentMetadata.State.TRUNCATED);

    /**
     * Of a head whose segments stand at its home: a program of the time before, which looks for them below the name, must refuse it. It would take the stream for an empty one, write
     * it beside its owner and take its ledgers for orphans.
     */
    private static final int VERSION_WITH_HOME = 2;

    /**
     * Of a head whose digest is not CRC-32C, with a home or without: a program of the time before digests were an option must refuse it. It would go on with ledgers that anybody can
     * forge.
     */
    private static final int VERSION_WITH_DIGEST = 3;

    private StreamFormat() {}

    /** The value of a head; throws {@link IllegalArgumentException} for an impossible one. */
    public static byte[] encode(StreamMetadata stream) {
        check(stream);
        FlatBufferBuilder builder = new FlatBufferBuilder(512);
        int name = builder.createString(stream.name());
        int owner = builder.createString(stream.owner());
        int settings = settings(builder, stream.settings());
        StreamTable.startStreamTable(builder);
        StreamTable.addFormatVersion(builder, version(stream));
        StreamTable.addToken(builder, TableCodec.token(builder, stream.token()));
        StreamTable.addName(builder, name);
        StreamTable.addIncarnation(builder, TableCodec.token(builder, stream.incarnation()));
        StreamTable.addState(builder, TableCodec.number(STATES, stream.state()));
        StreamTable.addSettings(builder, settings);
        StreamTable.addEpoch(builder, stream.epoch());
        StreamTable.addFirstSegmentNumber(builder, stream.firstSegmentNumber());
        StreamTable.addNextSegmentNumber(builder, stream.nextSegmentNumber());
        StreamTable.addTruncatedSegment(builder, stream.truncatedSegment());
        StreamTable.addTruncatedEntry(builder, stream.truncatedEntry());
        StreamTable.addTruncatedSlot(builder, stream.truncatedSlot());
        StreamTable.addLastTransactionId(builder, stream.lastTransactionId());
        StreamTable.addOwner(builder, owner);
        StreamTable.addCreatedMillis(builder, stream.createdMillis());
        StreamTable.addOriginSegmentNumber(builder, stream.originSegmentNumber());
        StreamTable.addHomeHigh(builder, stream.home().id().high());
        StreamTable.addHomeLow(builder, stream.home().id().low());
        StreamTable.addNumberShift(builder, stream.home().numberShift());
        return TableCodec.finish(builder, StreamTable.endStreamTable(builder), MetadataShapes.STREAM);
    }

    /** The lowest version whose programs do not mistake the head. */
    private static int version(StreamMetadata stream) {
        if (stream.settings().digest() != DigestType.CRC32C) {
            return VERSION_WITH_DIGEST;
        }
        return stream.home().isBelowName() ? TableCodec.FORMAT_VERSION : VERSION_WITH_HOME;
    }

    private static int settings(FlatBufferBuilder builder, StreamSettings settings) {
        StreamSettingsTable.startStreamSettingsTable(builder);
        StreamSettingsTable.addEnsembleSize(builder, settings.quorums().ensembleSize());
        StreamSettingsTable.addWriteQuorum(builder, settings.quorums().writeQuorum());
        StreamSettingsTable.addAckQuorum(builder, settings.quorums().ackQuorum());
        StreamSettingsTable.addDigest(builder, settings.digest().number());
        StreamSettingsTable.addTransactionIdMode(builder, TableCodec.number(MODES, settings.transactionIdMode()));
        StreamSettingsTable.addSegmentMillisMax(builder, settings.segmentMillisMax());
        StreamSettingsTable.addSegmentBytesMax(builder, settings.segmentBytesMax());
        StreamSettingsTable.addRetentionMillis(builder, settings.retentionMillis());
        StreamSettingsTable.addRetentionBytes(builder, settings.retentionBytes());
        StreamSettingsTable.addCompression(builder, TableCodec.number(COMPRESSIONS, settings.compression()) - 1);
        return StreamSettingsTable.endStreamSettingsTable(builder);
    }

    /** The head of a value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static StreamMetadata decode(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.STREAM, VERSION_WITH_DIGEST, where, bytes -> {
            StreamMetadata stream = stream(StreamTable.getRootAsStreamTable(bytes));
            check(stream);
            return stream;
        });
    }

    private static StreamMetadata stream(StreamTable table) {
        return new StreamMetadata(
                table.name(),
                TableCodec.token(table.incarnation()),
                new StreamMetadata.Home(new WriteToken(table.homeHigh(), table.homeLow()), table.numberShift()),
                TableCodec.constant(STATES, table.state(), "state"),
                settings(table.settings()),
                table.epoch(),
                table.originSegmentNumber(),
                table.firstSegmentNumber(),
                table.nextSegmentNumber(),
                table.truncatedSegment(),
                table.truncatedEntry(),
                table.truncatedSlot(),
                table.lastTransactionId(),
                table.owner(),
                table.createdMillis(),
                TableCodec.token(table.token()));
    }

    private static StreamSettings settings(StreamSettingsTable table) {
        return new StreamSettings(
                new Quorums(table.ensembleSize(), table.writeQuorum(), table.ackQuorum()),
                TableCodec.digest(table.digest()),
                TableCodec.constant(MODES, table.transactionIdMode(), "transaction id mode"),
                table.segmentMillisMax(),
                table.segmentBytesMax(),
                table.retentionMillis(),
                table.retentionBytes(),
                TableCodec.constant(COMPRESSIONS, table.compression() + 1, "compression"));
    }

    private static void check(StreamMetadata stream) {
        StreamNames.check(stream.name());
        TableCodec.require(stream.epoch() >= 0, "a negative epoch");
        TableCodec.require(
                stream.originSegmentNumber() >= 0
                        && stream.originSegmentNumber() <= stream.firstSegmentNumber()
                        && stream.firstSegmentNumber() <= stream.nextSegmentNumber(),
                "segment numbers that do not rise");
        TableCodec.require(
                stream.home().numberShift() >= 0
                        && stream.home().numberShift() <= stream.originSegmentNumber()
                        && (stream.home().numberShift() == 0 || !stream.home().isBelowName()),
                "an impossible shift of segment numbers");
        StreamSettings settings = stream.settings();
        TableCodec.require(
                settings.segmentMillisMax() >= 0
                        && settings.segmentBytesMax() >= 0
                        && settings.retentionMillis() >= 0
                        && settings.retentionBytes() >= 0,
                "a negative bound");
    }

    /** The value of the home of a stream: the name that it has now. */
    public static byte[] encodeHome(String name) {
        FlatBufferBuilder builder = new FlatBufferBuilder(128);
        int text = builder.createString(name);
        StreamHomeTable.startStreamHomeTable(builder);
        StreamHomeTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        StreamHomeTable.addName(builder, text);
        return TableCodec.finish(builder, StreamHomeTable.endStreamHomeTable(builder), MetadataShapes.STREAM_HOME);
    }

    /** The name of the stream whose home has that value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static String decodeHome(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.STREAM_HOME, where, bytes -> {
            String name = StreamHomeTable.getRootAsStreamHomeTable(bytes).name();
            StreamNames.check(name);
            return name;
        });
    }

    /** The value of a bucket of streams, where segment numbers of new ones begin. */
    public static byte[] encodeBucket(long nextOrigin, WriteToken token) {
        FlatBufferBuilder builder = new FlatBufferBuilder(64);
        StreamBucketTable.startStreamBucketTable(builder);
        StreamBucketTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        StreamBucketTable.addToken(builder, TableCodec.token(builder, token));
        StreamBucketTable.addNextOriginSegmentNumber(builder, nextOrigin);
        return TableCodec.finish(
                builder, StreamBucketTable.endStreamBucketTable(builder), MetadataShapes.STREAM_BUCKET);
    }

    /** Where segment numbers of new streams begin in a bucket; fails with {@code UNREADABLE}, naming {@code where}. */
    public static long decodeBucket(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.STREAM_BUCKET, where, bytes -> {
            long nextOrigin =
                    StreamBucketTable.getRootAsStreamBucketTable(bytes).nextOriginSegmentNumber();
            TableCodec.require(nextOrigin >= StreamMetadata.FIRST_ORIGIN, "a segment number below 1");
            return nextOrigin;
        });
    }

    /** The value of a segment; throws {@link IllegalArgumentException} for an impossible one. */
    public static byte[] encodeSegment(SegmentMetadata segment) {
        check(segment);
        FlatBufferBuilder builder = new FlatBufferBuilder(256);
        SegmentTable.startSegmentTable(builder);
        SegmentTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        SegmentTable.addNumber(builder, segment.number());
        SegmentTable.addLedgerId(builder, segment.ledgerId());
        SegmentTable.addState(builder, TableCodec.number(SEGMENT_STATES, segment.state()));
        SegmentTable.addFirstTransactionId(builder, segment.firstTransactionId());
        SegmentTable.addLastTransactionId(builder, segment.lastTransactionId());
        SegmentTable.addRecordCount(builder, segment.recordCount());
        SegmentTable.addFirstSequenceId(builder, segment.firstSequenceId());
        SegmentTable.addLastEntryId(builder, segment.lastEntryId());
        SegmentTable.addLastSlot(builder, segment.lastSlot());
        SegmentTable.addEpoch(builder, segment.epoch());
        SegmentTable.addCreatedMillis(builder, segment.createdMillis());
        SegmentTable.addCompletedMillis(builder, segment.completedMillis());
        SegmentTable.addPayloadBytes(builder, segment.payloadBytes());
        return TableCodec.finish(builder, SegmentTable.endSegmentTable(builder), MetadataShapes.SEGMENT);
    }

    /** The value of a segment where the stream of {@code head} keeps it; throws {@link IllegalArgumentException} for an impossible one. */
    public static byte[] encodeSegment(StreamMetadata head, SegmentMetadata segment) {
        return encodeSegment(segment.numbered(head.numberAtHome(segment.number())));
    }

    /** The segment of a value, with the number that it has in the stream of {@code head}; fails with {@code UNREADABLE}, naming {@code where}. */
    public static SegmentMetadata decodeSegment(StreamMetadata head, byte[] value, String where) {
        SegmentMetadata atHome = decodeSegment(value, where);
        return atHome.numbered(head.numberHere(atHome.number()));
    }

    /** The segment of a value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static SegmentMetadata decodeSegment(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.SEGMENT, where, bytes -> {
            SegmentMetadata segment = segment(SegmentTable.getRootAsSegmentTable(bytes));
            check(segment);
            return segment;
        });
    }

    private static SegmentMetadata segment(SegmentTable table) {
        return new SegmentMetadata(
                table.number(),
                table.ledgerId(),
                TableCodec.constant(SEGMENT_STATES, table.state(), "state"),
                table.firstTransactionId(),
                table.lastTransactionId(),
                table.recordCount(),
                table.firstSequenceId(),
                table.lastEntryId(),
                table.lastSlot(),
                table.epoch(),
                table.createdMillis(),
                table.completedMillis(),
                table.payloadBytes());
    }

    private static void check(SegmentMetadata segment) {
        TableCodec.require(segment.number() >= 1, "a segment number below 1");
        TableCodec.require(segment.ledgerId() >= 0, "a negative ledger id");
        TableCodec.require(
                segment.recordCount() >= 0
                        && segment.firstSequenceId() >= 0
                        && segment.epoch() >= 0
                        && segment.payloadBytes() >= 0,
                "a negative count");
        TableCodec.require(segment.lastEntryId() >= -1 && segment.lastSlot() >= -1, "an impossible end");
    }
}
