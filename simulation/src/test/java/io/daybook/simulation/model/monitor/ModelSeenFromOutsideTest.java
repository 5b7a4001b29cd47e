// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.Quorums;
import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelConfig.Freedom;
import io.daybook.simulation.model.StepKind;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the model does, {@link LedgerTrace} takes it: the rules by which runs of the program are judged are no stricter than those of the model (L2, L3, L5, L6,
 * L8, L9, L10, L12). {@link RulesLeftOutSeenFromOutsideTest} shows that they are as strict.
 */
final class ModelSeenFromOutsideTest {
    private static final Quorums Q322 = new Quorums(3, 2, 2);
    private static final Quorums Q332 = new Quorums(3, 3, 2);
    private static final Quorums Q331 = new Quorums(3, 3, 1);
    private static final Quorums Q222 = new Quorums(2, 2, 2);
    private static final Quorums Q221 = new Quorums(2, 2, 1);
    private static final Quorums Q532 = new Quorums(5, 3, 2);

    /** Only with D4 metadata in recovery is replaced before it is closed, so that a recoverer begins again. */
    private static final EnumSet<StepKind> STEPS_OF_THE_MODEL = EnumSet.complementOf(EnumSet.of(StepKind.BEGIN_AGAIN));

    private static final EnumSet<Sight> SIGHTS_OF_THE_MODEL =
            EnumSet.complementOf(EnumSet.of(Sight.CHANGED_IN_RECOVERY, Sight.REFUSED_BY_METADATA));

    private final Tally tally = new Tally();

    static Stream<ModelConfig> small() {
        return Stream.of(
                new ModelConfig(Q332, 1, 3, 1, new Freedom(0, 0, 1, true)),
                new ModelConfig(Q332, 1, 3, 2, new Freedom(0, 0, 0, true)),
                new ModelConfig(Q332, 1, 4, 1, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q331, 1, 4, 1, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q322, 2, 3, 2, new Freedom(0, 0, 1, false)),
                new ModelConfig(Q322, 1, 4, 1, new Freedom(1, 1, 0, true)),
                new ModelConfig(Q222, 1, 3, 2, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q222, 2, 2, 2, new Freedom(0, 0, 0, true)),
                new ModelConfig(Q221, 1, 3, 2, new Freedom(1, 0, 0, true)),
                new ModelConfig(Q221, 2, 3, 1, new Freedom(1, 1, 0, false)));
    }

    static Stream<ModelConfig> larger() {
        return Stream.of(
                new ModelConfig(Q332, 1, 4, 1, new Freedom(1, 0, 1, true)),
                new ModelConfig(Q332, 1, 4, 2, new Freedom(0, 1, 0, false)),
                new ModelConfig(Q332, 2, 3, 1, new Freedom(0, 0, 0, true)),
                new ModelConfig(Q322, 2, 4, 1, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q222, 2, 2, 2, new Freedom(0, 0, 1, true)),
                new ModelConfig(Q222, 2, 3, 1, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q221, 2, 3, 1, new Freedom(1, 0, 0, true)));
    }

    @Test
    void everyStepBetweenAllStatesOfSmallModelsIsTaken(TestReporter reporter) {
        small().forEach(config -> visit(config, reporter));

        assertNothingIsMissing(100);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("larger")
    void everyStepBetweenAllStatesOfALargerModelIsTaken(ModelConfig config, TestReporter reporter) {
        visit(config, reporter);
    }

    private void visit(ModelConfig config, TestReporter reporter) {
        SeenStates.Result result = SeenStates.visit(config, tally);
        reporter.publishEntry(config.toString(), result.states() + " states with what was told");
        assertThat(tally.refusals()).as("%s", config).isEmpty();
        assertThat(result.unseen()).as("%s", config).isEmpty();
    }

    @Test
    void walksThroughLargeModelsAreTaken() {
        Map<ModelConfig, Integer> walks = Map.of(
                new ModelConfig(Q532, 5, 7, 3, new Freedom(2, 1, 1, true)), 2_000,
                new ModelConfig(Q332, 4, 6, 2, new Freedom(3, 1, 1, true)), 2_000,
                new ModelConfig(Q322, 4, 5, 2, new Freedom(2, 1, 1, false)), 2_000,
                new ModelConfig(Q532, 6, 8, 0, new Freedom(3, 0, 1, true)), 1_000,
                new ModelConfig(Q221, 3, 5, 3, new Freedom(3, 1, 0, true)), 2_000);

        walks.forEach((config, count) -> {
            for (int number = 0; number < count; number++) {
                Tally.Walk walk = tally.walk(config, number, step -> false);
                assertThat(walk.refusals()).as("walk %d of %s", number, config).isEmpty();
                assertThat(walk.broken()).as("walk %d of %s", number, config).isEmpty();
            }
        });

        assertNothingIsMissing(50);
    }

    private void assertNothingIsMissing(int times) {
        assertThat(tally.steps().keySet()).isEqualTo(STEPS_OF_THE_MODEL);
        assertThat(tally.sights().keySet()).isEqualTo(SIGHTS_OF_THE_MODEL);
        assertThat(tally.steps())
                .allSatisfy(
                        (kind, count) -> assertThat(count).as("steps %s", kind).isGreaterThan(times));
        assertThat(tally.sights())
                .allSatisfy((sight, count) ->
                        assertThat(count).as("sights %s", sight).isGreaterThan(times));
    }
}
