// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.OfflineBookie;
import io.daybook.bookie.OfflineBookie.Rebuilt;
import io.daybook.cli.command.bookie.directories.OfflineDirectories;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bookie rebuild-index}. */
@Command(
        name = "rebuild-index",
        description = {
            "Makes missing and damaged index files of a bookie again from its entry logs. A start does the same; this"
                    + " command tells beforehand what will be lacking. The bookie must not run."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, the index is complete",
            "1:some entries cannot be indexed, because their log is damaged or missing",
            "2:wrong command line",
            "10:the directories are not those of one bookie",
            "11:a process uses the directories",
            "15:a directory cannot be read or written"
        })
final class BookieRebuildIndex implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final OfflineDirectories directories = new OfflineDirectories();

    @Option(names = "--all", description = "Make sound index files again as well.")
    private boolean all;

    BookieRebuildIndex(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        return directories.run(this::rebuild);
    }

    private int rebuild(OfflineBookie bookie) throws Exception {
        SortedSet<Integer> logIds = bookie.logIds();
        List<Fields> rows = new ArrayList<>();
        boolean complete = true;
        try (Progress progress = Progress.ofCount(invocation.terminal(), "rebuild-index", logIds.size())) {
            for (int logId : logIds) {
                OfflineBookie.Index index = bookie.rebuildIndex(logId, all);
                complete &= index.state() == Rebuilt.SOUND || index.state() == Rebuilt.REBUILT;
                rows.add(new Fields()
                        .with("log", String.format("%08x", logId))
                        .with("entries", index.entries())
                        .with("index", index.state().name().toLowerCase(Locale.ROOT)));
                progress.step();
            }
        }
        Output output = invocation.output();
        output.table(rows);
        output.flush();
        return complete ? ExitCodes.DONE : ExitCodes.FAILED;
    }
}
