// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.wire.generated.ClusterTable;
import io.daybook.protocol.wire.generated.Id128;
import io.daybook.protocol.wire.tables.BadTableException;
import io.daybook.protocol.wire.tables.FlatBufferVerifier;
import io.daybook.protocol.wire.tables.TableShape;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/** What the formats of all metadata values share: the version in front, the refusal of what cannot be read, numbers for enums. */
final class TableCodec {
    /** The version of every format so far, but for heads of streams that have a home or a digest under a key. */
    static final int FORMAT_VERSION = 1;

    private TableCodec() {}

    /** Ends a value with its root table. */
    static byte[] finish(FlatBufferBuilder builder, int root, TableShape shape) {
        builder.finish(root, shape.identifier());
        return builder.sizedByteArray();
    }

    /**
     * Verifies a value and copies it to a record; throws {@link MetadataException} with {@link MetadataException.Code#UNREADABLE} that begins with
     * {@code where} when it is damaged, makes no sense or is of a newer version.
     */
    static <T> T decode(byte[] value, TableShape shape, String where, Function<ByteBuffer, T> copy) {
        return decode(value, shape, FORMAT_VERSION, where, copy);
    }

    /** As {@link #decode(byte[], TableShape, String, Function)}, of a format that has versions up to {@code newest}. */
    static <T> T decode(byte[] value, TableShape shape, int newest, String where, Function<ByteBuffer, T> copy) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        try {
            int version = ClusterTable.getRootAsClusterTable(FlatBufferVerifier.verified(bytes, shape.asFarAsVersion()))
                    .formatVersion();
            if (version > newest) {
                throw new MetadataException(
                        MetadataException.Code.UNREADABLE,
                        where + " is of format version " + version + ", newer than this program reads (" + newest
                                + "): upgrade this program");
            }
            if (version < 1) {
                throw new BadTableException("the table is without version");
            }
            return copy.apply(FlatBufferVerifier.verified(bytes, shape));
        } catch (BadTableException | IllegalArgumentException bad) {
            throw new MetadataException(
                    MetadataException.Code.UNREADABLE, where + " cannot be read: " + bad.getMessage(), bad);
        }
    }

    /** Throws {@link IllegalArgumentException} unless {@code condition} holds. */
    static void require(boolean condition, String wrong) {
        if (!condition) {
            throw new IllegalArgumentException("the value has " + wrong);
        }
    }

    /** The number of a constant in metadata: 1 for the first of {@code numbered}. */
    static <E> int number(List<E> numbered, E constant) {
        int index = numbered.indexOf(constant);
        require(index >= 0, "a constant without number");
        return index + 1;
    }

    /** The constant of a number; throws {@link IllegalArgumentException} when there is none. */
    static <E> E constant(List<E> numbered, int number, String what) {
        require(number >= 1 && number <= numbered.size(), "an unknown " + what + ", number " + number);
        return numbered.get(number - 1);
    }

    /** The digest type of a number; throws {@link IllegalArgumentException} when there is none. */
    static DigestType digest(int number) {
        for (DigestType type : DigestType.values()) {
            if (type.number() == number) {
                return type;
            }
        }
        throw new IllegalArgumentException("the value has an unknown digest type, number " + number);
    }

    /** Writes a token in place. */
    static int token(FlatBufferBuilder builder, WriteToken token) {
        return Id128.createId128(builder, token.high(), token.low());
    }

    /** Reads a token. */
    static WriteToken token(Id128 id) {
        return new WriteToken(id.high(), id.low());
    }

    /** Writes strings and returns where they are. */
    static int[] strings(FlatBufferBuilder builder, List<String> texts) {
        return texts.stream().mapToInt(builder::createString).toArray();
    }
}
