// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Which runs a series has and who does them.
 *
 * @param first the first seed
 * @param defects what is planted in every run
 * @param isBeyondBudget whether more may be damaged than Daybook promises to survive
 * @param workers where runs are done
 */
public record Seeds(long first, List<String> defects, boolean isBeyondBudget, Workers workers) {
    /** Copies the list. */
    public Seeds {
        defects = List.copyOf(defects);
    }

    /** From a seed on, nothing planted, within the budget, by the caller. */
    public static Seeds from(long first) {
        return new Seeds(first, List.of(), false, Workers.CALLER);
    }

    /** With defects planted. */
    public Seeds withDefects(List<String> next) {
        return new Seeds(first, next, isBeyondBudget, workers);
    }

    /** With other workers. */
    public Seeds on(Workers next) {
        return new Seeds(first, defects, isBeyondBudget, next);
    }

    /** Beyond the budget. */
    public Seeds beyondBudget() {
        return new Seeds(first, defects, true, workers);
    }

    RunOutcome run(int number) {
        long seed = first + number;
        Plan plan = isBeyondBudget ? PlanDraw.drawBeyondBudget(seed) : PlanDraw.draw(seed);
        return Simulation.run(plan, defects);
    }

    /**
     * Who does the runs. Each run is done by one thread; runs know nothing of each other.
     *
     * @param executor gives a run to a thread
     * @param count how many runs there may be at the same time, at least 1
     */
    public record Workers(Executor executor, int count) {
        /** The thread that asks. */
        public static final Workers CALLER = new Workers(Runnable::run, 1);
    }
}
