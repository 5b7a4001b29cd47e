// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.Quorums;
import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelConfig.Freedom;
import io.daybook.simulation.model.ModelDefect;
import io.daybook.simulation.model.ModelSituation;
import io.daybook.simulation.model.Property;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every state of the ledger protocol for small constants: L2, L3, L5, L6, L8 to L12 and V2 hold in each; L4 as metadata is replaced by no step once closed. */
final class ProtocolModelTest {
    private static final Quorums Q322 = new Quorums(3, 2, 2);
    private static final Quorums Q321 = new Quorums(3, 2, 1);
    private static final Quorums Q332 = new Quorums(3, 3, 2);
    private static final Quorums Q331 = new Quorums(3, 3, 1);
    private static final Quorums Q222 = new Quorums(2, 2, 2);
    private static final Quorums Q221 = new Quorums(2, 2, 1);

    static Stream<ModelConfig> small() {
        return Stream.of(
                new ModelConfig(Q332, 2, 4, 1, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q332, 1, 4, 2, new Freedom(1, 1, 0, true)),
                new ModelConfig(Q332, 2, 3, 1, new Freedom(0, 0, 1, true)),
                new ModelConfig(Q332, 2, 3, 2, new Freedom(0, 0, 0, true)),
                new ModelConfig(Q331, 2, 4, 1, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q322, 3, 3, 2, new Freedom(0, 0, 0, false)),
                new ModelConfig(Q322, 2, 4, 1, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q321, 3, 4, 1, new Freedom(1, 0, 0, false)),
                new ModelConfig(Q222, 2, 3, 2, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q221, 2, 3, 1, new Freedom(1, 1, 0, true)));
    }

    static Stream<ModelConfig> larger() {
        return Stream.of(
                new ModelConfig(Q332, 3, 3, 2, new Freedom(0, 0, 0, false)),
                new ModelConfig(Q332, 1, 4, 2, new Freedom(1, 1, 1, true)),
                new ModelConfig(Q322, 2, 4, 2, new Freedom(1, 1, 0, false)),
                new ModelConfig(Q332, 2, 3, 2, new Freedom(0, 0, 1, true)));
    }

    // P-34
    @Test
    void everyPropertyHoldsInEveryStateAndEverySituationIsReached(TestReporter reporter) {
        EnumSet<ModelSituation> reached = EnumSet.noneOf(ModelSituation.class);

        small().forEach(config -> reached.addAll(explore(config, reporter).reached()));

        assertThat(reached).as("the model is not vacuous").isEqualTo(EnumSet.allOf(ModelSituation.class));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("larger")
    void everyPropertyHoldsInEveryStateOfALargerModel(ModelConfig config, TestReporter reporter) {
        explore(config, reporter);
    }

    private static Exploration.Result explore(ModelConfig config, TestReporter reporter) {
        long began = System.nanoTime();
        Exploration.Result result = Exploration.of(config, states -> true);
        double seconds = (System.nanoTime() - began) / 1e9;
        reporter.publishEntry(
                config.toString(),
                String.format(
                        "%d states, %d steps, depth %d, %.1f s",
                        result.states(), result.transitions(), result.depth(), seconds));
        assertThat(result.counterexample()).as("%s", config).isEmpty();
        assertThat(result.isComplete()).as("%s", config).isTrue();
        return result;
    }

    /** A rule left out, and what that breaks on a shortest way of so many steps when only this is looked at. */
    record Planted(ModelConfig config, Property broken, int steps) {
        Planted(ModelDefect defect, ModelConfig config, Property broken, int steps) {
            this(config.without(defect).notChecking(EnumSet.complementOf(EnumSet.of(broken))), broken, steps);
        }
    }

    static Stream<Planted> planted() {
        ModelConfig plain = new ModelConfig(Q332, 1, 3, 1, new Freedom(0, 0, 0, false));
        ModelConfig writerChanges = new ModelConfig(Q332, 1, 4, 1, new Freedom(1, 0, 0, false));
        ModelConfig bothChange = new ModelConfig(Q221, 2, 3, 1, new Freedom(1, 1, 0, false));
        ModelConfig recoverersChange = new ModelConfig(Q332, 1, 4, 2, new Freedom(0, 1, 0, false));
        ModelConfig readers = new ModelConfig(Q332, 2, 3, 2, new Freedom(0, 0, 0, true));
        ModelConfig wipes = new ModelConfig(Q332, 1, 3, 1, new Freedom(0, 0, 1, false));
        return Stream.of(
                new Planted(ModelDefect.D1, plain, Property.L6, 6),
                new Planted(ModelDefect.D1, plain, Property.L3, 10),
                new Planted(ModelDefect.D2, bothChange, Property.L8, 11),
                new Planted(ModelDefect.D2, bothChange, Property.L3, 11),
                new Planted(ModelDefect.D3, plain, Property.L3, 10),
                new Planted(ModelDefect.D4, recoverersChange, Property.L2, 10),
                new Planted(ModelDefect.D4, recoverersChange, Property.L3, 15),
                new Planted(
                        ModelDefect.D5, new ModelConfig(Q332, 2, 4, 1, new Freedom(0, 1, 0, false)), Property.L3, 17),
                new Planted(ModelDefect.D6, readers, Property.L12, 11),
                new Planted(ModelDefect.D6, readers, Property.L11, 17),
                new Planted(ModelDefect.D7, writerChanges, Property.L9, 5),
                new Planted(ModelDefect.D7, writerChanges, Property.L2, 5),
                new Planted(ModelDefect.D7, writerChanges, Property.L3, 11),
                new Planted(ModelDefect.D8, writerChanges, Property.L9, 5),
                new Planted(ModelDefect.D8, writerChanges, Property.L2, 6),
                new Planted(ModelDefect.D8, writerChanges, Property.L3, 12),
                new Planted(ModelDefect.D9, wipes, Property.L6, 7),
                new Planted(ModelDefect.D9, wipes, Property.L3, 11));
    }

    @ParameterizedTest
    @MethodSource("planted")
    void aRuleLeftOutIsFoundOnAShortestWay(Planted planted) { // D1 to D9, S-01
        Exploration.Result result = Exploration.of(planted.config(), states -> true);

        Counterexample found = result.counterexample()
                .orElseThrow(() -> new AssertionError(planted.config() + " breaks nothing in " + result.states()));
        assertThat(found.property()).isEqualTo(planted.broken());
        assertThat(found.steps()).as("%s", found).hasSize(planted.steps() + 1);
    }

    @Test
    void aCounterexampleReadsAsAStory() {
        Planted planted = planted()
                .filter(each -> each.broken() == Property.L3)
                .findFirst()
                .orElseThrow();

        Counterexample found = Exploration.of(planted.config(), states -> true)
                .counterexample()
                .orElseThrow();

        assertThat(found.toString())
                .contains("writer sends entry 0")
                .contains("r0 marks the ledger as in recovery")
                .contains("r0 has enough denials of entry 0: the end is before it")
                .contains("CLOSED with 0 0:[b0 b1 b2] acknowledged=1")
                .endsWith("L3: the ledger is closed below an entry that was acknowledged\n");
    }

    @Test
    void anExplorationThatIsStoppedSaysSo() {
        ModelConfig config = new ModelConfig(Q332, 3, 3, 2, new Freedom(0, 0, 0, false));

        Exploration.Result result = Exploration.of(config, states -> states < 10_000);

        assertThat(result.isComplete()).isFalse();
        assertThat(result.counterexample()).isEmpty();
    }

    @Test
    void walksThroughALargeModelBreakNothing() {
        ModelConfig config = new ModelConfig(new Quorums(5, 3, 2), 5, 7, 3, new Freedom(2, 1, 1, true));

        RandomWalk.Result result = RandomWalk.of(config, 7, walks -> walks < 1_500);

        assertThat(result.counterexample()).isEmpty();
        assertThat(result.walks()).isEqualTo(1_500);
        assertThat(result.steps()).isGreaterThan(1_500 * 20);
        assertThat(result.reached())
                .contains(ModelSituation.TWO_RECOVERERS_COPY, ModelSituation.UNKNOWN_CHANGE_TOOK_EFFECT);
    }

    @Test
    void walksFindARuleLeftOutAndTheSameSeedFindsTheSameWay() {
        ModelConfig config = new ModelConfig(Q332, 2, 4, 2, new Freedom(1, 1, 0, false)).without(ModelDefect.D3);

        List<RandomWalk.Result> twice = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            twice.add(RandomWalk.of(config, 11, walks -> walks < 10_000));
        }

        assertThat(twice.get(0).counterexample()).isPresent();
        assertThat(twice.get(0)).isEqualTo(twice.get(1));
        Counterexample found = twice.get(0).counterexample().orElseThrow();
        assertThat(found.property()).isIn(Property.L3, Property.L5);
    }
}
