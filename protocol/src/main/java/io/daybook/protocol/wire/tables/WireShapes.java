// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.tables;

import static io.daybook.protocol.wire.tables.FieldShape.id;
import static io.daybook.protocol.wire.tables.FieldShape.number;
import static io.daybook.protocol.wire.tables.FieldShape.tables;
import static io.daybook.protocol.wire.tables.FieldShape.text;
import static io.daybook.protocol.wire.tables.FieldShape.texts;

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

    /** Of a directory, inside a description. */
    public static final TableShape DESCRIBED_DIRECTORY = TableShape.inner(
            "DescribedDirectoryTable",
            text("role"),
            text("path"),
            text("state"),
            number("usable_bytes", 8),
            number("total_bytes", 8));

    /** Of a journal, inside a description. */
    public static final TableShape DESCRIBED_JOURNAL = TableShape.inner(
            "DescribedJournalTable", number("files", 4), number("free_files", 4), number("replay_bytes", 8));

    /** Of a description. */
    public static final TableShape DESCRIPTION = TableShape.root(
            "DescriptionTable",
            "DBDE",
            number("request_id", 8),
            text("version"),
            number("started_millis", 8),
            texts("read_only_because"),
            texts("problems"),
            tables("directories", DESCRIBED_DIRECTORY),
            tables("journals", DESCRIBED_JOURNAL),
            number("logs", 8),
            number("log_bytes", 8),
            number("live_bytes", 8),
            number("live_entries", 8),
            number("ledgers", 8),
            number("ledgers_in_limbo", 8),
            number("ledgers_given_up", 8),
            number("index_bytes", 8),
            number("index_bytes_max", 8),
            number("index_cold_pages", 8),
            number("damages", 8),
            number("scrub_rounds", 8),
            number("scrub_ended_millis", 8),
            number("cleanup_rounds", 8),
            text("cleanup_state"),
            number("cleanup_ledgers_given_up", 8),
            number("cleanup_ledgers_waiting", 8),
            number("cleanup_logs_removed", 8),
            number("cleanup_bytes_copied", 8),
            number("cleanup_logs_kept", 8),
            text("cleanup_failure"));

    private WireShapes() {}
}
