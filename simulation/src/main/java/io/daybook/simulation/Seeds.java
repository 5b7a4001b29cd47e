// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;

/**
 * Which runs a series has and who does them.
 *
 * @param first the first seed
 * @param defects what is planted in every run
 * @param plans draws the plan of a seed
 * @param workers where runs are done
 */
public record Seeds(long first, List<String> defects, LongFunction<Plan> plans, Workers workers) {
    /** Copies the list. */
    public Seeds {
        defects = List.copyOf(defects);
    }

    /** From a seed on, nothing planted, within the budget, by the caller. */
    public static Seeds from(long first) {
        return new Seeds(first, List.of(), PlanDraw::draw, Workers.CALLER);
    }

    /** With defects planted. */
    public Seeds withDefects(List<String> next) {
        return new Seeds(first, next, plans, workers);
    }

    /** With other workers. */
    public Seeds on(Workers next) {
        return new Seeds(first, defects, plans, next);
    }

    /** Beyond the budget: more may be damaged than Daybook promises to survive. */
    public Seeds beyondBudget() {
        return drawnBy(PlanDraw::drawBeyondBudget);
    }

    /** With other plans. */
    public Seeds drawnBy(LongFunction<Plan> next) {
        return new Seeds(first, defects, next, workers);
    }

    RunOutcome run(int number) {
        return Simulation.run(plans.apply(first + number), defects);
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
