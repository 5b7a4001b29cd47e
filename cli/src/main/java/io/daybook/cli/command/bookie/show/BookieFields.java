// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie.show;

import io.daybook.cli.terminal.Fields;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.wire.description.BookieDescription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What is shown of a bookie, by where it is known from. */
final class BookieFields {
    private BookieFields() {}

    /** Who it is. */
    static Fields identity(BookieCookie cookie) {
        return new Fields().with("bookieId", cookie.bookieId().toString()).with("name", cookie.name());
    }

    /** What it says of itself in metadata. */
    static Fields registered(Fields fields, BookieRegistration registration) {
        return fields.with("state", registration.readOnly() ? "read-only" : "writable")
                .with("host", registration.host())
                .with("port", (long) registration.port())
                .with("rack", registration.rack())
                .with("usableBytes", registration.usableBytes());
    }

    /** How it was formatted. */
    static Fields formatted(Fields fields, BookieCookie cookie) {
        return fields.with("clusterId", cookie.clusterId().toString())
                .with("formatted", time(cookie.formattedMillis()))
                .withTexts("roles", cookie.directories());
    }

    /** All that is known of what it has and does. */
    static Fields described(Fields fields, BookieDescription bookie) {
        fields.withTexts("readOnlyBecause", bookie.readOnlyBecause());
        if (bookie.startedMillis() > 0) {
            fields.with("servingSince", time(bookie.startedMillis()));
        }
        if (!bookie.version().isEmpty()) {
            fields.with("version", bookie.version());
        }
        fields.with("logs", logs(bookie.logs()))
                .with(
                        "ledgers",
                        new Fields()
                                .with("count", bookie.ledgers().count())
                                .with("inLimbo", bookie.ledgers().inLimbo())
                                .with("givenUp", bookie.ledgers().givenUp()))
                .with("index", index(bookie.index()))
                .with("damages", bookie.scrub().damages())
                .with("scrubRounds", bookie.scrub().rounds());
        if (bookie.scrub().endedMillis() > 0) {
            fields.with("scrubbed", time(bookie.scrub().endedMillis()));
        }
        if (!bookie.cleanup().state().isEmpty()) {
            fields.with("cleanup", cleanup(bookie.cleanup()));
        }
        return fields.withTexts("problems", bookie.problems())
                .withList("data", directories(bookie, "data-"))
                .withList("journals", journals(bookie));
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private static Fields logs(BookieDescription.Logs logs) {
        Fields fields = new Fields()
                .with("count", logs.count())
                .with("bytes", logs.bytes())
                .with("liveBytes", logs.liveBytes())
                .with("liveEntries", logs.liveEntries());
        return logs.bytes() == 0 ? fields : fields.with("livePercent", 100 * logs.liveBytes() / logs.bytes());
    }

    private static Fields index(BookieDescription.Index index) {
        return known(
                known(new Fields(), "bytes", index.bytes()).with("coldPages", index.coldPages()),
                "bytesMax",
                index.bytesMax());
    }

    private static Fields cleanup(BookieDescription.Cleanup cleanup) {
        return new Fields()
                .with("state", cleanup.state())
                .with("rounds", cleanup.rounds())
                .with("ledgersGivenUp", cleanup.ledgersGivenUp())
                .with("ledgersWaiting", cleanup.ledgersWaiting())
                .with("logsRemoved", cleanup.logsRemoved())
                .with("bytesCopied", cleanup.bytesCopied())
                .with("logsKept", cleanup.logsKept())
                .with("failure", cleanup.failure());
    }

    private static List<Fields> directories(BookieDescription bookie, String prefix) {
        List<Fields> rows = new ArrayList<>();
        for (BookieDescription.Directory directory : bookie.directories()) {
            if (directory.role().startsWith(prefix)) {
                Fields row = new Fields().with("role", directory.role()).with("path", directory.path());
                if (!directory.state().isEmpty()) {
                    row.with("space", directory.state());
                }
                known(row, "usableBytes", directory.usableBytes());
                rows.add(known(row, "totalBytes", directory.totalBytes()));
            }
        }
        return rows;
    }

    private static List<Fields> journals(BookieDescription bookie) {
        List<Fields> rows = directories(bookie, "journal-");
        for (int i = 0; i < Math.min(rows.size(), bookie.journals().size()); i++) {
            BookieDescription.Journal journal = bookie.journals().get(i);
            rows.get(i).with("files", (long) journal.files()).with("freeFiles", (long) journal.freeFiles());
            known(rows.get(i), "replayBytes", journal.replayBytes());
        }
        return rows;
    }

    /** A number that could not be found out is left out. */
    private static Fields known(Fields fields, String name, long value) {
        return value == BookieDescription.UNKNOWN ? fields : fields.with(name, value);
    }
}
