// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli;

import io.daybook.cli.command.bench.BenchCommand;
import io.daybook.cli.command.bookie.BookieCommand;
import io.daybook.cli.command.cluster.ClusterCommand;
import io.daybook.cli.command.history.HistoryCommand;
import io.daybook.cli.command.ledger.LedgerCommand;
import io.daybook.cli.command.local.DemoCommand;
import io.daybook.cli.command.local.StandaloneCommand;
import io.daybook.cli.command.simulate.SimulateCommand;
import io.daybook.cli.command.stream.StreamCommand;
import io.daybook.cli.command.subscription.SubscriptionCommand;
import io.daybook.cli.command.torture.TortureCommand;
import io.daybook.cli.invocation.GlobalOptions;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ScopeType;

/** {@code daybook}: the groups of commands. */
@Command(
        name = "daybook",
        description = "A replicated, durable log store.%n",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        usageHelpWidth = 100,
        subcommands = {
            DemoCommand.class,
            StandaloneCommand.class,
            ClusterCommand.class,
            BookieCommand.class,
            StreamCommand.class,
            SubscriptionCommand.class,
            LedgerCommand.class,
            BenchCommand.class,
            SimulateCommand.class,
            HistoryCommand.class,
            TortureCommand.class,
            SettingsCommand.class,
            GenerateCompletion.class
        })
final class RootCommand {
    @Mixin(name = GlobalOptions.NAME)
    private final GlobalOptions options = new GlobalOptions();

    GlobalOptions options() {
        return options;
    }
}
