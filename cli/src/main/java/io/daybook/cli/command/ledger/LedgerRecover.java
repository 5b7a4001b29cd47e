// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.LedgerSession;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.ledger.api.LedgerReader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook ledger recover}. */
@Command(
        name = "recover",
        description = {
            "Decides the end of a ledger whose writer is gone, and prints the last entry id (-1: none).",
            "Its writer, should it still live, can not append any more. Of a closed ledger nothing changes."
        })
final class LedgerRecover implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LedgerId ledger = new LedgerId();

    LedgerRecover(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        long end;
        try (LedgerSession session = LedgerSession.open(invocation);
                LedgerReader reader = session.client()
                        .recover(ledger.value(), invocation.openOptions())
                        .join()) {
            end = reader.lastAddConfirmed();
        }
        Output output = invocation.output();
        output.result(
                Long.toString(end),
                new Fields().with("ledgerId", ledger.value()).with("lastEntryId", end));
        output.flush();
        return ExitCodes.DONE;
    }
}
