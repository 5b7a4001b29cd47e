// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.LedgerSession;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook ledger fence}. */
@Command(
        name = "fence",
        description = {
            "Stops the writer of a ledger, wherever it runs: no entry that it appends once this is done is acknowledged.",
            "The end of the ledger is not decided by this: 'daybook ledger recover' does that. Of a closed ledger nothing changes."
        })
final class LedgerFence implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LedgerId ledger = new LedgerId();

    LedgerFence(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        try (LedgerSession session = LedgerSession.open(invocation)) {
            session.client().fence(ledger.value()).join();
        }
        Output output = invocation.output();
        output.result(
                Long.toString(ledger.value()),
                new Fields().with("ledgerId", ledger.value()).with("fenced", true));
        output.flush();
        return ExitCodes.DONE;
    }
}
