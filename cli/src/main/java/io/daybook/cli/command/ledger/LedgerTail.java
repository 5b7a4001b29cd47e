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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook ledger tail}. */
@Command(
        name = "tail",
        description = {
            "Writes the last entries of a ledger to standard output, and further ones as they are written, until Ctrl-C or the ledger's end.",
            "Its writer is not disturbed."
        })
final class LedgerTail implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LedgerId ledger = new LedgerId();

    @Mixin
    private final FormatOption format = new FormatOption();

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "10",
            description = "Begin with this many entries that are there already. Default: 10.")
    private long last;

    LedgerTail(Invocation invocation) {
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
            printer.follow(Math.max(0, reader.lastAddConfirmed() + 1 - Math.max(0, last)), Long.MAX_VALUE);
        } finally {
            sink.flush();
        }
        return ExitCodes.DONE;
    }
}
