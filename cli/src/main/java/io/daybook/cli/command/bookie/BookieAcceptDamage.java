// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.OfflineBookie;
import io.daybook.cli.command.bookie.directories.OfflineDirectories;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook bookie accept-damage}. */
@Command(
        name = "accept-damage",
        description = {
            "Lets a bookie start once although its journal lost records that were durable (exit code 14 of 'bookie start').",
            "Everything whole is kept. All ledgers of the bookie are put into limbo: what it has is served, what it lacks is never"
                    + " called absent, and those that are not closed are fenced. Other bookies hold further copies; use this when"
                    + " the damaged file cannot be restored and the bookie's other entries are still wanted."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done: start the bookie now",
            "2:wrong command line",
            "10:the directories are not those of one bookie",
            "11:a process uses the directories",
            "15:a directory cannot be read or written"
        })
final class BookieAcceptDamage implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final OfflineDirectories directories = new OfflineDirectories();

    BookieAcceptDamage(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        return directories.run(this::accept);
    }

    private int accept(OfflineBookie bookie) throws IOException {
        bookie.acceptDamage();
        Output output = invocation.output();
        output.result(
                "bookie " + bookie.id() + " will start without what its journal lost",
                new Fields().with("bookieId", bookie.id().toString()));
        output.flush();
        return ExitCodes.DONE;
    }
}
