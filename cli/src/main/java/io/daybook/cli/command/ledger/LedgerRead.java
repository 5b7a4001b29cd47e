// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.format.RecordFormat;
import io.daybook.cli.format.RecordSink;
import io.daybook.cli.invocation.FormatOption;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.LedgerSession;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.OutputForm;
import io.daybook.ledger.api.LedgerReader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook ledger read}. */
@Command(name = "read", description = "Writes the entries of a ledger to standard output; its writer is not disturbed.")
final class LedgerRead implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LedgerId ledger = new LedgerId();

    @Mixin
    private final FormatOption format = new FormatOption();

    @Option(names = "--from", paramLabel = "ENTRY", defaultValue = "0", description = "The first entry. Default: 0.")
    private long from;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "9223372036854775807",
            showDefaultValue = Visibility.NEVER,
            description = "End after this many entries.")
    private long count = Long.MAX_VALUE;

    @Option(
            names = "--follow",
            description = "Go on with entries as they are written, until Ctrl-C or the ledger's end.")
    private boolean follow;

    LedgerRead(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        RecordFormat usual = invocation.options().output() == OutputForm.json ? RecordFormat.JSON : RecordFormat.LINES;
        RecordSink sink = format.orElse(usual).sink(invocation.terminal().out());
        try (LedgerSession session = LedgerSession.open(invocation);
                Shutdown shutdown = Shutdown.does(() -> {});
                LedgerReader reader = session.client()
                        .open(ledger.value(), invocation.openOptions())
                        .join()) {
            EntryPrinter printer = new EntryPrinter(reader, sink);
            printer.refresh(invocation.terminal());
            if (follow) {
                printer.follow(from, count);
            } else {
                printer.print(from, count);
            }
        } finally {
            sink.flush();
        }
        return ExitCodes.DONE;
    }
}
