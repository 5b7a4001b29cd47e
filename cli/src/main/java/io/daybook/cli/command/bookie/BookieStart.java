// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.ExitCode;
import io.daybook.cli.command.bookie.directories.BookieOptions;
import io.daybook.cli.command.stream.keep.Maintenance;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Logging;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataStores;
import io.daybook.runtime.settings.Settings;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.runtime.system.SystemHost;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook bookie start}. */
@Command(
        name = "start",
        description = {
            "Runs a bookie until Ctrl-C or SIGTERM. Prints its id and where it listens when it serves.",
            "It need not be stopped in order: what was acknowledged survives kill -9 and power cuts."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "1:failed otherwise",
            "2:wrong command line",
            "10:the directories are not those of this bookie",
            "11:another process uses the directories or the identity",
            "12:the port is taken",
            "13:the metadata store did not answer or refused",
            "14:the journal is damaged",
            "15:a directory cannot be read or written",
            "16:the slabs do not fit into memory",
            "17:a setting does not fit the device",
            "20:a write to the journal failed while running",
            "21:entries could not be stored while running",
            "22:a bug",
            "23:another process is registered as this bookie",
            "24:it was told to stop and did not end in time, because a device hangs"
        })
final class BookieStart implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final BookieOptions options = new BookieOptions();

    BookieStart(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Logging.showStateChanges();
        Settings settings = options.load();
        try (MetadataStores stores = invocation.openStoresForBookie();
                SystemHost host = SystemHost.failStop(settings.get(SystemConfig.class), ExitCode.VIOLATION.code())) {
            Bookie bookie = Bookie.start(options.bookie(settings), host, stores).join();
            Maintenance maintenance =
                    Maintenance.start(invocation.namespaceUri(), settings.get(MaintenanceConfig.class));
            try (Shutdown shutdown = Shutdown.does(() -> stop(bookie, maintenance, host, stores))) {
                Output output = invocation.output();
                output.result(
                        bookie.id() + " " + bookie.endpoint(),
                        new Fields()
                                .with("bookieId", bookie.id().toString())
                                .with("host", bookie.endpoint().host())
                                .with("port", (long) bookie.endpoint().port()));
                output.flush();
                // Until the process is told to end.
                new CountDownLatch(1).await();
            }
        }
        return ExitCodes.DONE;
    }

    private static void stop(Bookie bookie, Maintenance maintenance, SystemHost host, MetadataStores stores) {
        maintenance.close();
        bookie.close().join();
        host.close();
        stores.close();
    }
}
