// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.Violation;
import java.util.List;
import java.util.SortedMap;

/**
 * What came of a run.
 *
 * @param traceHash equal for two runs of the same plan
 * @param virtualNanos how long it lasted for those in it
 * @param events how many events that were
 * @param violations what was wrong
 * @param situations how often each situation was reached that is worth reaching
 * @param faults how many faults of each kind happened
 * @param lastEvents the last events, one a line
 */
public record RunOutcome(
        Plan plan,
        long traceHash,
        long virtualNanos,
        long events,
        List<Violation> violations,
        SortedMap<String, Long> situations,
        SortedMap<String, Long> faults,
        History history,
        String lastEvents) {
    private static final int VIOLATIONS_SHOWN = 10;

    /** Copies the list. */
    public RunOutcome {
        violations = List.copyOf(violations);
    }

    /** Whether nothing was wrong. */
    public boolean isGood() {
        return violations.isEmpty();
    }

    /** How many appends were acknowledged. */
    public long appendsAcknowledged() {
        return history.calls().stream()
                .filter(call -> call.detail() instanceof Call.Append && call.result() == Call.Result.OK)
                .count();
    }

    /** Everything a person needs to look into a failure: seed, plan, last events, violations, and how to run it again. */
    public String describe() {
        return describe("");
    }

    /** As {@link #describe()}; {@code options} follow the commands that run it again. */
    public String describe(String options) {
        StringBuilder text = new StringBuilder();
        text.append("---- last events\n").append(lastEvents);
        text.append("---- plan\n").append(plan);
        text.append("---- violations\n");
        violations.stream()
                .limit(VIOLATIONS_SHOWN)
                .forEach(each -> text.append(each).append('\n'));
        if (violations.size() > VIOLATIONS_SHOWN) {
            text.append("and ").append(violations.size() - VIOLATIONS_SHOWN).append(" more\n");
        }
        text.append("---- again: the plan above in a file\nbin/daybook simulate --plan FILE --trace")
                .append(options)
                .append('\n');
        long seed = plan.seed();
        boolean isBeyondBudget = plan.equals(PlanDraw.drawBeyondBudget(seed));
        if (isBeyondBudget || plan.equals(PlanDraw.draw(seed))) {
            text.append("or, drawn again,\nbin/daybook simulate --seed ")
                    .append(seed)
                    .append(isBeyondBudget ? " --beyond-budget --trace" : " --trace")
                    .append(options)
                    .append('\n');
        }
        return text.toString();
    }
}
