// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.Quorums;
import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelConfig.Freedom;
import io.daybook.simulation.model.ModelDefect;
import io.daybook.simulation.model.Property;
import io.daybook.simulation.model.StepKind;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a model without one of its rules breaks, {@link LedgerTrace} has refused a step by then: the rules by which runs of the program are judged are as
 * strict as those of the model, but for what nobody outside can see, which is listed here. {@link ModelSeenFromOutsideTest} shows that they are no stricter.
 */
final class RulesLeftOutSeenFromOutsideTest {
    private static final Quorums Q332 = new Quorums(3, 3, 2);
    private static final Quorums Q222 = new Quorums(2, 2, 2);
    private static final Quorums Q221 = new Quorums(2, 2, 1);

    private static final int WALKS = 2_000;

    /** What a trace says when all steps of a kind are hidden from it; of acknowledgements only the first of each ledger. */
    private static final Map<StepKind, Set<String>> MISSED = Map.of(
            StepKind.STORE,
                    Set.of(
                            "L2: is acknowledged with # copies on the bookies that metadata names",
                            "L2: is part of the recovered ledger with # copies on the bookies that metadata names"),
            StepKind.ACKNOWLEDGE,
                    Set.of(
                            "L2: is acknowledged after #",
                            "L3: is where the writer closes; acknowledged is #",
                            "L9: is where the ensemble changes; acknowledged is #",
                            "L10: is carried as confirmed and was not acknowledged"),
            StepKind.WRITE_CHANGE, Set.of("L2: is acknowledged with # copies on the bookies that metadata names"),
            StepKind.FENCE,
                    Set.of(
                            "L5: is a decided end and only # members of a write set were fenced",
                            "L5: is beyond the end and only # bookies denied it"),
            StepKind.BEGIN_RECOVERY, Set.of("L5: is copied by a recoverer and the ledger is not in recovery"),
            StepKind.SEARCH, Set.of("L5: is beyond the end and only # bookies denied it"),
            StepKind.COPY,
                    Set.of("L2: is part of the recovered ledger with # copies on the bookies that metadata names"));

    private static final String NO_PROMISE =
            "a denial promises something only if its bookie is fenced: seen when an end is made of it (L5)";
    private static final String PRIVATE = "a fragment is private until it is stored: then metadata refuses it";
    private static final String UNKNOWN_CHANGE =
            "only the writer knows of a change that is under way: seen when it takes effect (L9) or copies are missed (L2)";
    private static final String SECRET =
            "a bookie may hold what it has not answered for yet: seen when too few have answered (L2) or an end is decided below it (L3)";
    private static final String SILENT_LOSS = "a loss is seen when the bookie is asked (L2, L6)";

    /**
     * A rule that is left out.
     *
     * @param small constants by which every state is visited
     * @param large constants for walks
     * @param refusedFor what the trace says is broken
     * @param unseen what the model breaks and nobody outside can see then, and why
     */
    record LeftOut(
            ModelDefect rule,
            ModelConfig small,
            ModelConfig large,
            Set<Property> refusedFor,
            Map<Property, String> unseen) {
        LeftOut(ModelDefect rule, ModelConfig small, Set<Property> refusedFor, Map<Property, String> unseen) {
            this(rule, small, new ModelConfig(Q332, 3, 5, 2, new Freedom(2, 1, 1, true)), refusedFor, unseen);
        }

        /** Without the rule, and without looking at what is not seen, so that ways lead on to what it does in the end. */
        ModelConfig seen(ModelConfig config) {
            return config.without(rule).notChecking(unseen.keySet());
        }

        @Override
        public String toString() {
            return rule.name();
        }
    }

    static Stream<LeftOut> leftOut() {
        ModelConfig plain = new ModelConfig(Q332, 1, 3, 1, new Freedom(0, 0, 0, true));
        ModelConfig writerChanges = new ModelConfig(Q222, 1, 3, 1, new Freedom(1, 0, 0, true));
        ModelConfig bothChange = new ModelConfig(Q221, 2, 3, 1, new Freedom(1, 1, 0, false));
        ModelConfig recoverersChange = new ModelConfig(Q332, 1, 4, 2, new Freedom(0, 1, 0, false));
        ModelConfig copiesAndReads = new ModelConfig(Q222, 2, 3, 1, new Freedom(0, 1, 0, false));
        ModelConfig readers = new ModelConfig(Q222, 2, 2, 2, new Freedom(0, 0, 0, true));
        ModelConfig wipes = new ModelConfig(Q332, 1, 3, 1, new Freedom(0, 0, 1, true));
        return Stream.of(
                new LeftOut(ModelDefect.D1, plain, Set.of(Property.L3, Property.L5), Map.of(Property.L6, NO_PROMISE)),
                new LeftOut(
                        ModelDefect.D2,
                        bothChange,
                        new ModelConfig(Q221, 3, 4, 1, new Freedom(2, 1, 0, true)),
                        Set.of(Property.L8),
                        Map.of(Property.L8, PRIVATE)),
                new LeftOut(ModelDefect.D3, plain, Set.of(Property.L3, Property.L5), Map.of()),
                new LeftOut(ModelDefect.D4, recoverersChange, Set.of(Property.L8), Map.of()),
                new LeftOut(ModelDefect.D5, copiesAndReads, Set.of(Property.L3, Property.L5), Map.of()),
                new LeftOut(ModelDefect.D6, readers, Set.of(Property.L10, Property.L12), Map.of()),
                new LeftOut(
                        ModelDefect.D7,
                        writerChanges,
                        Set.of(Property.L2, Property.L3, Property.L9),
                        Map.of(Property.L9, UNKNOWN_CHANGE, Property.L5, SECRET)),
                new LeftOut(
                        ModelDefect.D8,
                        writerChanges,
                        Set.of(Property.L2, Property.L3, Property.L9),
                        Map.of(Property.L9, UNKNOWN_CHANGE, Property.L5, SECRET)),
                new LeftOut(
                        ModelDefect.D9,
                        wipes,
                        Set.of(Property.L2, Property.L6),
                        Map.of(Property.L2, SILENT_LOSS, Property.L5, SECRET)));
    }

    @Test
    void nothingIsBrokenInASmallModelBeforeAStepIsRefused() { // D1 to D9, S-01
        Tally all = new Tally();
        leftOut().forEach(left -> {
            Tally tally = new Tally();
            Map<Property, Integer> unseen =
                    SeenStates.visit(left.seen(left.small()), tally).unseen();

            assertThat(unseen).as("%s breaks what nobody sees", left).isEmpty();
            assertThat(tally.properties()).as("%s", left).isEqualTo(left.refusedFor());
            all.refusals().addAll(tally.refusals());
        });

        assertThat(all.refusals())
                .containsExactlyInAnyOrder(
                        "L2: bookie # denies what it answered for before",
                        "L2: is acknowledged with # copies on the bookies that metadata names",
                        "L3: is acknowledged and the ledger was closed at #",
                        "L3: was acknowledged and the ledger is closed at #",
                        "L5: is beyond the end and only # bookies denied it",
                        "L6: bookie # answers a normal add that it denied before",
                        "L8: metadata in recovery is replaced and stays IN_RECOVERY",
                        "L8: metadata of ledger # has an end below its last fragment",
                        "L8: metadata of ledger # has fragments that do not rise",
                        "L9: is where the ensemble changes; acknowledged is #",
                        "L10: is carried as confirmed and was not acknowledged",
                        "L12: is sent with other bytes than before");
    }

    @ParameterizedTest
    @MethodSource("leftOut")
    void whatIsListedAsUnseenIsBrokenAndNothingElseIs(LeftOut left) { // D1 to D9
        SeenStates.Result result = SeenStates.visit(left.small().without(left.rule()), new Tally());

        assertThat(result.unseen().keySet()).isEqualTo(left.unseen().keySet());
    }

    @ParameterizedTest
    @MethodSource("leftOut")
    void noWalkThroughALargeModelBreaksAnythingBeforeAStepIsRefused(LeftOut left) { // D1 to D9
        Tally tally = new Tally();
        int broken = 0;
        int refused = 0;
        for (int number = 0; number < WALKS; number++) {
            Tally.Walk walk = tally.walk(left.seen(left.large()), number, step -> false);
            boolean isRefused = !walk.refusals().isEmpty();
            broken += walk.broken().isPresent() ? 1 : 0;
            refused += isRefused ? 1 : 0;
            assertThat(isRefused || walk.broken().isEmpty())
                    .as("walk %d breaks %s and nobody sees it", number, walk.broken())
                    .isTrue();
        }

        // Without D2 metadata refuses a recovery that goes wrong, so nothing is broken beside the order of fragments.
        assertThat(broken).isGreaterThanOrEqualTo(left.rule() == ModelDefect.D2 ? 0 : 3);
        assertThat(refused).isGreaterThanOrEqualTo(left.rule() == ModelDefect.D2 ? 1 : 20);
    }

    @Test
    void aStepThatIsHiddenIsMissed() {
        ModelConfig config = new ModelConfig(Q332, 2, 4, 2, new Freedom(1, 1, 0, true));
        MISSED.forEach((kind, refusals) -> {
            Tally tally = new Tally();
            int refused = 0;
            for (int number = 0; number < WALKS; number++) {
                Tally.Walk walk = tally.walk(config, number, step -> isHidden(kind, step));
                refused += walk.refusals().isEmpty() ? 0 : 1;
            }

            assertThat(tally.refusals()).as("hidden %s", kind).isEqualTo(refusals);
            assertThat(refused).as("hidden %s", kind).isGreaterThan(5);
        });
    }

    private static boolean isHidden(StepKind kind, Step step) {
        return step.kind() == kind && (kind != StepKind.ACKNOWLEDGE || step.first() == 0);
    }
}
