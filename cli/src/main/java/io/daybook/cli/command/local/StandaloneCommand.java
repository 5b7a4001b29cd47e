// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.local;

import io.daybook.cli.command.stream.keep.Maintenance;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Logging;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import io.daybook.testkit.cluster.LocalCluster;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook standalone}. */
@WithoutCluster
@Command(
        name = "standalone",
        description = {
            "Runs a whole cluster in this process, with lasting data.",
            "ZooKeeper and bookies listen on the loopback address until Ctrl-C or SIGTERM. Prints its namespace URI when it is ready. What was acknowledged is in the data directory and survives"
                    + " restarts, also after kill -9 or a power cut; one disk remains one disk."
        })
public final class StandaloneCommand implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "Where everything is kept; made when it does not exist.")
    private Path data = Path.of("");

    @Option(
            names = "--bookies",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many bookies; a data directory that holds more starts them all. Default: 3.")
    private int bookies;

    @Option(
            names = "--zk-port",
            paramLabel = "PORT",
            defaultValue = "2181",
            description = "Where ZooKeeper listens; 0 for any free port. Default: 2181.")
    private int zooKeeperPort;

    @Option(
            names = "--bookie-port",
            paramLabel = "PORT",
            defaultValue = "3181",
            description =
                    "Where the first bookie listens, the others on the ports after it; 0 for free ports. Default: 3181.")
    private int bookiePort;

    StandaloneCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Logging.showStateChanges();
        LocalCluster cluster = LocalCluster.builder()
                .directory(data)
                .bookies(bookies)
                .zooKeeperPort(zooKeeperPort)
                .bookiePort(bookiePort)
                .start();
        Maintenance maintenance = Maintenance.start(cluster.uri(), SettingsLoader.defaults(MaintenanceConfig.class));
        try (Shutdown shutdown = Shutdown.does(() -> stop(cluster, maintenance))) {
            String uri = cluster.uri().toString();
            invocation.terminal().message("daybook: " + cluster.bookies().size() + " bookies are ready; Ctrl-C stops");
            Output output = invocation.output();
            output.result(uri, new Fields().with("namespace", uri));
            output.flush();
            // Until the process is told to end.
            new CountDownLatch(1).await();
        }
        return ExitCodes.DONE;
    }

    private static void stop(LocalCluster cluster, Maintenance maintenance) {
        maintenance.close();
        cluster.close();
    }
}
