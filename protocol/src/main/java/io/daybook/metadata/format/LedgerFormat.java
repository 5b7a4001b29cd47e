// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.wire.generated.FragmentTable;
import io.daybook.protocol.wire.generated.LedgerBucketTable;
import io.daybook.protocol.wire.generated.LedgerIdsTable;
import io.daybook.protocol.wire.generated.LedgerTable;
import io.daybook.protocol.wire.generated.TextPairTable;
import io.daybook.protocol.wire.tables.MetadataShapes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The bytes of a ledger's value and of the counter of ledger ids. */
public final class LedgerFormat {
    /** The states in the order of their numbers. */
    private static final List<LedgerState> STATES =
            List.of(LedgerState.OPEN, LedgerState.IN_RECOVERY, LedgerState.CLOSED);

    private LedgerFormat() {}

    /**
     * The counter of ledger ids.
     *
     * @param epoch raised when metadata was restored from an older copy, so that ids given since that copy are not given again
     * @param next the lowest number that was not given in this epoch
     */
    public record LedgerIds(int epoch, long next, WriteToken token) {
        /** Refuses negative numbers. */
        public LedgerIds {
            TableCodec.require(epoch >= 0 && next >= 0, "a negative epoch or number of ledgers");
        }
    }

    /** The value of a ledger. */
    public static byte[] encode(LedgerMetadata ledger) {
        FlatBufferBuilder builder = new FlatBufferBuilder(512);
        int fragments = LedgerTable.createFragmentsVector(
                builder,
                ledger.fragments().stream()
                        .mapToInt(fragment -> fragment(builder, fragment))
                        .toArray());
        int custom = LedgerTable.createCustomVector(
                builder,
                ledger.custom().entrySet().stream()
                        .mapToInt(pair -> textPair(builder, pair))
                        .toArray());
        LedgerTable.startLedgerTable(builder);
        LedgerTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        LedgerTable.addToken(builder, TableCodec.token(builder, ledger.token()));
        LedgerTable.addLedgerId(builder, ledger.ledgerId());
        LedgerTable.addEnsembleSize(builder, ledger.quorums().ensembleSize());
        LedgerTable.addWriteQuorum(builder, ledger.quorums().writeQuorum());
        LedgerTable.addAckQuorum(builder, ledger.quorums().ackQuorum());
        LedgerTable.addDigest(builder, ledger.digest().number());
        LedgerTable.addState(builder, TableCodec.number(STATES, ledger.state()));
        LedgerTable.addLastEntryId(builder, ledger.lastEntryId());
        LedgerTable.addLengthBytes(builder, ledger.lengthBytes());
        LedgerTable.addFragments(builder, fragments);
        LedgerTable.addCustom(builder, custom);
        LedgerTable.addCreatedMillis(builder, ledger.createdMillis());
        return TableCodec.finish(builder, LedgerTable.endLedgerTable(builder), MetadataShapes.LEDGER);
    }

    private static int fragment(FlatBufferBuilder builder, Fragment fragment) {
        List<BookieId> ensemble = fragment.ensemble();
        FragmentTable.startEnsembleVector(builder, ensemble.size());
        for (int i = ensemble.size() - 1; i >= 0; i--) {
            BookieFormat.id(builder, ensemble.get(i));
        }
        int ensembleAt = builder.endVector();
        return FragmentTable.createFragmentTable(builder, fragment.firstEntryId(), ensembleAt);
    }

    private static int textPair(FlatBufferBuilder builder, Map.Entry<String, String> pair) {
        int key = builder.createString(pair.getKey());
        int value = builder.createString(pair.getValue());
        return TextPairTable.createTextPairTable(builder, key, value);
    }

    /** The ledger of a value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static LedgerMetadata decode(byte[] value, String where) {
        return TableCodec.decode(
                value, MetadataShapes.LEDGER, where, bytes -> ledger(LedgerTable.getRootAsLedgerTable(bytes)));
    }

    private static LedgerMetadata ledger(LedgerTable table) {
        List<Fragment> fragments = new ArrayList<>(table.fragmentsLength());
        for (int i = 0; i < table.fragmentsLength(); i++) {
            fragments.add(fragment(table.fragments(i)));
        }
        Map<String, String> custom = new TreeMap<>();
        for (int i = 0; i < table.customLength(); i++) {
            TextPairTable pair = table.custom(i);
            TableCodec.require(custom.put(pair.key(), pair.value()) == null, "a key twice");
        }
        return new LedgerMetadata(
                table.ledgerId(),
                new Quorums(table.ensembleSize(), table.writeQuorum(), table.ackQuorum()),
                TableCodec.digest(table.digest()),
                TableCodec.constant(STATES, table.state(), "state"),
                table.lastEntryId(),
                table.lengthBytes(),
                fragments,
                custom,
                table.createdMillis(),
                TableCodec.token(table.token()));
    }

    private static Fragment fragment(FragmentTable table) {
        List<BookieId> ensemble = new ArrayList<>(table.ensembleLength());
        for (int i = 0; i < table.ensembleLength(); i++) {
            ensemble.add(BookieFormat.id(table.ensemble(i)));
        }
        return new Fragment(table.firstEntryId(), ensemble);
    }

    /** The value of the counter. */
    public static byte[] encodeIds(LedgerIds ids) {
        FlatBufferBuilder builder = new FlatBufferBuilder(128);
        LedgerIdsTable.startLedgerIdsTable(builder);
        LedgerIdsTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        LedgerIdsTable.addToken(builder, TableCodec.token(builder, ids.token()));
        LedgerIdsTable.addEpoch(builder, ids.epoch());
        LedgerIdsTable.addNext(builder, ids.next());
        return TableCodec.finish(builder, LedgerIdsTable.endLedgerIdsTable(builder), MetadataShapes.LEDGER_IDS);
    }

    /** The counter of a value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static LedgerIds decodeIds(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.LEDGER_IDS, where, bytes -> {
            LedgerIdsTable table = LedgerIdsTable.getRootAsLedgerIdsTable(bytes);
            return new LedgerIds(table.epoch(), table.next(), TableCodec.token(table.token()));
        });
    }

    /** The value of a bucket of ledger ids: {@code deleted} has the bit of each id, counted from the bucket's first, that was deleted. */
    public static byte[] encodeBucket(BitSet deleted) {
        FlatBufferBuilder builder = new FlatBufferBuilder(128);
        int bits = builder.createByteVector(deleted.toByteArray());
        LedgerBucketTable.startLedgerBucketTable(builder);
        LedgerBucketTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        LedgerBucketTable.addDeleted(builder, bits);
        return TableCodec.finish(
                builder, LedgerBucketTable.endLedgerBucketTable(builder), MetadataShapes.LEDGER_BUCKET);
    }

    /** The bits of a bucket; fails with {@code UNREADABLE}, naming {@code where}. */
    public static BitSet decodeBucket(byte[] value, String where) {
        return TableCodec.decode(
                value,
                MetadataShapes.LEDGER_BUCKET,
                where,
                bytes -> BitSet.valueOf(
                        LedgerBucketTable.getRootAsLedgerBucketTable(bytes).deletedAsByteBuffer()));
    }
}
