// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.simulation.RunOutcome;
import io.daybook.simulation.Seeds;
import io.daybook.simulation.Series;
import io.daybook.simulation.Simulation;
import io.daybook.simulation.plan.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that can find nothing prove nothing: known defects are planted and must be found. */
final class PlantedDefectTest {
    private static final int SEEDS_MAX = 2_000;
    private static final int SEEDS_ON_GROUND_MAX = 150;

    private static Plan plan(PlantedDefect defect) throws IOException {
        try (InputStream file =
                PlantedDefectTest.class.getResourceAsStream("/simulation/planted/" + defect + ".plan")) {
            return Plan.parse(new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The kept plan under other chance, until it fails: what exactly happens in a plan changes with the code. */
    private static RunOutcome firstFailure(PlantedDefect defect, int variantsMax) throws IOException {
        Plan plan = plan(defect);
        for (int i = 0; i < variantsMax; i++) {
            RunOutcome outcome = Simulation.run(plan.withSeed(plan.seed() + i), List.of(defect.point()));
            if (!outcome.isGood()) {
                return outcome;
            }
        }
        throw new AssertionError(defect + " was not found in " + variantsMax + " variants of its plan");
    }

    private static void assertIsGoodWithoutTheDefect(RunOutcome failure) {
        RunOutcome healthy = Simulation.run(failure.plan(), List.of());

        assertThat(healthy.violations()).as(healthy.describe()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"D11", "D13", "D14"},
            mode = EnumSource.Mode.EXCLUDE)
    void keptPlanFindsTheDefectAndIsGoodWithoutIt(PlantedDefect defect) throws IOException {
        assertIsGoodWithoutTheDefect(firstFailure(defect, 150));
    }

    @ParameterizedTest
    @EnumSource(names = {"D11", "D13", "D14"})
    @Tag("slow")
    void keptPlanFindsTheRareDefectAndIsGoodWithoutIt(PlantedDefect defect) throws IOException {
        assertIsGoodWithoutTheDefect(firstFailure(defect, 600));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"D22_.*", "D23_.*"},
            mode = EnumSource.Mode.MATCH_ANY)
    void defectOfNamesIsFoundWhereStreamsAreRenamedAndDeleted(PlantedDefect defect) { // S14
        Seeds seeds =
                Seeds.from(1).drawnBy(HuntingGround.DELETIONS_AND_RENAMES::plan).withDefects(List.of(defect.point()));

        Series series = Series.run(seeds, begun -> begun < SEEDS_ON_GROUND_MAX, outcome -> {});

        assertIsGoodWithoutTheDefect(series.failure().orElseThrow());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void seedsFindTheDefect(PlantedDefect defect) {
        DefectHunt hunt = DefectHunt.begin(defect, Seeds.from(1), seeds -> seeds < SEEDS_MAX);

        assertThat(hunt.isFound()).as(hunt.toString()).isTrue();
    }
}
