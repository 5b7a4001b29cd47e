// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.simulation.plan.FaultItem;
import io.daybook.simulation.plan.LanePlan;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

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

    /**
     * What many runs had in common.
     *
     * @param runs how many there were
     * @param situations how often each situation was reached in all of them together
     * @param failure the first run that was not good
     */
    public record Series(
            int runs,
            long events,
            long virtualNanos,
            long appendsAcknowledged,
            SortedMap<String, Long> situations,
            Optional<RunOutcome> failure) {}

    /** Runs seed after seed, until one fails or {@code goOn} says no; {@code done} is told of each. */
    public static Series series(
            long firstSeed, List<String> defects, Predicate<Integer> goOn, Consumer<RunOutcome> done) {
        SortedMap<String, Long> situations = new TreeMap<>();
        long events = 0;
        long nanos = 0;
        long acknowledged = 0;
        int runs = 0;
        while (goOn.test(runs)) {
            RunOutcome outcome = run(PlanDraw.draw(firstSeed + runs), defects);
            runs++;
            events += outcome.events();
            nanos += outcome.virtualNanos();
            acknowledged += outcome.appendsAcknowledged();
            outcome.situations().forEach((situation, count) -> situations.merge(situation, count, Long::sum));
            done.accept(outcome);
            if (!outcome.isGood()) {
                return new Series(runs, events, nanos, acknowledged, situations, Optional.of(outcome));
            }
        }
        return new Series(runs, events, nanos, acknowledged, situations, Optional.empty());
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
        return withFewerSessions(smallest, failed, defects, left);
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
