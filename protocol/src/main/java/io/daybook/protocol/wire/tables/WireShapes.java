// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.tables;

import static io.daybook.protocol.wire.tables.FieldShape.id;
import static io.daybook.protocol.wire.tables.FieldShape.number;
import static io.daybook.protocol.wire.tables.FieldShape.text;

/** The shapes of the tables of {@code wire.fbs}. */
public final class WireShapes {
    /** Of a hello. */
    public static final TableShape HELLO = TableShape.root(
            "HelloTable",
            "DBHE",
            number("version_min", 4),
            number("version_max", 4),
            number("features", 8),
            id("cluster_id"),
            id("expected_bookie"),
            number("link_kind", 1),
            text("client"));

    /** Of the answer to a hello. */
    public static final TableShape HELLO_ANSWER = TableShape.root(
            "HelloAnswerTable",
            "DBHA",
            number("status", 2),
            number("version", 4),
            number("features", 8),
            id("bookie_id"),
            number("entry_bytes_max", 4),
            text("text"));

    /** Of an error. */
    public static final TableShape ERROR = TableShape.root("ErrorTable", "DBER", number("status", 2), text("text"));

    private WireShapes() {}
}
