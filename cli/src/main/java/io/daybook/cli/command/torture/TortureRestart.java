// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.invocation.converter.ByteSizeConverter;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.runtime.settings.ByteSize;
import io.daybook.simulation.torture.RestartTimes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook torture restart}. */
@WithoutCluster
@Command(
        name = "restart",
        description = {
            "Fills the journal of a bookie, kills it with SIGKILL, and tells how long its next start takes, which replays the"
                    + " journal: from the opening of the directories until it serves."
        })
final class TortureRestart implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Option(
            names = "--journal",
            paramLabel = "SIZE",
            defaultValue = "60MiB",
            converter = ByteSizeConverter.class,
            description = "Payload that the journal holds. Default: 60MiB.")
    private ByteSize journal = new ByteSize(0);

    @Option(names = "--starts", paramLabel = "N", defaultValue = "5", description = "How many starts. Default: 5.")
    private int starts;

    TortureRestart(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        invocation.require(starts >= 1, "--starts must be 1 or more");
        invocation.require(
                journal.bytes() >= 1 && journal.bytes() <= RestartTimes.JOURNAL_BYTES_MAX,
                "--journal must be 1 byte to " + (RestartTimes.JOURNAL_BYTES_MAX >> 20) + "MiB");
        List<Long> millis;
        try (TortureDirectory.Place place = TortureDirectory.temporary(invocation.terminal());
                Progress progress = Progress.ofCount(invocation.terminal(), "restart", starts)) {
            millis = new RestartTimes(place.path(), journal.bytes(), starts, start -> progress.step()).run();
            place.wentWell();
        }
        Output output = invocation.output();
        output.table(millis.stream()
                .map(took -> new Fields().with("startMillis", took.longValue()))
                .toList());
        output.flush();
        return ExitCodes.DONE;
    }
}
