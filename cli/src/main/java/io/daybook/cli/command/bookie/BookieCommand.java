// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.cli.command.bookie.show.BookieList;
import io.daybook.cli.command.bookie.show.BookieShow;
import picocli.CommandLine.Command;

/** {@code daybook bookie}. */
@Command(
        name = "bookie",
        description = "Bookies: the servers that keep entries.",
        subcommands = {
            BookieFormatCommand.class,
            BookieStart.class,
            BookieList.class,
            BookieShow.class,
            BookieReadOnly.class,
            BookieAcceptDamage.class,
            BookieCollectGarbage.class,
            BookieCompact.class,
            BookieRebuildIndex.class,
            BookieScrub.class,
            BookieInspectJournal.class,
            BookieInspectEntryLog.class
        })
public final class BookieCommand {}
