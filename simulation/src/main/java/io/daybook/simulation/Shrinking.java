// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.simulation.plan.FaultItem;
import io.daybook.simulation.plan.LanePlan;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.Priorities;
import io.daybook.simulation.plan.StreamPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Leaves out of a failed run what it does not need to fail in the same way: faults, habits, streams, ledgers. */
final class Shrinking {
    private final RunOutcome failed;
    private final List<String> defects;
    private final IntPredicate goOn;
    private RunOutcome smallest;
    private int runs;
    private boolean isOver;

    /** {@code goOn} is told before each run how many there were. */
    Shrinking(RunOutcome failed, List<String> defects, IntPredicate goOn) {
        this.failed = failed;
        this.defects = List.copyOf(defects);
        this.goOn = goOn;
        this.smallest = failed;
    }

    RunOutcome run() {
        leaveOutFaults();
        fails(smallest.plan().withHabits(smallest.plan().habits().with(List.of())));
        fails(smallest.plan().withHabits(smallest.plan().habits().with(Priorities.FAIR)));
        leaveOutStreams();
        leaveOutSessions();
        return smallest;
    }

    /** Ever smaller parts of them, until not one can be left out. */
    private void leaveOutFaults() {
        int size = Math.max(1, failed.plan().faults().size() / 2);
        while (!isOver) {
            int before = smallest.plan().faults().size();
            int from = 0;
            while (from < smallest.plan().faults().size() && !isOver) {
                from += fails(without(smallest.plan(), from, size)) ? 0 : size;
            }
            if (size == 1 && smallest.plan().faults().size() == before) {
                return;
            }
            size = Math.max(1, size / 2);
        }
    }

    private static Plan without(Plan plan, int from, int count) {
        List<FaultItem> faults = new ArrayList<>(plan.faults());
        faults.subList(from, Math.min(from + count, faults.size())).clear();
        return plan.withFaults(faults);
    }

    private void leaveOutStreams() {
        for (int i = smallest.plan().streams().size() - 1; i >= 0; i--) {
            List<StreamPlan> fewer = new ArrayList<>(smallest.plan().streams());
            fewer.remove(i);
            fails(smallest.plan().withStreams(fewer));
        }
    }

    private void leaveOutSessions() {
        boolean isSmaller = true;
        while (isSmaller) {
            List<LanePlan> fewer = smallest.plan().lanes().stream()
                    .map(lane -> lane.withSessions(Math.max(1, lane.sessions() - 1)))
                    .toList();
            isSmaller = !fewer.equals(smallest.plan().lanes())
                    && fails(smallest.plan().withLanes(fewer));
        }
    }

    /** Whether a plan fails in the same way; then it is the smallest. */
    private boolean fails(Plan plan) {
        isOver = isOver || !goOn.test(runs);
        if (isOver) {
            return false;
        }
        runs++;
        RunOutcome outcome = Simulation.run(plan, defects);
        boolean isAlike = outcome.violations().stream()
                .anyMatch(each -> failed.violations().stream()
                        .anyMatch(other -> other.check().equals(each.check())));
        smallest = isAlike ? outcome : smallest;
        return isAlike;
    }
}
