// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.protocol.wire.generated.SubscriptionTable;
import io.daybook.protocol.wire.tables.MetadataShapes;

/** The bytes of a subscription. */
public final class SubscriptionFormat {
    private SubscriptionFormat() {}

    /** The value; throws {@link IllegalArgumentException} for an impossible one. */
    public static byte[] encode(SubscriptionMetadata subscription) {
        check(subscription);
        FlatBufferBuilder builder = new FlatBufferBuilder(256);
        int id = builder.createString(subscription.id());
        int reader = builder.createString(subscription.reader());
        SubscriptionTable.startSubscriptionTable(builder);
        SubscriptionTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        SubscriptionTable.addToken(builder, TableCodec.token(builder, subscription.token()));
        SubscriptionTable.addId(builder, id);
        SubscriptionTable.addIncarnation(builder, TableCodec.token(builder, subscription.stream()));
        SubscriptionTable.addNextSegment(builder, subscription.nextSegment());
        SubscriptionTable.addNextEntry(builder, subscription.nextEntry());
        SubscriptionTable.addNextSlot(builder, subscription.nextSlot());
        SubscriptionTable.addEpoch(builder, subscription.epoch());
        SubscriptionTable.addReader(builder, reader);
        SubscriptionTable.addCreatedMillis(builder, subscription.createdMillis());
        SubscriptionTable.addChangedMillis(builder, subscription.changedMillis());
        return TableCodec.finish(builder, SubscriptionTable.endSubscriptionTable(builder), MetadataShapes.SUBSCRIPTION);
    }

    /** The subscription of a value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static SubscriptionMetadata decode(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.SUBSCRIPTION, where, bytes -> {
            SubscriptionMetadata subscription = of(SubscriptionTable.getRootAsSubscriptionTable(bytes));
            check(subscription);
            return subscription;
        });
    }

    /** The value of a subscription where the stream of {@code head} keeps it; throws {@link IllegalArgumentException} for an impossible one. */
    public static byte[] encode(StreamMetadata head, SubscriptionMetadata subscription) {
        return encode(subscription.inSegment(head.numberAtHome(subscription.nextSegment())));
    }

    /** The subscription of a value, as it is in the stream of {@code head}; fails with {@code UNREADABLE}, naming {@code where}. */
    public static SubscriptionMetadata decode(StreamMetadata head, byte[] value, String where) {
        SubscriptionMetadata atHome = decode(value, where);
        return atHome.inSegment(head.numberHere(atHome.nextSegment()));
    }

    private static SubscriptionMetadata of(SubscriptionTable table) {
        return new SubscriptionMetadata(
                table.id(),
                TableCodec.token(table.incarnation()),
                table.nextSegment(),
                table.nextEntry(),
                table.nextSlot(),
                table.epoch(),
                table.reader(),
                table.createdMillis(),
                table.changedMillis(),
                TableCodec.token(table.token()));
    }

    private static void check(SubscriptionMetadata subscription) {
        StreamNames.check(subscription.id());
        TableCodec.require(
                subscription.nextSegment() >= 0 && subscription.nextEntry() >= 0 && subscription.nextSlot() >= 0,
                "a negative position");
        TableCodec.require(subscription.epoch() >= 0, "a negative epoch");
    }
}
