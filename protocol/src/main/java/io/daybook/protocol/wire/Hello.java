// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.wire.generated.HelloTable;
import io.daybook.protocol.wire.generated.Id128;
import io.daybook.protocol.wire.tables.WireShapes;
import io.netty.buffer.ByteBuf;

/**
 * The first frame of a link, from the side that connected: {@link MessageType#HELLO}. A prefix and a table.
 *
 * @param versionMin lowest protocol version that the sender speaks, at least 1
 * @param versionMax highest protocol version that the sender speaks
 * @param features bits of optional behaviour that the sender offers
 * @param clusterId the cluster that the sender means
 * @param expectedBookie the bookie that the sender means to reach
 * @param kind what the link is for
 * @param client a label of the sender for people; cut to 1,024 characters
 */
public record Hello(
        int versionMin,
        int versionMax,
        long features,
        ClusterId clusterId,
        BookieId expectedBookie,
        LinkKind kind,
        String client) {
    /** The one version of the protocol that this program speaks. */
    public static final int PROTOCOL_VERSION = 1;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        FlatBufferBuilder builder = new FlatBufferBuilder(256);
        int clientAt = builder.createString(WireBytes.cut(client));
        HelloTable.startHelloTable(builder);
        HelloTable.addVersionMin(builder, versionMin);
        HelloTable.addVersionMax(builder, versionMax);
        HelloTable.addFeatures(builder, features);
        HelloTable.addClusterId(builder, Id128.createId128(builder, clusterId.high(), clusterId.low()));
        HelloTable.addExpectedBookie(builder, Id128.createId128(builder, expectedBookie.high(), expectedBookie.low()));
        HelloTable.addLinkKind(builder, kind.number());
        HelloTable.addClient(builder, clientAt);
        builder.finish(HelloTable.endHelloTable(builder), WireShapes.HELLO.identifier());
        WireBytes.writeTable(out, MessageType.HELLO, builder);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static Hello read(ByteBuf frame) {
        HelloTable table =
                HelloTable.getRootAsHelloTable(WireBytes.readTable(frame, MessageType.HELLO, WireShapes.HELLO));
        Id128 cluster = table.clusterId();
        Id128 bookie = table.expectedBookie();
        Hello hello = new Hello(
                table.versionMin(),
                table.versionMax(),
                table.features(),
                new ClusterId(cluster.high(), cluster.low()),
                new BookieId(bookie.high(), bookie.low()),
                LinkKind.of(table.linkKind()),
                WireBytes.cut(table.client()));
        if (hello.versionMin < 1 || hello.versionMin > hello.versionMax) {
            throw new BadFrameException(
                    "a hello with protocol versions " + hello.versionMin + " to " + hello.versionMax);
        }
        return hello;
    }
}
