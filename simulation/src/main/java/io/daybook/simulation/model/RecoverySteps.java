// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

import static io.daybook.simulation.model.ModelShape.ACKED;
import static io.daybook.simulation.model.ModelShape.AWAY;
import static io.daybook.simulation.model.ModelShape.CHANGE;
import static io.daybook.simulation.model.ModelShape.CLOSED;
import static io.daybook.simulation.model.ModelShape.COMPLETE;
import static io.daybook.simulation.model.ModelShape.DECIDED;
import static io.daybook.simulation.model.ModelShape.END;
import static io.daybook.simulation.model.ModelShape.FENCED;
import static io.daybook.simulation.model.ModelShape.FENCING;
import static io.daybook.simulation.model.ModelShape.FOUND;
import static io.daybook.simulation.model.ModelShape.IN_RECOVERY;
import static io.daybook.simulation.model.ModelShape.MAY_REPLACE;
import static io.daybook.simulation.model.ModelShape.METADATA;
import static io.daybook.simulation.model.ModelShape.OPEN;
import static io.daybook.simulation.model.ModelShape.PHASE;
import static io.daybook.simulation.model.ModelShape.PRIVATE_FIRST;
import static io.daybook.simulation.model.ModelShape.SEARCHING;
import static io.daybook.simulation.model.ModelShape.STALE;
import static io.daybook.simulation.model.ModelShape.WRITING;
import static io.daybook.simulation.model.ModelShape.WRITTEN;

/**
 * What recoverers do: {@code ledger.recovery} in the abstract. Reads are answered at once or never: an answer on its way could as well have come before,
 * since nobody but the recoverer sees it and it need not act on it. A recoverer that dies, or whose compare-and-set is late, takes no step.
 */
final class RecoverySteps {
    private RecoverySteps() {}

    static void take(Steps steps) {
        ModelState from = steps.from();
        if (from.isMetadata(CLOSED)) {
            return;
        }
        boolean mayBegin = true;
        for (int r = 0; r < from.shape.recoverers; r++) {
            switch (from.recoverer(r, PHASE)) {
                case AWAY -> {
                    // Those who have not begun are alike.
                    if (mayBegin) {
                        mayBegin = false;
                        begin(steps, r);
                    }
                }
                case FENCING -> search(steps, r);
                default -> {
                    decide(steps, r);
                    copied(steps, r);
                    replace(steps, r);
                    close(steps, r);
                }
            }
        }
    }

    private static void begin(Steps steps, int r) {
        ModelState next = steps.begin();
        boolean isFirst = next.isMetadata(OPEN);
        if (isFirst) {
            if (next.v[CHANGE] == WRITING) {
                next.reaches(ModelSituation.RECOVERY_OVERTAKES_ENSEMBLE_CHANGE);
            } else if (next.v[CHANGE] == WRITTEN) {
                next.reaches(ModelSituation.UNKNOWN_CHANGE_TOOK_EFFECT);
            }
            next.v[METADATA] = IN_RECOVERY;
        }
        attempt(next, r);
        steps.end(isFirst ? StepKind.BEGIN_RECOVERY : StepKind.JOIN_RECOVERY, r, 0, 0);
    }

    private static void attempt(ModelState next, int r) {
        next.recovererAway(r);
        next.recoverer(r, PHASE, FENCING);
        next.setEnsemble(next.shape.baseEnsemble(r), next.lastEnsemble());
        next.recoverer(r, FOUND, next.lastFirst());
        next.recoverer(r, COMPLETE, next.lastFirst());
    }

    private static void search(Steps steps, int r) {
        ModelState from = steps.from();
        ModelShape shape = from.shape;
        if (!from.coversEveryWriteSet(shape.baseEnsemble(r), from.v[FENCED])) {
            return;
        }
        int fragmentFirst = from.recoverer(r, FOUND);
        int lowest = shape.config.has(ModelDefect.D2) ? 0 : fragmentFirst;
        int highest = Math.max(fragmentFirst, confirmedAt(from, r));
        for (int first = lowest; first <= highest; first++) {
            ModelState next = steps.begin();
            next.recoverer(r, PHASE, SEARCHING);
            next.recoverer(r, FOUND, first);
            next.recoverer(r, COMPLETE, first);
            for (int other = 0; other < shape.recoverers; other++) {
                if (other != r && next.recoverer(other, PHASE) == SEARCHING) {
                    next.reaches(ModelSituation.TWO_RECOVERERS_SEARCH);
                }
            }
            if (first > 0) {
                next.reaches(ModelSituation.RECOVERY_STARTS_ABOVE_ZERO);
            }
            steps.end(StepKind.SEARCH, r, first, 0);
        }
    }

    /** How many entries the fenced bookies may say to be confirmed; an older answer says less. */
    private static int confirmedAt(ModelState from, int r) {
        ModelShape shape = from.shape;
        if (!shape.config.freedom().hasReaders()) {
            return from.v[ACKED];
        }
        int asked = from.members(shape.baseEnsemble(r)) & from.v[FENCED];
        int confirmed = 0;
        for (int bookie = 0; bookie < shape.bookies; bookie++) {
            if ((asked & (1 << bookie)) != 0) {
                confirmed = Math.max(confirmed, from.v[shape.confirmed + bookie]);
            }
        }
        return confirmed;
    }

    // ---- the end ----

    private static void decide(Steps steps, int r) {
        ModelState from = steps.from();
        if (from.recoverer(r, DECIDED) != 0) {
            return;
        }
        int entry = from.recoverer(r, FOUND);
        boolean isAbsent = isAbsent(from, r, entry);
        if (entry < from.shape.entries && holders(from, r, entry) != 0) {
            present(steps, r, entry, isAbsent);
        }
        if (isAbsent) {
            absent(steps, r, entry);
        }
    }

    private static int holders(ModelState from, int r, int entry) {
        int readable = from.shape.config.has(ModelDefect.D1) ? -1 : from.v[FENCED];
        return from.v[from.shape.heldBy + entry] & from.writeSet(from.readEnsemble(r), entry) & readable;
    }

    private static boolean isAbsent(ModelState from, int r, int entry) {
        if (entry == from.shape.entries) {
            return true; // The writer never sends it; all who were fenced deny it.
        }
        int deniers = from.v[from.shape.deniedBy(r, entry)] & from.writeSet(from.readEnsemble(r), entry);
        return from.shape.config.has(ModelDefect.D3) ? deniers != 0 : from.isCover(deniers);
    }

    private static void present(Steps steps, int r, int entry, boolean isAbsentToo) {
        ModelState next = steps.begin();
        if (isAbsentToo) {
            next.reaches(ModelSituation.EITHER_VERDICT_POSSIBLE);
        }
        next.recoverer(r, FOUND, entry + 1);
        next.v[next.shape.copyTo(r, entry)] |= next.writeSet(next.copyEnsemble(r), entry);
        for (int other = 0; other < next.shape.recoverers; other++) {
            if (other != r && next.recoverer(other, COMPLETE) < next.recoverer(other, FOUND)) {
                next.reaches(ModelSituation.TWO_RECOVERERS_COPY);
            }
        }
        steps.end(StepKind.PRESENT, r, entry, 0);
    }

    private static void absent(Steps steps, int r, int entry) {
        ModelState next = steps.begin();
        next.recoverer(r, DECIDED, entry + 1);
        for (int other = 0; other < next.shape.recoverers; other++) {
            int decided = next.recoverer(other, DECIDED);
            if (decided != 0 && decided != entry + 1) {
                next.reaches(ModelSituation.TWO_ENDS_DECIDED);
            }
        }
        steps.end(StepKind.ABSENT, r, entry, 0);
    }

    // ---- copies ----

    private static void copied(Steps steps, int r) {
        if (isNextCopied(steps.from(), r)) {
            ModelState next = steps.begin();
            int entry = next.recoverer(r, COMPLETE);
            next.recoverer(r, COMPLETE, entry + 1);
            steps.end(StepKind.COPIED, r, entry, 0);
        }
    }

    /** Whether the first entry that is not complete has enough copies. */
    static boolean isNextCopied(ModelState state, int r) {
        int entry = state.recoverer(r, COMPLETE);
        return entry < state.recoverer(r, FOUND)
                && state.isAckQuorum(
                        state.v[state.shape.heldBy + entry] & state.writeSet(state.copyEnsemble(r), entry));
    }

    private static void replace(Steps steps, int r) {
        ModelState from = steps.from();
        boolean isCopying = from.recoverer(r, COMPLETE) < from.recoverer(r, FOUND);
        if (!isCopying || from.recoverer(r, MAY_REPLACE) == 0) {
            return;
        }
        int spares = from.alive() & ~from.members(from.shape.baseEnsemble(r));
        for (int slot = 0; slot < from.shape.ensembleSize; slot++) {
            for (int bookie = 0; bookie < from.shape.bookies; bookie++) {
                if ((spares & (1 << bookie)) != 0) {
                    replace(steps, r, slot, bookie);
                }
            }
        }
    }

    private static void replace(Steps steps, int r, int slot, int bookie) {
        ModelState next = steps.begin();
        ModelShape shape = next.shape;
        int first = next.recoverer(r, COMPLETE);
        int replaced = next.v[shape.baseEnsemble(r) + slot];
        next.recoverer(r, MAY_REPLACE, 0);
        next.recoverer(r, PRIVATE_FIRST, first + 1);
        next.setEnsemble(shape.privateEnsemble(r), shape.baseEnsemble(r));
        next.v[shape.privateEnsemble(r) + slot] = bookie;
        for (int entry = first; entry < next.recoverer(r, FOUND); entry++) {
            if (next.keeps(slot, entry)) {
                next.v[shape.copyTo(r, entry)] |= 1 << bookie;
            }
        }
        next.reaches(ModelSituation.RECOVERY_REPLACES_MEMBER);
        for (int other = 0; other < shape.recoverers; other++) {
            if (other != r && next.hasPrivateEnsemble(other)) {
                next.reaches(ModelSituation.BOTH_REPLACE_MEMBERS);
            }
        }
        if (first < next.lastFirst()) {
            next.breaks(Property.L8);
        }
        boolean isStored =
                shape.config.has(ModelDefect.D4) && next.isMetadata(IN_RECOVERY) && next.recoverer(r, STALE) == 0;
        if (isStored) {
            next.changeFragments(first, shape.privateEnsemble(r));
            for (int each = 0; each < shape.recoverers; each++) {
                int isBehind = next.recoverer(each, PHASE) == AWAY ? 0 : 1;
                next.recoverer(each, STALE, isBehind);
            }
        }
        steps.end(StepKind.REPLACE, r, replaced, bookie);
    }

    // ---- the closing compare-and-set ----

    private static void close(Steps steps, int r) {
        ModelState from = steps.from();
        int decided = from.recoverer(r, DECIDED);
        if (decided == 0 || from.recoverer(r, COMPLETE) < from.recoverer(r, FOUND)) {
            return;
        }
        ModelState next = steps.begin();
        if (next.recoverer(r, STALE) != 0) {
            attempt(next, r);
            steps.end(StepKind.BEGIN_AGAIN, r, 0, 0);
            return;
        }
        int end = decided - 1;
        next.v[METADATA] = CLOSED;
        next.v[END] = end;
        if (next.hasPrivateEnsemble(r)) {
            next.changeFragments(next.recoverer(r, PRIVATE_FIRST) - 1, next.shape.privateEnsemble(r));
        }
        if (end > next.v[ACKED]) {
            next.reaches(ModelSituation.UNACKNOWLEDGED_ENTRY_KEPT);
        }
        if (end < next.shape.entries && next.v[next.shape.heldBy + end] != 0) {
            next.reaches(ModelSituation.UNACKNOWLEDGED_ENTRY_CUT);
        }
        steps.end(StepKind.RECOVERY_CLOSES, r, end, 0);
    }
}
