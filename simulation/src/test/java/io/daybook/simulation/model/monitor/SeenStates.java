// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelState;
import io.daybook.simulation.model.Property;
import io.daybook.simulation.model.ProtocolModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Visits every state of a model together with everything that was told on the way there, and sees every step between them: so every way through the model is
 * seen, whichever its length, as a trace depends on nothing else.
 */
final class SeenStates {
    private final ProtocolModel model;
    private final Tally tally;
    private final Set<String> met = new HashSet<>();
    private final Deque<String> waiting = new ArrayDeque<>();
    private final Map<Property, Integer> unseen = new EnumMap<>(Property.class);

    private SeenStates(ModelConfig config, Tally tally) {
        this.model = new ProtocolModel(config);
        this.tally = tally;
    }

    /**
     * What came of it.
     *
     * @param states how many there were
     * @param unseen what was broken in steps that the trace took, and in how many; no way leads on from there
     */
    record Result(int states, Map<Property, Integer> unseen) {}

    /** Visits all that no refused step leads to. */
    static Result visit(ModelConfig config, Tally tally) {
        return new SeenStates(config, tally).visit();
    }

    private Result visit() {
        ModelState state = model.initial();
        meet(state, new SeenLedger(model.shape(), tally::saw).told());
        while (!waiting.isEmpty()) {
            int[] told = read(waiting.remove(), state);
            model.next(state, (kind, first, second, third, next) -> {
                SeenLedger ledger = new SeenLedger(model.shape(), told, tally::saw);
                tally.see(ledger, new Step(kind, first, second, third), state, next);
                if (ledger.refusals().isEmpty()) {
                    taken(next, ledger.told());
                }
            });
        }
        return new Result(met.size(), unseen);
    }

    private void taken(ModelState next, int[] told) {
        if (next.broken() == null) {
            meet(next, told);
        } else {
            unseen.merge(next.broken(), 1, Integer::sum);
        }
    }

    private void meet(ModelState state, int[] told) {
        byte[] bytes = new byte[state.v.length + told.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i < state.v.length ? state.v[i] : told[i - state.v.length]);
        }
        String packed = new String(bytes, StandardCharsets.ISO_8859_1);
        if (met.add(packed)) {
            waiting.add(packed);
        }
    }

    /** Bookies are so few that each set of them, and the none of an ensemble, is one signed byte. */
    private static int[] read(String packed, ModelState into) {
        byte[] bytes = packed.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < into.v.length; i++) {
            into.v[i] = bytes[i];
        }
        int[] told = new int[bytes.length - into.v.length];
        Arrays.setAll(told, i -> bytes[into.v.length + i]);
        return told;
    }
}
