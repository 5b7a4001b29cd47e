// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.BookieFormat;
import io.daybook.cli.command.bookie.directories.BookieOptions;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.runtime.settings.Settings;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.runtime.system.SystemHost;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook bookie format}. */
@Command(
        name = "format",
        description = {
            "Makes empty directories those of a new bookie of the cluster, and prints its id.",
            "Directories that are formatted already are left as they are. A bookie is its disks: a wiped one can only"
                    + " become a new bookie."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, or the directories were those of this bookie before",
            "1:failed otherwise",
            "2:wrong command line",
            "10:the directories are not empty, or belong to something else",
            "11:another process uses the directories",
            "13:the metadata store did not answer or refused",
            "15:a directory cannot be read or written"
        })
final class BookieFormatCommand implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final BookieOptions options = new BookieOptions();

    BookieFormatCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = options.load();
        BookieCookie cookie;
        try (MetadataStores stores = invocation.openStoresForBookie();
                SystemHost host = SystemHost.start(settings.get(SystemConfig.class))) {
            cookie = BookieFormat.format(options.bookie(settings), host, stores).join();
        }
        Output output = invocation.output();
        String id = cookie.bookieId().toString();
        output.result(
                id,
                new Fields()
                        .with("bookieId", id)
                        .with("name", cookie.name())
                        .with("clusterId", cookie.clusterId().toString()));
        output.flush();
        return ExitCodes.DONE;
    }
}
