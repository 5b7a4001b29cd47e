// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.cleanup.CleanupConfig;
import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.cli.command.bookie.directories.BookieOptions;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataStores;
import io.daybook.runtime.settings.Settings;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.runtime.system.SystemHost;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** Opens a bookie that does not run, without serving, so that it can get space back, and tells what came of it. */
final class CleanupRun {
    private static final Duration NEVER = Duration.ofDays(1);

    @Mixin
    private final BookieOptions options = new BookieOptions();

    /** What a command does with the bookie. */
    @FunctionalInterface
    interface Work {
        CleanupReport with(Bookie bookie) throws InterruptedException;
    }

    /** Works with the bookie's own settings, changed by {@code change}, but makes no round that it was not told to make. */
    int run(Invocation invocation, Function<CleanupConfig, CleanupConfig> change, Work work) throws Exception {
        Settings settings = options.load();
        BookieConfig config = options.bookie(settings);
        CleanupConfig cleanup = change.apply(config.cleanup());
        cleanup = cleanup.withTimes(NEVER, cleanup.grace(), cleanup.trashRetention());
        CleanupReport report;
        try (MetadataStores stores = invocation.openStoresForBookie();
                SystemHost host = SystemHost.start(settings.get(SystemConfig.class))) {
            Bookie bookie =
                    Bookie.open(config.withCleanup(cleanup), host, stores).join();
            try {
                report = work.with(bookie);
            } finally {
                bookie.close().join();
            }
        }
        Output output = invocation.output();
        output.thing(new Fields()
                .with("ledgersGivenUp", report.ledgersBuried())
                .with("ledgersWaiting", report.ledgersWaiting())
                .with("logsRemoved", report.logsRemoved())
                .with("bytesCopied", report.bytesCopied())
                .withTexts("logsKept", report.logsKept())
                .with("failure", report.lastFailure()));
        output.flush();
        return report.lastFailure().isEmpty() && report.logsKept().isEmpty() ? ExitCodes.DONE : ExitCodes.FAILED;
    }
}
