// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.protocol.wire.generated.ClusterTable;
import io.daybook.protocol.wire.generated.Id128;
import io.daybook.protocol.wire.tables.MetadataShapes;

/** The bytes of a cluster's value. */
public final class ClusterFormat {
    private ClusterFormat() {}

    /** The value. */
    public static byte[] encode(ClusterInfo info) {
        FlatBufferBuilder builder = new FlatBufferBuilder(128);
        ClusterTable.startClusterTable(builder);
        ClusterTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        ClusterTable.addClusterId(builder, id(builder, info.clusterId()));
        ClusterTable.addCreatedMillis(builder, info.createdMillis());
        return TableCodec.finish(builder, ClusterTable.endClusterTable(builder), MetadataShapes.CLUSTER);
    }

    /** The record; fails with {@code UNREADABLE}, naming {@code where}. */
    public static ClusterInfo decode(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.CLUSTER, where, bytes -> {
            ClusterTable table = ClusterTable.getRootAsClusterTable(bytes);
            return new ClusterInfo(id(table.clusterId()), table.createdMillis());
        });
    }

    static int id(FlatBufferBuilder builder, ClusterId clusterId) {
        return Id128.createId128(builder, clusterId.high(), clusterId.low());
    }

    static ClusterId id(Id128 id) {
        return new ClusterId(id.high(), id.low());
    }
}
