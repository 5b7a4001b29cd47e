// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.explore;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelSituation;
import io.daybook.simulation.model.ModelState;
import io.daybook.simulation.model.Property;
import io.daybook.simulation.model.ProtocolModel;
import io.daybook.simulation.model.StepKind;
import io.daybook.simulation.model.Steps;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Goes through a model at random, again and again from the beginning: for constants that are too large to visit everything. */
public final class RandomWalk {
    private static final int STEPS_MAX = 400;

    private final ProtocolModel model;
    private final SimulatedRandom random;
    private final ModelState chosen;
    private StepKind chosenKind = StepKind.SEND;
    private int[] chosenNumbers = {};
    private int offered;
    private int steps;
    private final EnumSet<ModelSituation> reached = EnumSet.noneOf(ModelSituation.class);

    private RandomWalk(ModelConfig config, long seed, int number) {
        this.model = new ProtocolModel(config);
        this.random = new SimulatedRandom(seed, Stream.WORLD, number);
        this.chosen = model.initial();
    }

    /**
     * What came of walks.
     *
     * @param walks how many there were
     * @param steps how many they took together
     * @param reached what was met on the way
     */
    public record Result(
            int walks, long steps, EnumSet<ModelSituation> reached, Optional<Counterexample> counterexample) {}

    /** Walks until something is broken or {@code goOn} says no to the number of walks made. The same seed makes the same walks. */
    public static Result of(ModelConfig config, long seed, IntPredicate goOn) {
        long steps = 0;
        EnumSet<ModelSituation> reached = EnumSet.noneOf(ModelSituation.class);
        int walks = 0;
        Optional<Counterexample> found = Optional.empty();
        while (found.isEmpty() && goOn.test(walks)) {
            RandomWalk walk = new RandomWalk(config, seed, walks);
            Optional<Property> broken = walk.walk((kind, first, second, third, next) -> {});
            steps += walk.steps;
            reached.addAll(walk.reached);
            if (broken.isPresent()) {
                found = Optional.of(tell(new RandomWalk(config, seed, walks), broken.get()));
            }
            walks++;
        }
        return new Result(walks, steps, reached, found);
    }

    /** The walk of that number alone, each step of it handed to the sink; returns what it breaks. */
    public static Optional<Property> follow(ModelConfig config, long seed, int number, Steps.Sink sink) {
        return new RandomWalk(config, seed, number).walk(sink);
    }

    /** The same walk again, in words. */
    private static Counterexample tell(RandomWalk walk, Property broken) {
        List<String> words = new ArrayList<>();
        words.add(StateText.of(walk.model.initial()));
        walk.walk((kind, first, second, third, next) ->
                words.add(StateText.of(kind, new int[] {first, second, third}, next)));
        return new Counterexample(broken, words);
    }

    private Optional<Property> walk(Steps.Sink onStep) {
        ModelState state = model.initial();
        while (steps < STEPS_MAX) {
            offered = 0;
            model.next(state, this::offer);
            if (offered == 0) {
                if (!model.mayEnd(state)) {
                    state.breaks(Property.V2);
                }
                break;
            }
            steps++;
            state.becomeWhole(chosen);
            reached.addAll(state.situations());
            onStep.taken(chosenKind, chosenNumbers[0], chosenNumbers[1], chosenNumbers[2], state);
            if (state.broken() != null) {
                break;
            }
        }
        return Optional.ofNullable(state.broken());
    }

    private void offer(StepKind kind, int first, int second, int third, ModelState next) {
        offered++;
        if (random.nextBelow(offered) == 0) {
            chosen.becomeWhole(next);
            chosenKind = kind;
            chosenNumbers = new int[] {first, second, third};
        }
    }
}
