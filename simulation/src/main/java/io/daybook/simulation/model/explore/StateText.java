// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.explore;

import static io.daybook.simulation.model.ModelShape.ACKED;
import static io.daybook.simulation.model.ModelShape.FENCED;
import static io.daybook.simulation.model.ModelShape.FRAGMENTS;
import static io.daybook.simulation.model.ModelShape.LOST;
import static io.daybook.simulation.model.ModelShape.METADATA;

import io.daybook.simulation.model.ModelShape;
import io.daybook.simulation.model.ModelState;
import io.daybook.simulation.model.StepKind;

/** A state in one line for people. */
final class StateText {
    private static final String[] METADATA_NAMES = {"OPEN", "IN_RECOVERY", "CLOSED"};

    private StateText() {}

    static String of(StepKind kind, int[] numbers, ModelState after) {
        return String.format("%-60s | %s", kind.describe(numbers[0], numbers[1], numbers[2]), of(after));
    }

    static String of(ModelState state) {
        ModelShape shape = state.shape;
        StringBuilder text = new StringBuilder(METADATA_NAMES[state.v[METADATA]]);
        if (state.isMetadata(ModelShape.CLOSED)) {
            text.append(" with ").append(state.v[ModelShape.END]);
        }
        for (int fragment = 0; fragment < state.v[FRAGMENTS]; fragment++) {
            text.append(' ').append(state.v[shape.fragmentFirst + fragment]).append(':');
            ensemble(text, state, shape.ensemble(fragment));
        }
        text.append(" acknowledged=").append(state.v[ACKED]);
        for (int entry = 0; entry < shape.entries; entry++) {
            bookies(text.append(" e").append(entry).append('='), state.v[shape.heldBy + entry]);
        }
        bookies(text.append(" fenced="), state.v[FENCED]);
        if (state.v[LOST] != 0) {
            bookies(text.append(" lost="), state.v[LOST]);
        }
        return text.toString();
    }

    private static void ensemble(StringBuilder text, ModelState state, int ensemble) {
        text.append('[');
        for (int slot = 0; slot < state.shape.ensembleSize; slot++) {
            text.append(slot == 0 ? "b" : " b").append(state.v[ensemble + slot]);
        }
        text.append(']');
    }

    private static void bookies(StringBuilder text, int mask) {
        text.append('{');
        boolean isFirst = true;
        for (int bookie = 0; bookie < Integer.SIZE; bookie++) {
            if ((mask >>> bookie & 1) != 0) {
                text.append(isFirst ? "b" : " b").append(bookie);
                isFirst = false;
            }
        }
        text.append('}');
    }
}
