// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.Quorums;
import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelConfig.Freedom;
import io.daybook.simulation.model.ModelDefect;
import io.daybook.simulation.model.ModelShape;
import io.daybook.simulation.model.ModelState;
import io.daybook.simulation.model.ProtocolModel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Packed states: nothing is lost but names. */
final class PackingTest {
    static Stream<ModelConfig> configs() {
        ModelConfig large = new ModelConfig(new Quorums(4, 3, 2), 4, 6, 3, new Freedom(2, 1, 1, true));
        ModelConfig small = new ModelConfig(new Quorums(3, 3, 2), 2, 4, 2, new Freedom(1, 1, 0, false));
        return Stream.of(
                large,
                small,
                large.without(ModelDefect.D6),
                small.without(ModelDefect.D8),
                small.without(ModelDefect.D4));
    }

    @ParameterizedTest
    @MethodSource("configs")
    void aStatePackedUnpackedAndPackedAgainIsTheSame(ModelConfig config) {
        Packing packing = new Packing(new ModelShape(config));
        long[] once = new long[packing.words()];
        long[] again = new long[packing.words()];
        ModelState unpacked = ModelState.initial(new ModelShape(config));

        visit(config, state -> {
            packing.pack(state, once);
            packing.unpack(once, unpacked);
            packing.pack(unpacked, again);
            assertThat(again).as("%s", StateText.of(state)).isEqualTo(once);
        });
    }

    @ParameterizedTest
    @MethodSource("configs")
    void statesThatDifferInNamesOnlyHaveOnePackedForm(ModelConfig config) {
        ModelShape shape = new ModelShape(config);
        Packing packing = new Packing(shape);
        long[] one = new long[packing.words()];
        long[] other = new long[packing.words()];

        visit(config, state -> {
            packing.pack(state, one);
            packing.pack(renamed(state), other);
            assertThat(other).as("%s", StateText.of(state)).isEqualTo(one);
        });
    }

    /** The states of some deterministic ways through the model. */
    private static void visit(ModelConfig config, Consumer<ModelState> visitor) {
        ProtocolModel model = new ProtocolModel(config);
        for (int way = 1; way < 60; way++) {
            ModelState state = model.initial();
            for (int depth = 0; depth < 60; depth++) {
                List<ModelState> next = new ArrayList<>();
                model.next(state, (kind, first, second, third, each) -> next.add(each.copy()));
                if (next.isEmpty()) {
                    break;
                }
                state = next.get((way * 7919 + depth * depth * 31) % next.size());
                visitor.accept(state);
            }
        }
    }

    /** The same state with bookies and recoverers numbered from the other end. */
    private static ModelState renamed(ModelState state) {
        ModelShape shape = state.shape;
        ModelState renamed = state.copy();
        for (int i : new int[] {ModelShape.FENCED, ModelShape.LOST}) {
            renamed.v[i] = mask(shape, state.v[i]);
        }
        for (int i = shape.sentTo; i < shape.carried; i++) {
            renamed.v[i] = mask(shape, state.v[i]);
        }
        for (int i = shape.ensembles; i < shape.sentTo; i++) {
            renamed.v[i] = bookie(shape, state.v[i]);
        }
        for (int bookie = 0; bookie < shape.bookies; bookie++) {
            renamed.v[shape.confirmed + bookie(shape, bookie)] = state.v[shape.confirmed + bookie];
        }
        for (int r = 0; r < shape.recoverers; r++) {
            int other = shape.recoverers - 1 - r;
            System.arraycopy(state.v, shape.recoverer(r), renamed.v, shape.recoverer(other), shape.recovererSize);
            for (int slot = 0; slot < 2 * shape.ensembleSize; slot++) {
                int at = shape.baseEnsemble(other) + slot;
                renamed.v[at] = bookie(shape, renamed.v[at]);
            }
            for (int i = 0; i < 2 * shape.entries; i++) {
                int at = shape.deniedBy(other, 0) + i;
                renamed.v[at] = mask(shape, renamed.v[at]);
            }
        }
        return renamed;
    }

    private static int bookie(ModelShape shape, int bookie) {
        return bookie < 0 ? bookie : shape.bookies - 1 - bookie;
    }

    private static int mask(ModelShape shape, int mask) {
        return Integer.reverse(mask) >>> (Integer.SIZE - shape.bookies);
    }
}
