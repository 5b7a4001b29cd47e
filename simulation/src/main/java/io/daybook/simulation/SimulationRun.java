// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.runtime.simulated.events.PrioritySchedule;
import io.daybook.simulation.faults.Cast;
import io.daybook.simulation.faults.FaultDriver;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.Plan.Knobs;
import io.daybook.simulation.plan.Priorities;
import io.daybook.simulation.streams.FinalStreamReading;
import io.daybook.simulation.streams.StreamFounding;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Stage;
import io.daybook.simulation.workload.Workload;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.simulated.BookieDisks;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * One run of a plan: writers, recoverers and readers work while faults happen; then all faults end, the work must come to its end within a bound, and
 * everything that was written is read and judged.
 *
 * <p><i>Threading:</i> the thread that calls {@link #of} runs the whole world.
 */
public final class SimulationRun {
    private static final long SECOND = 1_000_000_000L;
    private static final long MICRO = 1_000;
    private static final int COUNTS_MAX = 3;
    private static final long COUNT_WITHIN_NANOS = 5_000_000;
    private static final long LIVENESS_NANOS = 180 * SECOND;
    /** Where more is damaged than may be, some work can never end. */
    private static final long HONEST_NANOS = 20 * SECOND;

    private static final long GIVE_BACK_NANOS = 2 * SECOND;
    private static final long NOT_HEALED = Long.MAX_VALUE / 2;

    private final Plan plan;
    private final SimulatedWorld world;
    private final List<Violation> violations = new ArrayList<>();

    private int counts;
    private long healedNanos = NOT_HEALED;

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
        Priorities priorities = plan.habits().priorities();
        if (priorities.levels() > 0) {
            world.scheduler()
                    .prioritize(new PrioritySchedule(
                            plan.seed(),
                            priorities.levels(),
                            priorities.stepMicros() * MICRO,
                            priorities.changes(),
                            plan.faultsMicros() * MICRO));
        }
        for (int i = 0; i < plan.bookies(); i++) {
            DiskQuality quality = FaultDriver.diskOf(plan);
            BookieDisks.of(world, i).forEach(drive -> drive.quality(quality));
        }
        Knobs knobs = plan.knobs();
        SimulatedCluster cluster =
                new SimulatedCluster(world, plan.bookies(), number -> FaultDriver.bookieOf(plan, number));
        cluster.metadata().latency(knobs.metadataMicros() * MICRO);
        Stage stage = new Stage(cluster, plan);
        SpreadWatch.begin(plan.spread(), stage);
        Cast cast = Casting.of(plan, stage);
        RetentionWatch.begin(stage, cast.scenes());
        FaultDriver driver = new FaultDriver(plan, cast);
        play(stage, cast, driver);
        return new RunOutcome(
                plan,
                world.traceHash(),
                world.nanoTime(),
                world.scheduler().trace().events(),
                Judgement.of(plan, stage, violations, healedNanos),
                world.faults().reached(),
                driver.happened(),
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

    private void play(Stage stage, Cast cast, FaultDriver driver) {
        new StreamFounding(stage, cast.scenes()).found();
        driver.startClients();
        driver.begin();
        boolean isBeyondBudget = plan.habits().isBeyondBudget();
        if (!isBeyondBudget) {
            stage.cluster().transitions().onEnsembleChange(ledgerId -> countSoon(stage, ledgerId));
        }
        world.runFor(plan.faultsMicros() * MICRO);
        if (driver.hasBlackout()) {
            driver.blackout();
        }
        driver.heal();
        healedNanos = world.nanoTime();
        if (driver.hasBlackout() && awaitBookies(stage) && !isBeyondBudget) {
            CopyCount.take(stage, "blackout");
        }
        driver.startClients();
        boolean isDone = world.runUntil(
                () -> cast.workloads().allMatch(Workload::isDone), isBeyondBudget ? HONEST_NANOS : LIVENESS_NANOS);
        if (!isDone && !isBeyondBudget) {
            violations.add(new Violation("liveness", -1, -1, "after all is healed " + unfinished(cast)));
        }
        if (awaitBookies(stage)) {
            new FinalStreamReading(stage, cast.scenes()).readEverything();
            new FinalReading(stage, isBeyondBudget).readEverything();
            // A disk that stalled may have told a bookie only now of a failure from before.
            if (!isBeyondBudget && awaitBookies(stage)) {
                CopyCount.take(stage, "end");
            }
        }
        giveBack(stage, cast);
    }

    /** Metadata has just begun to name other bookies for some entries: soon after is when copies may be missing. */
    private void countSoon(Stage stage, long ledgerId) {
        if (counts < COUNTS_MAX && healedNanos == NOT_HEALED) {
            counts++;
            long number = counts;
            world.after(world.random("count " + number).nextBelow(COUNT_WITHIN_NANOS), () -> {
                if (stage.cluster().hasTwin()) {
                    CopyCount.takeAsIfPowerFailed(stage, ledgerId, number);
                }
            });
        }
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

    private static String unfinished(Cast cast) {
        return cast.workloads()
                .filter(workload -> !workload.isDone())
                .map(Workload::describe)
                .collect(Collectors.joining(", "));
    }

    /** V10: clients that shut down, and then bookies that nobody uses, hold no buffers. */
    private void giveBack(Stage stage, Cast cast) {
        List<ClientNode> up = cast.nodes().stream().filter(ClientNode::isUp).toList();
        List<CompletableFuture<Void>> ends =
                up.stream().map(node -> node.client().shutdown()).toList();
        boolean ended = world.runUntil(() -> ends.stream().allMatch(CompletableFuture::isDone), LIVENESS_NANOS);
        if (!ended) {
            violations.add(new Violation("liveness", -1, -1, "a client does not shut down"));
        }
        world.runFor(GIVE_BACK_NANOS);
        up.stream().filter(ClientNode::isUp).forEach(node -> checkBuffers(node.machine(), node.host()));
        for (int i = 0; i < stage.cluster().bookies(); i++) {
            if (stage.cluster().isServing(i)) {
                String machine = SimulatedCluster.machineOf(i);
                checkBuffers(machine, world.machine(machine).host());
            }
        }
    }

    private void checkBuffers(String machine, SimulatedHost host) {
        long kept = host.buffers().outstanding();
        if (kept != 0) {
            violations.add(new Violation("leak", -1, -1, kept + " buffers were never released at " + machine));
        }
    }
}
