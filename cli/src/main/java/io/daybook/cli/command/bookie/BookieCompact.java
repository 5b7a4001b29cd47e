// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.converter.ByteSizeConverter;
import io.daybook.runtime.settings.ByteSize;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bookie compact}. */
@Command(
        name = "compact",
        description = {
            "Compacts the entry logs of a bookie by the share for major compaction, bookie.cleanup.major-live-percent.",
            "A running bookie does this by itself every bookie.cleanup.major-interval; this command is for one that does"
                    + " not run."
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
final class BookieCompact implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final CleanupRun run = new CleanupRun();

    @Option(
            names = "--bytes-per-second",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = "Bytes read and written a second at most; by default bookie.cleanup.bytes-per-second-max.")
    private Optional<ByteSize> bytesPerSecond = Optional.empty();

    BookieCompact(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        return run.run(
                invocation,
                config -> bytesPerSecond
                        .map(size -> config.withBytesPerSecondMax(size.bytes()))
                        .orElse(config),
                bookie -> bookie.cleanUp(true).join());
    }
}
