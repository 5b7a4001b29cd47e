// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

import static io.daybook.simulation.model.ModelShape.ACKED;
import static io.daybook.simulation.model.ModelShape.CHANGE;
import static io.daybook.simulation.model.ModelShape.CHANGE_FIRST;
import static io.daybook.simulation.model.ModelShape.CLOSED;
import static io.daybook.simulation.model.ModelShape.COMPLETE;
import static io.daybook.simulation.model.ModelShape.DECIDED;
import static io.daybook.simulation.model.ModelShape.ENDED;
import static io.daybook.simulation.model.ModelShape.FENCED;
import static io.daybook.simulation.model.ModelShape.FOUND;
import static io.daybook.simulation.model.ModelShape.IDLE;
import static io.daybook.simulation.model.ModelShape.LOST;
import static io.daybook.simulation.model.ModelShape.MAY_REPLACE;
import static io.daybook.simulation.model.ModelShape.OPEN;
import static io.daybook.simulation.model.ModelShape.PHASE;
import static io.daybook.simulation.model.ModelShape.SEARCHING;
import static io.daybook.simulation.model.ModelShape.SENT_COUNT;
import static io.daybook.simulation.model.ModelShape.VOID;

/**
 * Forgets what can make no difference any more and takes at once what only adds to the choices that follow, so that fewer states are to be visited:
 *
 * <ul>
 *   <li>a message to a bookie that would change nothing there is as good as lost;
 *   <li>a denial is heard as soon as it can be given, as hearing it obliges to nothing;
 *   <li>a writer whose ensemble change cannot succeed has ended; so have all recoverers of a closed ledger, as they write nothing into metadata.
 * </ul>
 */
final class NormalForm {
    private NormalForm() {}

    static void settle(ModelState state) {
        endWriter(state);
        if (state.isMetadata(CLOSED)) {
            for (int r = 0; r < state.shape.recoverers; r++) {
                state.recovererAway(r);
            }
        }
        dropMessages(state);
        for (int r = 0; r < state.shape.recoverers; r++) {
            recoverer(state, r);
        }
        if (state.shape.config.freedom().hasReaders()) {
            voidEntries(state);
        } else {
            for (int entry = 0; entry < state.shape.entries; entry++) {
                state.v[state.shape.carried + entry] = 0;
            }
            for (int bookie = 0; bookie < state.shape.bookies; bookie++) {
                state.v[state.shape.confirmed + bookie] = 0;
            }
        }
    }

    private static void endWriter(ModelState state) {
        ModelConfig config = state.shape.config;
        boolean goesOnRegardless = config.has(ModelDefect.D7) || config.has(ModelDefect.D8);
        boolean isUnsettled = state.v[CHANGE] != IDLE && state.v[CHANGE] != ENDED;
        if (isUnsettled && !state.isMetadata(OPEN) && !goesOnRegardless) {
            state.v[CHANGE] = ENDED;
        }
        if (state.v[CHANGE] == IDLE || state.v[CHANGE] == ENDED) {
            state.v[CHANGE_FIRST] = 0;
            state.forget(state.shape.targetEnsemble);
        }
        if (state.v[CHANGE] == ENDED) {
            state.forget(state.shape.writerEnsemble);
            state.forget(state.shape.formerEnsemble);
        }
    }

    private static void dropMessages(ModelState state) {
        ModelShape shape = state.shape;
        int deaf = shape.config.has(ModelDefect.D9) ? 0 : state.v[FENCED] | state.v[LOST];
        for (int entry = 0; entry < shape.entries; entry++) {
            boolean isAwaited = entry >= state.v[ACKED] && state.v[CHANGE] != ENDED;
            if (!isAwaited) {
                state.v[shape.ackedBy + entry] = 0;
            }
            int known = isAwaited ? state.v[shape.ackedBy + entry] : state.v[shape.heldBy + entry];
            state.v[shape.sentTo + entry] &= ~(deaf | known);
            if (entry >= state.v[SENT_COUNT]) {
                state.v[shape.carried + entry] = 0;
            }
        }
    }

    private static void recoverer(ModelState state, int r) {
        if (state.recoverer(r, PHASE) != SEARCHING) {
            return;
        }
        ModelShape shape = state.shape;
        int readable = shape.config.has(ModelDefect.D1) ? -1 : state.v[FENCED];
        int asked = state.members(state.readEnsemble(r)) & readable & ~state.v[LOST];
        boolean isOpen = state.recoverer(r, DECIDED) == 0;
        for (int entry = 0; entry < shape.entries; entry++) {
            int held = state.v[shape.heldBy + entry];
            if (isOpen && entry >= state.recoverer(r, FOUND)) {
                state.v[shape.deniedBy(r, entry)] |= asked & state.writeSet(state.readEnsemble(r), entry) & ~held;
            } else {
                state.v[shape.deniedBy(r, entry)] = 0;
            }
            state.v[shape.copyTo(r, entry)] &= ~(held | state.v[LOST]);
        }
        boolean mayReplace = state.recoverer(r, MAY_REPLACE) != 0 && shape.bookies > shape.ensembleSize;
        while (!mayReplace && RecoverySteps.isNextCopied(state, r)) {
            state.recoverer(r, COMPLETE, state.recoverer(r, COMPLETE) + 1);
        }
    }

    private static void voidEntries(ModelState state) {
        if (state.coversEveryWriteSet(state.lastEnsemble(), state.v[FENCED])) {
            for (int entry = state.v[ACKED]; entry < state.shape.entries; entry++) {
                if ((state.v[state.shape.heldBy + entry] | state.v[state.shape.ackedBy + entry]) == 0) {
                    state.v[VOID] |= 1 << entry;
                }
            }
        }
    }
}
