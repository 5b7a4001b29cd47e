// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataStores;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook ledger delete}. */
@Command(
        name = "delete",
        description = {
            "Deletes a ledger; deleting one that does not exist is success. There is no way back.",
            "A ledger that is a segment of a stream takes the stream's records with it: use 'daybook stream delete'."
        })
final class LedgerDelete implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LedgerId ledger = new LedgerId();

    LedgerDelete(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        try (MetadataStores stores = invocation.openStores()) {
            stores.ledgers().delete(ledger.value()).join();
        }
        Output output = invocation.output();
        output.result(
                Long.toString(ledger.value()),
                new Fields().with("ledgerId", ledger.value()).with("deleted", true));
        output.flush();
        return ExitCodes.DONE;
    }
}
