// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.Quorums;
import io.daybook.simulation.model.ModelConfig.Freedom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The normal form of states. */
final class NormalFormTest {
    @ParameterizedTest
    @EnumSource(ModelDefect.class)
    void theNormalFormOfANormalFormIsItself(ModelDefect defect) {
        ModelConfig config = new ModelConfig(new Quorums(4, 3, 2), 4, 6, 3, new Freedom(2, 1, 1, true));
        ProtocolModel model = new ProtocolModel(config.without(defect));
        for (int way = 1; way < 40; way++) {
            ModelState state = model.initial();
            List<ModelState> next = nextOf(model, state);
            for (int depth = 0; depth < 60 && !next.isEmpty(); depth++) {
                state = next.get((way * 7919 + depth * depth * 31) % next.size());
                ModelState again = state.copy();
                NormalForm.settle(again);

                assertThat(again.v).isEqualTo(state.v);
                next = nextOf(model, state);
            }
        }
    }

    private static List<ModelState> nextOf(ProtocolModel model, ModelState state) {
        List<ModelState> next = new ArrayList<>();
        model.next(state, (kind, first, second, third, each) -> next.add(each.copy()));
        return next;
    }
}
