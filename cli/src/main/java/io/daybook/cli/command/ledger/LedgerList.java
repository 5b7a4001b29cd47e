// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.Page;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook ledger list}. */
@Command(name = "list", description = "Lists the ids of all ledgers, one a line, rising.")
final class LedgerList implements Callable<Integer> {
    private static final int PAGE = 1000;

    @Mixin
    private final Invocation invocation;

    LedgerList(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Output output = invocation.output();
        try (MetadataStores stores = invocation.openStores()) {
            long after = -1;
            Page<Long> page;
            do {
                page = stores.ledgers().list(after, PAGE).join();
                for (long id : page.items()) {
                    output.result(Long.toString(id), new Fields().with("ledgerId", id));
                    after = id;
                }
                output.flush();
            } while (!page.isLast());
        }
        return ExitCodes.DONE;
    }
}
