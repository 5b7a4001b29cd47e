// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.planted;

import io.daybook.simulation.RunOutcome;
import io.daybook.simulation.Seeds;
import io.daybook.simulation.Series;
import io.daybook.simulation.Simulation;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * How many seeds it took to find a planted defect. A run that fails without the defect too found something else: that is no find, and a real failure.
 *
 * @param seeds how many runs there were with the defect
 * @param failure the first of them that was not good
 * @param withoutDefect the same plan without the defect, when there was a failure
 */
public record DefectHunt(
        PlantedDefect defect, int seeds, Optional<RunOutcome> failure, Optional<RunOutcome> withoutDefect) {
    /** Runs seeds of the defect's ground with the defect planted, until one fails or {@code goOn} says no to the number of seeds begun. Blocks. */
    public static DefectHunt begin(PlantedDefect defect, Seeds seeds, IntPredicate goOn) {
        Seeds ground = seeds.withDefects(List.of(defect.point())).drawnBy(defect.ground()::plan);
        Series series = Series.run(ground, goOn, outcome -> {});
        Optional<RunOutcome> control = series.failure().map(failure -> Simulation.run(failure.plan(), List.of()));
        return new DefectHunt(defect, series.runs(), series.failure(), control);
    }

    /** Whether the defect was found. */
    public boolean isFound() {
        return withoutDefect.filter(RunOutcome::isGood).isPresent();
    }

    @Override
    public String toString() {
        String check =
                failure.map(outcome -> outcome.violations().get(0).check()).orElse("");
        String what = "not found in " + seeds + " seeds";
        if (isFound()) {
            what = "found after " + seeds + " seeds: " + check;
        } else if (failure.isPresent()) {
            what = "not found: seed " + failure.get().plan().seed() + " fails without it too: " + check;
        }
        return defect + " " + what;
    }
}
