// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.bookie.ExitCode;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.simulation.faults.Cast;
import io.daybook.simulation.faults.FaultDriver;
import io.daybook.simulation.plan.FaultKind;
import io.daybook.simulation.plan.LanePlan;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.Plan.Knobs;
import io.daybook.simulation.workload.Lane;
import io.daybook.simulation.workload.Recoverer;
import io.daybook.simulation.workload.Stage;
import io.daybook.simulation.workload.TailReading;
import io.daybook.testkit.check.HistoryChecker;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.simulated.BookieKnobs;
import io.daybook.testkit.simulated.SimulatedCluster;
import io.daybook.testkit.simulated.SimulatedCluster.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of a plan: writers, recoverers and readers work while faults happen; then all faults end, the work must come to its end within a bound, and
 * everything that was written is read and judged.
 *
 * <p><i>Threading:</i> the thread that calls {@link #of} runs the whole world.
 */
public final class SimulationRun {
    private static final long SECOND = 1_000_000_000L;
    private static final long MICRO = 1_000;
    /** Far more often than any run of this size has reason to. */
    private static final long SITUATION_MAX = 2_000;

    private static final long REST_NANOS = SECOND / 20;
    private static final int COUNTS_MAX = 3;
    private static final long COUNT_WITHIN_NANOS = 5_000_000;
    private static final long LIVENESS_NANOS = 180 * SECOND;

    private final Plan plan;
    private final SimulatedWorld world;
    private final List<Violation> violations = new ArrayList<>();

    private int counts;
    private boolean isHealed;

    private SimulationRun(Plan plan) {
        this.plan = plan;
        this.world = new SimulatedWorld(plan.seed());
    }

    /** Runs a plan; {@code defects} are planted in every process. */
    public static RunOutcome of(Plan plan, List<String> defects) {
        SimulationRun run = new SimulationRun(plan);
        defects.forEach(run.world.faults()::plant);
        return run.run();
    }

    private RunOutcome run() {
        world.onFailure((loop, failure) -> violations.add(
                new Violation("exception", -1, -1, "a task of " + loop.name() + " threw " + traceOf(failure))));
        world.network().quality(FaultDriver.qualityOf(plan));
        Knobs knobs = plan.knobs();
        for (int i = 0; i < plan.bookies(); i++) {
            DiskQuality quality = new DiskQuality(4096, 1L << 30, 80_000, 5_000, knobs.syncMicros() * MICRO);
            SimulatedCluster.drivesOf(world, i).forEach(drive -> drive.quality(quality));
        }
        BookieKnobs bookieKnobs = new BookieKnobs(
                knobs.slabBytes(), knobs.slabCount(), Duration.ofMillis(knobs.flushMillis()), knobs.commitBytesMax());
        SimulatedCluster cluster = new SimulatedCluster(world, plan.bookies(), bookieKnobs);
        cluster.metadata().latency(knobs.metadataMicros() * MICRO);
        Stage stage = new Stage(cluster, knobs);
        play(stage);
        violations.addAll(stage.violations());
        violations.addAll(cluster.transitions().violations());
        violations.addAll(HistoryChecker.check(stage.history()));
        cluster.endings().stream()
                .filter(this::isWrong)
                .forEach(ending -> violations.add(new Violation("bookie-ending", -1, -1, ending.toString())));
        world.faults().reached().forEach((situation, count) -> {
            if (count > SITUATION_MAX) {
                violations.add(new Violation("hot-loop", -1, -1, situation + " was reached " + count + " times"));
            }
        });
        return new RunOutcome(
                plan,
                world.traceHash(),
                world.nanoTime(),
                world.scheduler().trace().events(),
                violations,
                world.faults().reached(),
                stage.history(),
                world.lastEvents());
    }

    private static String traceOf(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        for (StackTraceElement frame : failure.getStackTrace()) {
            text.append("\n    at ").append(frame);
        }
        return text.toString();
    }

    /** A bookie may end when its disk or the metadata store fails it, and for no other reason. */
    private boolean isWrong(Ending ending) {
        boolean diskFails = plan.faults().stream()
                .anyMatch(fault -> fault.kind() == FaultKind.FAIL_COMMIT || fault.kind() == FaultKind.FAIL_SYNC);
        boolean isDiskFailure = ending.exitCode() == ExitCode.JOURNAL_FAILED.code()
                || ending.exitCode() == ExitCode.STORAGE_FAILED.code()
                || ending.exitCode() == ExitCode.DISK.code();
        return !(diskFails && isDiskFailure) && ending.exitCode() != ExitCode.METADATA.code();
    }

    private void play(Stage stage) {
        Cast cast = castOf(stage);
        cast.recoverers().forEach(Recoverer::start);
        cast.lanes().forEach(Lane::start);
        cast.readers().forEach(TailReading::start);
        FaultDriver driver = new FaultDriver(plan, cast);
        driver.begin();
        stage.cluster().transitions().onEnsembleChange(() -> countSoon(stage));
        world.runFor(plan.faultsMicros() * MICRO);
        if (driver.hasBlackout()) {
            driver.blackout();
        }
        driver.heal();
        isHealed = true;
        if (driver.hasBlackout() && awaitBookies(stage)) {
            CopyCount.take(stage, stage.cluster(), "blackout");
        }
        driver.startClients();
        if (!world.runUntil(() -> isDone(cast), LIVENESS_NANOS)) {
            violations.add(new Violation("liveness", -1, -1, "after all is healed " + unfinished(cast)));
        }
        if (awaitBookies(stage)) {
            new FinalReading(stage).readEverything();
            CopyCount.take(stage, stage.cluster(), "end");
        }
    }

    /** Metadata has just begun to name other bookies for some entries: soon after is when copies may be missing. */
    private void countSoon(Stage stage) {
        if (counts < COUNTS_MAX && !isHealed) {
            counts++;
            long number = counts;
            world.after(
                    world.random("count " + number).nextBelow(COUNT_WITHIN_NANOS),
                    () -> CopyCount.takeAsIfPowerFailed(stage, number));
        }
    }

    private Cast castOf(Stage stage) {
        List<Recoverer> recoverers = new ArrayList<>();
        for (int i = 0; i < plan.recoverers(); i++) {
            recoverers.add(new Recoverer(stage, stage.node("recoverer-" + i)));
        }
        List<Lane> lanes = new ArrayList<>();
        List<TailReading> readers = new ArrayList<>();
        for (int i = 0; i < plan.lanes().size(); i++) {
            LanePlan lanePlan = plan.lanes().get(i);
            Recoverer recoverer = recoverers.get(i % recoverers.size());
            long restNanos =
                    lanePlan.pauseMicros() == 0 ? plan.faultsMicros() * MICRO / lanePlan.sessions() : REST_NANOS;
            Lane lane = new Lane(stage.node("writer-" + i), lanePlan, restNanos, recoverer::recover);
            lanes.add(lane);
            readers.add(new TailReading(stage, stage.node("reader-" + i), lane));
        }
        return new Cast(stage, lanes, recoverers, readers);
    }

    private boolean awaitBookies(Stage stage) {
        SimulatedCluster cluster = stage.cluster();
        boolean up = world.runUntil(
                () -> {
                    for (int i = 0; i < cluster.bookies(); i++) {
                        if (!cluster.isDestroyed(i) && !cluster.isServing(i)) {
                            return false;
                        }
                    }
                    return true;
                },
                LIVENESS_NANOS);
        if (!up) {
            violations.add(new Violation("liveness", -1, -1, "not all bookies are up: " + cluster.endings()));
        }
        return up;
    }

    private static boolean isDone(Cast cast) {
        return cast.lanes().stream().allMatch(Lane::isFinished)
                && cast.recoverers().stream().allMatch(Recoverer::isIdle)
                && cast.readers().stream().allMatch(TailReading::hasCaughtUp);
    }

    private static String unfinished(Cast cast) {
        StringBuilder text = new StringBuilder();
        cast.lanes().stream()
                .filter(lane -> !lane.isFinished())
                .forEach(lane -> text.append(lane.node().machine()).append(" is not finished, "));
        cast.recoverers().stream()
                .filter(each -> !each.isIdle())
                .forEach(each -> text.append(each.node().machine())
                        .append(" has to recover ")
                        .append(each.wanted())
                        .append(", "));
        cast.readers().stream()
                .filter(each -> !each.hasCaughtUp())
                .forEach(each -> text.append(each.describe()).append(", "));
        return text.toString();
    }
}
