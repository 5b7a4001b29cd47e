// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.tables;

/**
 * What one field of a table looks like in bytes.
 *
 * @param name as in the schema
 * @param isRequired whether a buffer without it is refused
 * @param size bytes of the value, or of one element of a list, that stands in place; 0 for what is reached by an offset
 * @param align what the value's position divides by
 * @param inner the shape of the table or of the tables, {@link TableShape#NONE} for other kinds
 */
public record FieldShape(String name, Kind kind, boolean isRequired, int size, int align, TableShape inner) {
    /** How the value is stored. */
    public enum Kind {
        /** A number or a struct, inside the table. */
        INLINE,
        /** A UTF-8 string. */
        TEXT,
        /** Another table. */
        TABLE,
        /** A list of numbers or structs. */
        INLINE_LIST,
        /** A list of strings. */
        TEXT_LIST,
        /** A list of tables. */
        TABLE_LIST
    }

    private static final int ID_BYTES = 16;

    /** A number of {@code size} bytes, 0 when it is left out. */
    public static FieldShape number(String name, int size) {
        return new FieldShape(name, Kind.INLINE, false, size, size, TableShape.NONE);
    }

    /** A required identity or token of 128 bits. */
    public static FieldShape id(String name) {
        return new FieldShape(name, Kind.INLINE, true, ID_BYTES, Long.BYTES, TableShape.NONE);
    }

    /** A required list of identities of 128 bits. */
    public static FieldShape ids(String name) {
        return new FieldShape(name, Kind.INLINE_LIST, true, ID_BYTES, Long.BYTES, TableShape.NONE);
    }

    /** A required list of bytes. */
    public static FieldShape bytes(String name) {
        return new FieldShape(name, Kind.INLINE_LIST, true, 1, 1, TableShape.NONE);
    }

    /** A required string. */
    public static FieldShape text(String name) {
        return new FieldShape(name, Kind.TEXT, true, 0, Integer.BYTES, TableShape.NONE);
    }

    /** A required list of strings. */
    public static FieldShape texts(String name) {
        return new FieldShape(name, Kind.TEXT_LIST, true, 0, Integer.BYTES, TableShape.NONE);
    }

    /** A required table. */
    public static FieldShape table(String name, TableShape inner) {
        return new FieldShape(name, Kind.TABLE, true, 0, Integer.BYTES, inner);
    }

    /** A required list of tables. */
    public static FieldShape tables(String name, TableShape inner) {
        return new FieldShape(name, Kind.TABLE_LIST, true, 0, Integer.BYTES, inner);
    }

    /** Bytes that the field takes inside its table: the value, or the offset that leads to it. */
    int bytesInTable() {
        return kind == Kind.INLINE ? size : Integer.BYTES;
    }
}
