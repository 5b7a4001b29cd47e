// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.metadata.LockStore;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.protocol.wire.generated.LockTable;
import io.daybook.protocol.wire.tables.MetadataShapes;
import java.nio.charset.StandardCharsets;

/** The bytes of a lock that is held. */
public final class LockFormat {
    private LockFormat() {}

    /** Throws {@link IllegalArgumentException} unless the text may be the name of a lock. */
    public static void checkName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        TableCodec.require(bytes >= 1 && bytes <= LockStore.NAME_BYTES_MAX, "a name of " + bytes + " bytes");
    }

    /** The value of a lock; throws {@link IllegalArgumentException} for an impossible one. */
    public static byte[] encode(String name, Owner owner) {
        checkName(name);
        FlatBufferBuilder builder = new FlatBufferBuilder(256);
        int nameAt = builder.createString(name);
        int host = builder.createString(owner.host());
        int label = builder.createString(owner.label());
        LockTable.startLockTable(builder);
        LockTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        LockTable.addToken(builder, TableCodec.token(builder, owner.token()));
        LockTable.addName(builder, nameAt);
        LockTable.addHost(builder, host);
        LockTable.addProcessId(builder, owner.processId());
        LockTable.addLabel(builder, label);
        LockTable.addSinceMillis(builder, owner.sinceMillis());
        return TableCodec.finish(builder, LockTable.endLockTable(builder), MetadataShapes.LOCK);
    }

    /** The holder in a value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static Owner decode(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.LOCK, where, bytes -> {
            LockTable table = LockTable.getRootAsLockTable(bytes);
            checkName(table.name());
            return new Owner(
                    table.host(),
                    table.processId(),
                    table.label(),
                    table.sinceMillis(),
                    TableCodec.token(table.token()));
        });
    }
}
