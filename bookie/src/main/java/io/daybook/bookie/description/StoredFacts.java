// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.description;

import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.index.LogTable;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.protocol.wire.description.BookieDescription;
import java.util.List;

/** What a table of ledgers says of what is stored, as it is told to people. */
public final class StoredFacts {
    private StoredFacts() {}

    /** The entry logs. */
    public static BookieDescription.Logs logs(LedgerTable table) {
        LogTable.Total total = table.logs().total();
        return new BookieDescription.Logs(total.count(), total.bytes(), total.liveBytes(), total.liveEntries());
    }

    /** The ledgers; looks at each. */
    public static BookieDescription.Ledgers ledgers(LedgerTable table) {
        LedgerTable.Counts counts = table.counts();
        return new BookieDescription.Ledgers(counts.held(), counts.inLimbo(), counts.buried());
    }

    /** What is missing, one line for each log. */
    public static List<String> doubts(LedgerTable table) {
        return table.doubtedLogs().stream().map(StoredFacts::doubt).toList();
    }

    private static String doubt(int logId) {
        return switch (logId) {
            case Catalog.UNREADABLE -> "no copy of the catalog can be read: which logs are lost cannot be told";
            case EntryLogFormat.NO_LOG -> "logs were lost earlier: nothing of their time is called absent";
            default ->
                "log " + String.format("%08x", logId) + " is lost, or part of it: nothing of its time is called absent";
        };
    }
}
