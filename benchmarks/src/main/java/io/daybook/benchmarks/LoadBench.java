// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.cluster.BenchCluster;
import io.daybook.benchmarks.load.LoadOutcome;
import io.daybook.benchmarks.load.LoadRun;
import io.daybook.benchmarks.load.Moment;
import io.daybook.benchmarks.load.Pace;
import io.daybook.benchmarks.machine.Conditions;
import io.daybook.benchmarks.machine.RawDiskProbe;
import io.daybook.benchmarks.report.BenchResult;
import io.daybook.benchmarks.report.Latency;
import io.daybook.runtime.system.SystemHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * One measurement: warm-up at the tested pace, a slice of the raw disk, the part that counts, and the raw disk again.
 *
 * <p><i>Threading:</i> the caller waits for all of it.
 */
public final class LoadBench {
    private static final double FOREIGN_CORES_MAX = 0.4;
    private static final double HELD_MIN = 0.98;
    private static final int PAUSES_TOLD = 5;

    private final BenchCluster cluster;
    private final Plan plan;
    private final Consumer<String> progress;

    /**
     * How long, and at what pace.
     *
     * @param warmup at the same pace, before anything counts; zero for none
     * @param duration of the part that counts
     * @param rawSlice of the raw disk, before and after; zero for none
     */
    public record Plan(Pace pace, Duration warmup, Duration duration, Duration rawSlice) {}

    /** {@code progress} is told in a line what begins. */
    public LoadBench(BenchCluster cluster, Plan plan, Consumer<String> progress) {
        this.cluster = cluster;
        this.plan = plan;
        this.progress = progress;
    }

    /** Measures; a result with failures is returned as any other. */
    public BenchResult run(Workload workload) throws InterruptedException {
        Conditions conditions = Conditions.read();
        LoadRun load = new LoadRun(workload.lanes(), plan.pace(), workload.payloadBytes());
        if (!plan.warmup().isZero()) {
            progress.accept("warming up for " + plan.warmup().toSeconds() + " s");
            LoadOutcome warm = load.run(plan.warmup(), LoadRun.Edges.NONE);
            if (!warm.isClean()) {
                return result(workload, conditions, warm, new Machine(cluster), Optional.empty());
            }
        }
        Optional<Histogram> before = rawDisk();
        progress.accept("measuring for " + plan.duration().toSeconds() + " s");
        Machine machine = new Machine(cluster);
        LoadOutcome outcome = load.run(plan.duration(), machine.and(workload.edges()));
        Optional<Histogram> after = outcome.isClean() ? rawDisk() : Optional.empty();
        Optional<RawSlices> raw = before.flatMap(first -> after.map(second -> new RawSlices(first, second)));
        return result(workload, conditions, outcome, machine, raw);
    }

    private Optional<Histogram> rawDisk() throws InterruptedException {
        Optional<Path> directory = cluster.journalDevice();
        if (directory.isEmpty() || plan.rawSlice().isZero()) {
            return Optional.empty();
        }
        progress.accept("measuring the raw disk for " + plan.rawSlice().toSeconds() + " s");
        try (SystemHost host = SystemHost.start()) {
            return Optional.of(new RawDiskProbe(host.disk(directory.get().toString())).measure(plan.rawSlice()));
        }
    }

    private BenchResult result(
            Workload workload, Conditions conditions, LoadOutcome outcome, Machine machine, Optional<RawSlices> raw)
            throws InterruptedException {
        Latency latency = Latency.of(outcome.latencies());
        BenchResult.Processors processors = machine.processors(outcome.acknowledged());
        return new BenchResult(
                workload.what(),
                setup(workload),
                conditions,
                rates(workload, outcome),
                latency,
                workload.delivery(),
                plan.pace() instanceof Pace.Rate ? Optional.of(Latency.of(outcome.lateness())) : Optional.empty(),
                slow(outcome),
                processors,
                raw.map(RawSlices::report),
                raw.map(slices -> round(latency.p99() / slices.p99Micros())),
                machine.diskWrites(outcome.acknowledged() * workload.payloadBytes() * workload.copies()),
                remarks(outcome, processors));
    }

    private BenchResult.Setup setup(Workload workload) {
        return new BenchResult.Setup(
                cluster.description(),
                plan.pace().text(),
                workload.payloadBytes(),
                workload.lanes().size(),
                workload.quorums(),
                "acknowledged after the ack quorum has synced its journals",
                plan.warmup().toMillis() / 1e3,
                plan.duration().toMillis() / 1e3);
    }

    private static BenchResult.Rates rates(Workload workload, LoadOutcome outcome) {
        return new BenchResult.Rates(
                outcome.acknowledged(),
                round(outcome.perSecond()),
                round(outcome.perSecond() * workload.payloadBytes() / 1e6),
                outcome.failed(),
                outcome.unanswered(),
                outcome.firstFailure());
    }

    private static BenchResult.Slow slow(LoadOutcome outcome) {
        List<BenchResult.Pause> longest = outcome.slowMoments().stream()
                .limit(PAUSES_TOLD)
                .sorted(Comparator.comparingLong(Moment::atNanos))
                .map(moment -> new BenchResult.Pause(moment.atNanos() / 1e9, round(moment.longestNanos() / 1e6)))
                .toList();
        return new BenchResult.Slow(outcome.slowMoments().size(), longest);
    }

    private List<String> remarks(LoadOutcome outcome, BenchResult.Processors processors) {
        List<String> remarks = new ArrayList<>();
        if (!outcome.isClean()) {
            remarks.add("appends failed: the figures are of the part before");
        }
        if (plan.pace() instanceof Pace.Rate rate && outcome.perSecond() < HELD_MIN * rate.perSecond()) {
            remarks.add("the rate was not held");
        }
        if (processors.foreignCores() > FOREIGN_CORES_MAX) {
            remarks.add("disturbed: other work kept " + processors.foreignCores()
                    + " processors busy (with the kernel's own threads)");
        }
        return remarks;
    }

    static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }

    /** The raw disk before and after, in nanoseconds. */
    private record RawSlices(Histogram before, Histogram after) {
        double p99Micros() {
            Histogram both = before.copy();
            both.add(after);
            return both.getValueAtPercentile(99) / 1e3;
        }

        BenchResult.RawDisk report() {
            return new BenchResult.RawDisk(Latency.of(before), Latency.of(after));
        }
    }
}
