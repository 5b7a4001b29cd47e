// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.converter.DurationConverter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bookie collect-garbage}. */
@Command(
        name = "collect-garbage",
        description = {
            "Gives up the entries of ledgers that are gone from metadata, and surplus copies, and compacts the logs that"
                    + " held them. Each ledger is asked for twice; in between the command waits for the grace time.",
            "A running bookie does this by itself every bookie.cleanup.interval; this command is for one that does not"
                    + " run, such as one whose disk is full."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:something was left, which the output names: a log is damaged, or a step failed",
            "2:wrong command line",
            "10:the directories are not those of this bookie",
            "11:a process uses the directories",
            "13:the metadata store did not answer or refused",
            "14:the journal is damaged",
            "15:a directory cannot be read or written",
            "16:the slabs do not fit into memory",
            "17:a setting does not fit the device"
        })
final class BookieCollectGarbage implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final CleanupRun run = new CleanupRun();

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "The time between the two questions; by default bookie.cleanup.grace.")
    private Optional<Duration> grace = Optional.empty();

    BookieCollectGarbage(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        return run.run(
                invocation,
                config -> config.withTimes(config.interval(), grace.orElse(config.grace()), config.trashRetention()),
                bookie -> {
                    CleanupReport first = bookie.cleanUp(false).join();
                    if (first.ledgersWaiting() == 0) {
                        return first;
                    }
                    Duration wait = grace.orElse(bookie.config().cleanup().grace());
                    invocation
                            .terminal()
                            .message("daybook: " + first.ledgersWaiting()
                                    + " ledgers seem to be gone or surplus: asking again in " + wait.toSeconds()
                                    + " s");
                    Thread.sleep(wait.toMillis() + 1);
                    return bookie.cleanUp(false).join();
                });
    }
}
