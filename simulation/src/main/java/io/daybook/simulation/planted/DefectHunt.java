// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.planted;

import io.daybook.simulation.RunOutcome;
import io.daybook.simulation.Seeds;
import io.daybook.simulation.Series;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/** How many seeds it took to find a planted defect. */
public record DefectHunt(PlantedDefect defect, int seeds, Optional<RunOutcome> found) {
    /** Runs seeds of the defect's ground with the defect planted, until one fails or {@code goOn} says no to the number of seeds begun. Blocks. */
    public static DefectHunt begin(PlantedDefect defect, Seeds seeds, IntPredicate goOn) {
        Seeds ground = seeds.withDefects(List.of(defect.point())).drawnBy(defect.ground()::plan);
        Series series = Series.run(ground, goOn, outcome -> {});
        return new DefectHunt(defect, series.runs(), series.failure());
    }

    @Override
    public String toString() {
        String what = found.map(outcome -> "found after " + seeds + " seeds: "
                        + outcome.violations().get(0).check())
                .orElse("not found in " + seeds + " seeds");
        return defect.point() + ' ' + what;
    }
}
