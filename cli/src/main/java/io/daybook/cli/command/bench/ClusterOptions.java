// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.cluster.BenchCluster;
import io.daybook.benchmarks.cluster.EmbeddedCluster;
import io.daybook.benchmarks.cluster.ProcessCluster;
import io.daybook.benchmarks.cluster.RemoteCluster;
import io.daybook.bookie.BookieConfig;
import io.daybook.cli.invocation.Invocation;
import io.daybook.metadata.model.Quorums;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which cluster is measured: one of its own, or a running one when {@code --namespace} stands on the command line. */
final class ClusterOptions {
    private static final int BOOKIES_MAX = 32;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--embedded",
            paramLabel = "N",
            description = "Measure a cluster of its own with N bookies. Default without --namespace: 3.")
    private Optional<Integer> embedded = Optional.empty();

    @Option(
            names = "--processes",
            description = "Give each bookie of that cluster a process of its own; else all are in this one.")
    private boolean processes;

    @Option(
            names = "--server-pid",
            paramLabel = "PID",
            description = "With --namespace: a process on this machine whose processor time counts too. Repeatable.")
    private List<Long> servers = List.of();

    @Option(
            names = "--raw-disk",
            paramLabel = "DIR",
            description =
                    "With --namespace: measure the raw disk in this directory too; name one on the journals' device.")
    private Optional<Path> rawDisk = Optional.empty();

    /** Refuses what contradicts itself. */
    void check(Invocation invocation, Quorums quorums) {
        if (isGiven()) {
            invocation.require(embedded.isEmpty() && !processes, "--namespace excludes --embedded and --processes");
            invocation.require(
                    rawDisk.isEmpty() || Files.isDirectory(rawDisk.get()), "--raw-disk does not name a directory");
            return;
        }
        invocation.require(servers.isEmpty() && rawDisk.isEmpty(), "--server-pid and --raw-disk need --namespace");
        invocation.require(bookies() >= 1 && bookies() <= BOOKIES_MAX, "--embedded must be 1 to " + BOOKIES_MAX);
        invocation.require(
                quorums.ensembleSize() <= bookies(),
                "an ensemble of " + quorums.ensembleSize()
                        + " needs as many bookies: raise --embedded or change --quorums");
    }

    private int bookies() {
        return embedded.orElse(3);
    }

    /** Whether the command line names a cluster: the default namespace and that of the environment do not count. */
    private boolean isGiven() {
        return command.commandLine().getParseResult().hasMatchedOption("--namespace")
                || command.root().commandLine().getParseResult().hasMatchedOption("--namespace");
    }

    /** Starts it, or takes the running one. */
    BenchCluster open(Invocation invocation) {
        if (isGiven()) {
            return new RemoteCluster(invocation.namespaceUri(), servers, rawDisk);
        }
        return processes
                ? ProcessCluster.start(bookies(), BookieConfig.defaults().slabBytes())
                : EmbeddedCluster.start(bookies());
    }
}
