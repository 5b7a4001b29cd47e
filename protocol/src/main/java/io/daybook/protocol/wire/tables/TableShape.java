// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.tables;

import java.util.List;

/**
 * What a table looks like in bytes: a description of the schema that {@link FlatBufferVerifier} follows.
 *
 * @param name as in the schema
 * @param identifier the four characters after the root offset; empty for a table that is never a root
 * @param fields in the order of the schema
 */
public record TableShape(String name, String identifier, List<FieldShape> fields) {
    /** No table. */
    public static final TableShape NONE = new TableShape("", "", List.of());

    /** Copies the list. */
    public TableShape {
        fields = List.copyOf(fields);
    }

    /** A table that may be a root. */
    public static TableShape root(String name, String identifier, FieldShape... fields) {
        return new TableShape(name, identifier, List.of(fields));
    }

    /** A table that stands inside others only. */
    public static TableShape inner(String name, FieldShape... fields) {
        return new TableShape(name, "", List.of(fields));
    }

    /** The same table as far as its first field, which in every version of a metadata value is the version of its format. */
    public TableShape asFarAsVersion() {
        return new TableShape(name, identifier, fields.subList(0, 1));
    }
}
