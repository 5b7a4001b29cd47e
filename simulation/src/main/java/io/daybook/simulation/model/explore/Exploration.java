// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.explore;

import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelSituation;
import io.daybook.simulation.model.ModelState;
import io.daybook.simulation.model.Property;
import io.daybook.simulation.model.ProtocolModel;
import io.daybook.simulation.model.StepKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Visits every state of a model, nearest first, until there are no more or something is broken; then it tells a shortest way there.
 *
 * <p><i>Threading:</i> the thread that calls {@link #of}.
 */
public final class Exploration {
    private static final int ASK_EVERY = 1 << 12;

    private final ProtocolModel model;
    private final Packing packing;
    private final StateSet states;
    private final long[] packed;
    private long transitions;
    private final EnumSet<ModelSituation> reached = EnumSet.noneOf(ModelSituation.class);
    private int depth;
    private int currentNumber;
    private int brokenFrom;
    private @Nullable Property broken;
    private long @Nullable [] brokenState;

    private Exploration(ModelConfig config) {
        this.model = new ProtocolModel(config);
        this.packing = new Packing(model.shape());
        this.states = new StateSet(packing.words());
        this.packed = new long[packing.words()];
    }

    /**
     * What came of it.
     *
     * @param isComplete whether all states were visited
     * @param states how many were met that differ in more than names
     * @param transitions how many steps there are between them
     * @param depth steps on a shortest way to the farthest of them
     * @param reached what was met on the way
     */
    public record Result(
            boolean isComplete,
            int states,
            long transitions,
            int depth,
            EnumSet<ModelSituation> reached,
            Optional<Counterexample> counterexample) {}

    /** Explores; {@code goOn} is asked from time to time with the number of states met and ends it by saying no. */
    public static Result of(ModelConfig config, IntPredicate goOn) {
        return new Exploration(config).explore(goOn);
    }

    private Result explore(IntPredicate goOn) {
        ModelState state = model.initial();
        packing.pack(state, packed);
        states.add(packed, -1);
        long[] current = new long[packing.words()];
        boolean isCut = false;
        int levelEnd = 1;
        for (currentNumber = 0; currentNumber < states.size() && broken == null && !isCut; currentNumber++) {
            if (currentNumber == levelEnd) {
                levelEnd = states.size();
                depth++;
            }
            states.read(currentNumber, current);
            packing.unpack(current, state);
            int steps = model.next(state, this::onStep);
            transitions += steps;
            if (steps == 0 && broken == null && !model.mayEnd(state)) {
                onDeadEnd(state, current);
            }
            isCut = currentNumber % ASK_EVERY == 0 && !goOn.test(states.size());
        }
        return new Result(!isCut && broken == null, states.size(), transitions, depth, reached, counterexample());
    }

    private void onStep(StepKind kind, int first, int second, int third, ModelState next) {
        if (broken != null) {
            return;
        }
        reached.addAll(next.situations());
        packing.pack(next, packed);
        states.add(packed, currentNumber);
        if (next.broken() != null) {
            broken = next.broken();
            brokenState = packed.clone();
            brokenFrom = currentNumber;
        }
    }

    private void onDeadEnd(ModelState state, long[] packedState) {
        state.breaks(Property.V2);
        broken = state.broken();
        brokenState = packedState.clone();
        brokenFrom = states.parent(currentNumber);
    }

    // ---- the way to what is broken ----

    private Optional<Counterexample> counterexample() {
        if (broken == null || brokenState == null) {
            return Optional.empty();
        }
        List<long[]> way = new ArrayList<>();
        way.add(brokenState);
        for (int number = brokenFrom; number > 0; number = states.parent(number)) {
            long[] each = new long[packing.words()];
            states.read(number, each);
            way.add(0, each);
        }
        return Optional.of(new Counterexample(broken, words(way)));
    }

    /** Follows the way with the names kept, which packed states have lost. */
    private List<String> words(List<long[]> way) {
        List<String> words = new ArrayList<>();
        ModelState state = model.initial();
        words.add(StateText.of(state));
        for (long[] wanted : way) {
            Optional<ModelState> next = follow(state, wanted, words);
            if (next.isEmpty()) {
                throw new IllegalStateException("no step leads on from " + StateText.of(state));
            }
            state = next.get();
        }
        return words;
    }

    private Optional<ModelState> follow(ModelState state, long[] wanted, List<String> words) {
        List<ModelState> found = new ArrayList<>(1);
        long[] each = new long[packing.words()];
        model.next(state, (kind, first, second, third, next) -> {
            packing.pack(next, each);
            if (found.isEmpty() && Arrays.equals(each, wanted)) {
                found.add(next.copy());
                words.add(StateText.of(kind, new int[] {first, second, third}, next));
            }
        });
        return found.stream().findFirst();
    }
}
