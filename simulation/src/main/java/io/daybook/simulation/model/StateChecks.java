// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

import static io.daybook.simulation.model.ModelShape.ACKED;
import static io.daybook.simulation.model.ModelShape.CLOSED;
import static io.daybook.simulation.model.ModelShape.END;
import static io.daybook.simulation.model.ModelShape.FRAGMENTS;
import static io.daybook.simulation.model.ModelShape.LOST;
import static io.daybook.simulation.model.ModelShape.SEEN;

/** What must hold in every state, whichever steps led to it. */
final class StateChecks {
    private StateChecks() {}

    static void check(ModelState state) {
        boolean isClosed = state.isMetadata(CLOSED);
        int end = state.v[END];
        if (isClosed && state.v[ACKED] > end) {
            state.breaks(Property.L3);
        }
        if (isClosed && state.v[SEEN] > end) {
            state.breaks(Property.L11);
        }
        checkFragments(state, isClosed);
        int promised = isClosed ? Math.max(end, state.v[ACKED]) : state.v[ACKED];
        for (int entry = 0; entry < promised; entry++) {
            checkCopies(state, entry);
        }
        for (int entry = 0; entry < state.shape.entries; entry++) {
            int held = state.v[state.shape.heldBy + entry];
            int raised = state.v[state.shape.raisedOn + entry];
            if (raised != 0 && raised != held) {
                state.breaks(Property.L12);
            }
        }
        int limit = isClosed ? Math.min(end, state.v[ACKED]) : state.v[ACKED];
        for (int bookie = 0; bookie < state.shape.bookies; bookie++) {
            if (state.v[state.shape.confirmed + bookie] > limit) {
                state.breaks(Property.L10);
            }
        }
    }

    private static void checkFragments(ModelState state, boolean isClosed) {
        int at = state.shape.fragmentFirst;
        int previous = -1;
        for (int fragment = 0; fragment < state.v[FRAGMENTS]; fragment++) {
            int first = state.v[at + fragment];
            if (first <= previous || (fragment == 0 && first != 0)) {
                state.breaks(Property.L8);
            }
            previous = first;
        }
        if (isClosed && previous > state.v[END]) {
            state.breaks(Property.L8);
        }
    }

    /** A lost bookie took a copy with it, at most: so many fewer there may be. */
    private static void checkCopies(ModelState state, int entry) {
        int writeSet = state.writeSet(state.ensembleOf(entry), entry);
        if (!state.isAckQuorum((state.v[state.shape.heldBy + entry] | state.v[LOST]) & writeSet)) {
            state.breaks(Property.L2);
        }
    }
}
