// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.planted.DefectHunt;
import io.daybook.simulation.planted.PlantedDefect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A failure is made smaller, and stays the failure that it was. */
final class ShrinkingTest {
    private static final int SEEDS_MAX = 500;
    private static final int RUNS_MAX = 40;
    private static final List<String> DEFECTS = List.of(PlantedDefect.D8.point());

    private static DefectHunt hunt() {
        return DefectHunt.begin(PlantedDefect.D8, Seeds.from(1), runs -> runs < SEEDS_MAX);
    }

    private static String checks(RunOutcome outcome) {
        return outcome.violations().stream()
                .map(violation -> violation.check())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" "));
    }

    @Test
    void aSmallerPlanFailsAlikeAndFailsAgainFromItsText() {
        RunOutcome found = hunt().failure().orElseThrow();
        List<Integer> told = new ArrayList<>();

        RunOutcome smaller = Simulation.shrink(found, DEFECTS, runs -> {
            told.add(runs);
            return runs < RUNS_MAX;
        });

        assertThat(smaller.plan().faults().size())
                .isLessThan(found.plan().faults().size());
        assertThat(checks(smaller).split(" ", -1)).containsAnyOf(checks(found).split(" ", -1));
        RunOutcome again = Simulation.run(Plan.parse(smaller.plan().toString()), DEFECTS);
        assertThat(again.traceHash()).isEqualTo(smaller.traceHash());
        assertThat(checks(again)).isEqualTo(checks(smaller));
        assertThat(told).startsWith(0, 1, 2).hasSizeLessThanOrEqualTo(RUNS_MAX + 1);
    }

    @Test
    void whatFailsWithoutTheDefectTooIsNoFind() {
        DefectHunt hunt = hunt();
        assertThat(hunt.isFound()).isTrue();

        DefectHunt real = new DefectHunt(PlantedDefect.D8, hunt.seeds(), hunt.failure(), hunt.failure());
        DefectHunt none = new DefectHunt(PlantedDefect.D8, 3, Optional.empty(), Optional.empty());

        assertThat(real.isFound()).isFalse();
        assertThat(real.toString()).contains("fails without it too");
        assertThat(none.isFound()).isFalse();
        assertThat(none).hasToString("D8 not found in 3 seeds");
    }
}
