// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.simulation.plan.FaultItem;
import io.daybook.simulation.plan.LanePlan;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.Plan.Habits;
import io.daybook.simulation.plan.PlanDraw;
import io.daybook.simulation.plan.Priorities;
import io.daybook.simulation.plan.StreamPlan;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Runs plans: one, many, or smaller and smaller ones until nothing can be left out of a failure any more. Reads and writes nothing. */
public final class Simulation {
    private Simulation() {}

    /** The run of a seed. */
    public static RunOutcome ofSeed(long seed) {
        return run(PlanDraw.draw(seed), List.of());
    }

    /** The run of a plan, with defects planted. */
    public static RunOutcome run(Plan plan, List<String> defects) {
        // A process that crashes in a simulation gives nothing back, which is no leak.
        ResourceLeakDetector.setLevel(Level.DISABLED);
        return SimulationRun.of(plan, defects);
    }

    /** Leaves out faults and lanes of a failed run as long as it fails in the same way; at most {@code attempts} runs. */
    public static RunOutcome shrink(RunOutcome failed, List<String> defects, int attempts) {
        RunOutcome smallest = failed;
        int left = attempts;
        int size = Math.max(1, failed.plan().faults().size() / 2);
        while (left > 0) {
            int before = smallest.plan().faults().size();
            for (int from = 0; from < smallest.plan().faults().size() && left > 0; left--) {
                RunOutcome smaller = run(without(smallest.plan(), from, size), defects);
                if (failsAlike(failed, smaller)) {
                    smallest = smaller;
                } else {
                    from += size;
                }
            }
            if (size == 1 && smallest.plan().faults().size() == before) {
                break;
            }
            size = Math.max(1, size / 2);
        }
        RunOutcome plain = plainer(smallest, failed, defects);
        return withFewerSessions(withFewerStreams(plain, failed, defects), failed, defects, left);
    }

    /** Leaves out what clients do beside writing, and unfairness, if it fails all the same. */
    private static RunOutcome plainer(RunOutcome start, RunOutcome failed, List<String> defects) {
        RunOutcome smallest = start;
        List<UnaryOperator<Habits>> plainer =
                List.of(habits -> habits.with(List.of()), habits -> habits.with(Priorities.FAIR));
        for (UnaryOperator<Habits> step : plainer) {
            Habits next = step.apply(smallest.plan().habits());
            RunOutcome smaller = run(smallest.plan().withHabits(next), defects);
            smallest = failsAlike(failed, smaller) ? smaller : smallest;
        }
        return smallest;
    }

    private static RunOutcome withFewerStreams(RunOutcome start, RunOutcome failed, List<String> defects) {
        RunOutcome smallest = start;
        for (int i = start.plan().streams().size() - 1; i >= 0; i--) {
            List<StreamPlan> fewer = new ArrayList<>(smallest.plan().streams());
            fewer.remove(i);
            RunOutcome smaller = run(smallest.plan().withStreams(fewer), defects);
            smallest = failsAlike(failed, smaller) ? smaller : smallest;
        }
        return smallest;
    }

    private static Plan without(Plan plan, int from, int count) {
        List<FaultItem> faults = new ArrayList<>(plan.faults());
        faults.subList(from, Math.min(from + count, faults.size())).clear();
        return plan.withFaults(faults);
    }

    private static RunOutcome withFewerSessions(
            RunOutcome start, RunOutcome failed, List<String> defects, int attempts) {
        RunOutcome smallest = start;
        for (int i = 0; i < attempts; i++) {
            List<LanePlan> fewer = smallest.plan().lanes().stream()
                    .map(lane -> lane.withSessions(Math.max(1, lane.sessions() - 1)))
                    .toList();
            if (fewer.equals(smallest.plan().lanes())) {
                return smallest;
            }
            RunOutcome smaller = run(smallest.plan().withLanes(fewer), defects);
            if (!failsAlike(failed, smaller)) {
                return smallest;
            }
            smallest = smaller;
        }
        return smallest;
    }

    private static boolean failsAlike(RunOutcome failed, RunOutcome smaller) {
        return smaller.violations().stream()
                .anyMatch(each -> failed.violations().stream()
                        .anyMatch(other -> other.check().equals(each.check())));
    }
}
