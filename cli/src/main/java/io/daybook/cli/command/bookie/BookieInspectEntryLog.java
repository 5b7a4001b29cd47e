// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.OfflineBookie;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogVisitor;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.cli.command.bookie.directories.OfflineDirectories;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Rows;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code daybook bookie inspect-entry-log}. */
@Command(
        name = "inspect-entry-log",
        description = {
            "Lists the entry logs of a bookie, every record of which is read and checked, or what stands in one of them.",
            "The bookie must not run."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, everything is sound",
            "1:something is damaged or missing",
            "2:wrong command line",
            "10:the directories are not those of one bookie",
            "11:a process uses the directories",
            "15:a directory cannot be read"
        })
final class BookieInspectEntryLog implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final OfflineDirectories directories = new OfflineDirectories();

    @Mixin
    private final RecordFilter filter = new RecordFilter();

    @Parameters(
            arity = "0..1",
            paramLabel = "LOG",
            description = "The number of a log in hexadecimal digits, as in its file name: its records are listed.")
    private Optional<String> log = Optional.empty();

    BookieInspectEntryLog(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        invocation.require(
                log.isPresent() || !filter.isSet(), "--ledger and --count choose records of one log: name it");
        return directories.run(log.isPresent() ? this::one : this::all);
    }

    private int all(OfflineBookie bookie) throws Exception {
        Rows rows =
                invocation.output().rows("log", "directory", "madeBy", "bytes", "entries", "facts", "state", "index");
        boolean sound = true;
        for (int logId : bookie.logIds()) {
            OfflineBookie.Log found = bookie.log(logId);
            sound &= found.isWhole() && found.isIndexed();
            rows.add(row(found));
        }
        rows.end();
        return sound ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static Fields row(OfflineBookie.Log log) {
        return new Fields()
                .with("log", String.format("%08x", log.logId()))
                .with("directory", log.directory())
                .with("madeBy", EntryLogFormat.isCompacted(log.logId()) ? "compaction" : "flush")
                .with("bytes", log.bytes())
                .with("entries", log.entries())
                .with("facts", log.facts())
                .with("state", log.bytes() < 0 ? "missing" : log.isWhole() ? "sound" : "damaged")
                .with("index", log.isIndexed() ? "sound" : "damaged");
    }

    private int one(OfflineBookie bookie) throws Exception {
        int logId = OfflineDirectories.logId(log.orElseThrow());
        if (!bookie.hasLog(logId)) {
            throw new CommandFailure("there is no " + EntryLogFormat.name(logId)
                    + ": 'bookie inspect-entry-log' without a number lists the logs");
        }
        filter.begin(
                invocation,
                "record",
                "ledgerId",
                "entryId",
                "position",
                "bytes",
                "lastEntryId",
                "lastAddConfirmed",
                "fenced",
                "limbo",
                "buriedAt");
        boolean whole = bookie.scan(logId, new Records(filter)).isWhole();
        filter.end();
        if (!whole) {
            invocation
                    .terminal()
                    .message("daybook: some records of " + EntryLogFormat.name(logId) + " are damaged and not shown");
        }
        return whole ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    /** Shows each record. */
    private record Records(RecordFilter filter) implements EntryLogVisitor {
        @Override
        public void entry(long ledgerId, long entryId, long position, long end) {
            filter.show(
                    ledgerId,
                    new Fields()
                            .with("record", "entry")
                            .with("ledgerId", ledgerId)
                            .with("entryId", entryId)
                            .with("position", position)
                            .with("bytes", end - position));
        }

        @Override
        public void facts(LedgerFacts of) {
            filter.show(
                    of.ledgerId(),
                    new Fields()
                            .with("record", "facts")
                            .with("ledgerId", of.ledgerId())
                            .with("lastEntryId", of.lastEntryId())
                            .with("lastAddConfirmed", of.lastAddConfirmed())
                            .with("fenced", of.fenced())
                            .with("limbo", of.limbo() % 2 == 1)
                            .with("buriedAt", (long) of.buriedAt()));
        }
    }
}
