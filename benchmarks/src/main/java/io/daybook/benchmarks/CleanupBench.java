// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.cluster.LedgerConnection;
import io.daybook.benchmarks.cluster.ProcessCluster;
import io.daybook.benchmarks.load.LoadOutcome;
import io.daybook.benchmarks.load.LoadRun;
import io.daybook.benchmarks.load.Pace;
import io.daybook.metadata.model.Quorums;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Appends at a steady rate, in turns undisturbed and while ledgers are deleted in great numbers and logs of which a tenth is alive are compacted (S-55):
 * how much slower the slowest hundredth gets.
 *
 * <p><i>Threading:</i> the caller waits for all of it; deletions are made by a thread of their own.
 */
public final class CleanupBench {
    private static final int SLAB_BYTES = 16 * 1024 * 1024;

    /** A round of cleanup begins soon after the deletions, and gives up at once what is gone. */
    private static final List<String> SETTINGS =
            List.of("bookie.cleanup.interval=1s", "bookie.cleanup.grace=0s", "bookie.cleanup.trash-retention=0s");

    private final Plan plan;
    private final Consumer<String> progress;

    /**
     * What to do.
     *
     * @param perSecond appends
     * @param warmup at the same rate, before anything counts
     * @param slice how long each part that counts takes
     * @param rounds of one quiet and one disturbed slice
     * @param garbageBytes of payload that are written before each round, nine tenths of which are deleted in it
     * @param deletions of empty ledgers in each round
     */
    public record Plan(
            Quorums quorums,
            int payloadBytes,
            int perSecond,
            Duration warmup,
            Duration slice,
            int rounds,
            long garbageBytes,
            int deletions) {}

    /**
     * One round.
     *
     * @param quietP99Micros of appends while nothing else went on
     * @param busyP99Micros of appends while cleanup worked
     * @param bytesBack by how much the entry logs were smaller after the round than before it
     */
    public record Round(double quietP99Micros, double busyP99Micros, long bytesBack, boolean isClean) {
        /** How many times slower. */
        public double ratio() {
            return LoadBench.round(busyP99Micros / quietP99Micros);
        }
    }

    /** {@code progress} is told in a line what begins. */
    public CleanupBench(Plan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** Starts so many bookies that clean up as soon as there is anything to give back. */
    public static ProcessCluster cluster(int bookies) {
        return ProcessCluster.start(bookies, SLAB_BYTES, SETTINGS);
    }

    /** Measures on a {@link #cluster} of its own; the rounds in order. */
    public List<Round> run(ProcessCluster cluster) throws InterruptedException, IOException {
        List<Round> rounds = new ArrayList<>();
        try (LedgerConnection connection = LedgerConnection.open(cluster.uri());
                LedgerAppends appends = LedgerAppends.open(cluster.uri(), 1, plan.quorums(), plan.payloadBytes())) {
            Path files = cluster.journalDevice().orElseThrow();
            LoadRun load = new LoadRun(appends.lanes(), new Pace.Rate(plan.perSecond()), plan.payloadBytes());
            progress.accept("warming up for " + plan.warmup().toSeconds() + " s");
            load.run(plan.warmup(), LoadRun.Edges.NONE);
            for (int round = 1; round <= plan.rounds(); round++) {
                progress.accept("round " + round + " of " + plan.rounds() + ": writing what is deleted");
                Garbage garbage = Garbage.write(connection.client(), plan);
                long before = bytesOfLogs(files);
                progress.accept(
                        "round " + round + ": undisturbed for " + plan.slice().toSeconds() + " s");
                LoadOutcome quiet = load.run(plan.slice(), LoadRun.Edges.NONE);
                progress.accept(
                        "round " + round + ": with cleanup for " + plan.slice().toSeconds() + " s");
                Thread deleting = garbage.beginToDelete();
                LoadOutcome busy = load.run(plan.slice(), LoadRun.Edges.NONE);
                deleting.join();
                rounds.add(new Round(
                        p99Micros(quiet),
                        p99Micros(busy),
                        before - bytesOfLogs(files),
                        quiet.isClean() && busy.isClean()));
                garbage.deleteRest();
            }
        }
        return rounds;
    }

    private static double p99Micros(LoadOutcome outcome) {
        return LoadBench.round(outcome.latencies().getValueAtPercentile(99) / 1e3);
    }

    private static long bytesOfLogs(Path directory) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(CleanupBench::isLog).toList()) {
                bytes += size(file);
            }
        }
        return bytes;
    }

    static boolean isLog(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("entries-") && name.endsWith(".log");
    }

    /** Cleanup may have removed it meanwhile. */
    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException removed) {
            return 0;
        }
    }
}
