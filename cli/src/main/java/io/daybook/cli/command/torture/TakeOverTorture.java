// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Logging;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.invocation.Started;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.runtime.Failures;
import io.daybook.stream.Namespace;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook torture take-over}. */
@WithoutCluster
@Command(
        name = "take-over",
        description = {
            "Takes streams over again and again while they are written: owners are processes that are killed, stopped past their session, or overtaken.",
            "Runs a cluster of its own in this process, with one reader for each stream that follows it all the time. The exit code is 1 unless every"
                    + " record that was acknowledged is where it was told to be, nothing of an old owner follows a take-over, and the reader saw the same history."
        })
final class TakeOverTorture implements Callable<Integer> {
    private static final int VIOLATIONS_SHOWN_MAX = 20;
    private static final Duration SESSION_MAX = Duration.ofSeconds(3);

    @Mixin
    private final Invocation invocation;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "20", description = "Take-overs in all. Default: 20.")
    private int rounds;

    @Option(
            names = "--streams",
            paramLabel = "N",
            defaultValue = "2",
            description = "Streams that are written at the same time. Default: 2.")
    private int streams;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "What draws the faults. Default: 1.")
    private long seed;

    TakeOverTorture(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        invocation.require(rounds >= 1, "--rounds must be 1 or more");
        invocation.require(streams >= 1 && streams <= 1_000, "--streams must be 1 to 1000");
        Logging.hide();
        int lanes = Math.min(streams, rounds);
        try (Started<LocalCluster> cluster = Started.of(TakeOverTorture::started, TakeOverTorture::stop);
                Namespace namespace = Namespace.open(cluster.get().uri().toString());
                Progress progress = Progress.ofCount(invocation.terminal(), "take-overs", rounds)) {
            List<TakeOverLane> all = new ArrayList<>();
            List<CompletableFuture<List<String>>> running = new ArrayList<>();
            for (int i = 0; i < lanes; i++) {
                int share = rounds / lanes + (i < rounds % lanes ? 1 : 0);
                TakeOverLane.Task task = new TakeOverLane.Task("torture-" + i, share, seed * lanes + i);
                TakeOverLane lane =
                        new TakeOverLane(namespace, cluster.get().uri().toString(), task, progress::step);
                all.add(lane);
                running.add(CompletableFuture.supplyAsync(lane, work -> new Thread(work, task.stream()).start()));
            }
            List<String> violations = new ArrayList<>();
            running.forEach(outcome -> violations.addAll(violationsOf(outcome)));
            Shutdown.requireNotUnderWay();
            return report(all, violations);
        }
    }

    /** Those of one lane; that it could not go on is one. */
    private static List<String> violationsOf(CompletableFuture<List<String>> lane) {
        return lane.exceptionally(failure -> List.of(String.valueOf(Failures.rootOf(failure))))
                .join();
    }

    /** A cluster that finds out soon that an owner has died. */
    private static LocalCluster started() {
        LocalCluster cluster = LocalCluster.builder().bookies(3).start();
        cluster.zooKeeper().boundNewSessions(SESSION_MAX);
        return cluster;
    }

    private static void stop(LocalCluster cluster) {
        OwnerProcess.killAll();
        cluster.close();
    }

    private int report(List<TakeOverLane> lanes, List<String> violations) throws IOException {
        Map<TakeOverLane.Way, Integer> ways = new TreeMap<>();
        lanes.forEach(lane -> lane.ways().forEach((way, count) -> ways.merge(way, count, Integer::sum)));
        Fields faults = new Fields();
        ways.forEach(
                (way, count) -> faults.with(way.name().toLowerCase(Locale.ROOT).replace('_', '-'), count));
        Output output = invocation.output();
        output.thing(new Fields()
                .with("takeOvers", rounds)
                .with("faults", faults)
                .with("records", lanes.stream().mapToInt(TakeOverLane::records).sum())
                .with(
                        "acknowledged",
                        lanes.stream().mapToInt(TakeOverLane::acknowledged).sum())
                .with("violations", violations.size())
                .withTexts(
                        "shown", violations.stream().limit(VIOLATIONS_SHOWN_MAX).toList()));
        output.flush();
        return violations.isEmpty() ? ExitCodes.DONE : ExitCodes.FAILED;
    }
}
