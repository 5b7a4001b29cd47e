// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.tables;

import static io.daybook.protocol.wire.tables.FieldShape.bytes;
import static io.daybook.protocol.wire.tables.FieldShape.id;
import static io.daybook.protocol.wire.tables.FieldShape.ids;
import static io.daybook.protocol.wire.tables.FieldShape.number;
import static io.daybook.protocol.wire.tables.FieldShape.table;
import static io.daybook.protocol.wire.tables.FieldShape.tables;
import static io.daybook.protocol.wire.tables.FieldShape.text;
import static io.daybook.protocol.wire.tables.FieldShape.texts;

/** The shapes of the tables of {@code metadata.fbs}. */
public final class MetadataShapes {
    private static final FieldShape VERSION = number("format_version", 4);

    /** Of the cluster. */
    public static final TableShape CLUSTER =
            TableShape.root("ClusterTable", "DBMC", VERSION, id("cluster_id"), number("created_millis", 8));

    /** Of a cookie. */
    public static final TableShape COOKIE = TableShape.root(
            "CookieTable",
            "DBMK",
            VERSION,
            id("cluster_id"),
            id("bookie_id"),
            text("name"),
            texts("directories"),
            number("formatted_millis", 8));

    /** Of a registration. */
    public static final TableShape REGISTRATION = TableShape.root(
            "RegistrationTable",
            "DBMB",
            VERSION,
            id("token"),
            id("bookie_id"),
            text("name"),
            text("host"),
            number("port", 4),
            number("read_only", 1),
            text("rack"),
            number("usable_bytes", 8));

    /** Of a fragment, inside a ledger. */
    public static final TableShape FRAGMENT =
            TableShape.inner("FragmentTable", number("first_entry_id", 8), ids("ensemble"));

    /** Of a pair of texts, inside a ledger. */
    public static final TableShape TEXT_PAIR = TableShape.inner("TextPairTable", text("key"), text("value"));

    /** Of a ledger. */
    public static final TableShape LEDGER = TableShape.root(
            "LedgerTable",
            "DBML",
            VERSION,
            id("token"),
            number("ledger_id", 8),
            number("ensemble_size", 4),
            number("write_quorum", 4),
            number("ack_quorum", 4),
            number("digest", 1),
            number("state", 1),
            number("last_entry_id", 8),
            number("length_bytes", 8),
            tables("fragments", FRAGMENT),
            tables("custom", TEXT_PAIR),
            number("created_millis", 8));

    /** Of a bucket of ledger ids. */
    public static final TableShape LEDGER_BUCKET =
            TableShape.root("LedgerBucketTable", "DBMU", VERSION, bytes("deleted"));

    /** Of the counter of ledger ids. */
    public static final TableShape LEDGER_IDS =
            TableShape.root("LedgerIdsTable", "DBMI", VERSION, id("token"), number("epoch", 4), number("next", 8));

    /** Of the settings inside a stream. */
    public static final TableShape STREAM_SETTINGS = TableShape.inner(
            "StreamSettingsTable",
            number("ensemble_size", 4),
            number("write_quorum", 4),
            number("ack_quorum", 4),
            number("digest", 1),
            number("transaction_id_mode", 1),
            number("segment_millis_max", 8),
            number("segment_bytes_max", 8),
            number("retention_millis", 8),
            number("retention_bytes", 8),
            number("compression", 1));

    /** Of the head of a stream. */
    public static final TableShape STREAM = TableShape.root(
            "StreamTable",
            "DBMS",
            VERSION,
            id("token"),
            text("name"),
            id("incarnation"),
            number("state", 1),
            table("settings", STREAM_SETTINGS),
            number("epoch", 8),
            number("first_segment_number", 8),
            number("next_segment_number", 8),
            number("truncated_segment", 8),
            number("truncated_entry", 8),
            number("truncated_slot", 4),
            number("last_transaction_id", 8),
            text("owner"),
            number("created_millis", 8),
            number("origin_segment_number", 8),
            number("home_high", 8),
            number("home_low", 8),
            number("number_shift", 8));

    /** Of the home of a stream. */
    public static final TableShape STREAM_HOME = TableShape.root("StreamHomeTable", "DBMH", VERSION, text("name"));

    /** Of what a bucket of streams remembers of those that were deleted. */
    public static final TableShape STREAM_BUCKET =
            TableShape.root("StreamBucketTable", "DBMN", VERSION, id("token"), number("next_origin_segment_number", 8));

    /** Of a segment. */
    public static final TableShape SEGMENT = TableShape.root(
            "SegmentTable",
            "DBMG",
            VERSION,
            number("number", 8),
            number("ledger_id", 8),
            number("state", 1),
            number("first_transaction_id", 8),
            number("last_transaction_id", 8),
            number("record_count", 8),
            number("first_sequence_id", 8),
            number("last_entry_id", 8),
            number("last_slot", 4),
            number("epoch", 8),
            number("created_millis", 8),
            number("completed_millis", 8),
            number("payload_bytes", 8));

    /** Of a subscription. */
    public static final TableShape SUBSCRIPTION = TableShape.root(
            "SubscriptionTable",
            "DBMT",
            VERSION,
            id("token"),
            text("id"),
            id("incarnation"),
            number("next_segment", 8),
            number("next_entry", 8),
            number("next_slot", 4),
            number("epoch", 8),
            text("reader"),
            number("created_millis", 8),
            number("changed_millis", 8));

    /** Of a lock that is held. */
    public static final TableShape LOCK = TableShape.root(
            "LockTable",
            "DBMO",
            VERSION,
            id("token"),
            text("name"),
            text("host"),
            number("process_id", 8),
            text("label"),
            number("since_millis", 8));

    private MetadataShapes() {}
}
