// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.LedgerSession;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.ledger.api.LedgerReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook ledger verify}. */
@Command(
        name = "verify",
        description = {
            "Reads every copy of every entry of a ledger, from each bookie that keeps it, and checks it. Names what is missing, damaged or cannot be read.",
            "Ends with 0 only if all copies are as they should be. Of an open ledger it looks at what is confirmed."
        })
final class LedgerVerify implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LedgerId ledger = new LedgerId();

    LedgerVerify(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        LedgerReport report;
        try (LedgerSession session = LedgerSession.open(invocation)) {
            report = session.client()
                    .verify(ledger.value(), invocation.openOptions())
                    .join();
        }
        Output output = invocation.output();
        output.thing(fields(report));
        output.flush();
        if (!report.isSound()) {
            throw new CommandFailure(report.flawedCopies() + " copies of ledger " + ledger.value()
                    + " are missing, damaged or cannot be read; " + report.soundCopies() + " are sound");
        }
        return ExitCodes.DONE;
    }

    private static Fields fields(LedgerReport report) {
        return new Fields()
                .with("ledgerId", report.ledgerId())
                .with("lastEntryId", report.lastEntryId())
                .with("soundCopies", report.soundCopies())
                .with("flawedCopies", report.flawedCopies())
                .withList(
                        "flaws",
                        report.flaws().stream().map(LedgerVerify::fields).toList());
    }

    private static Fields fields(LedgerReport.Flaw flaw) {
        return new Fields()
                .with("bookie", flaw.bookie().toString())
                .with("kind", flaw.kind().name())
                .with("firstEntryId", flaw.firstEntryId())
                .with("lastEntryId", flaw.lastEntryId());
    }
}
