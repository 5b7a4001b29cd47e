// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

import static io.daybook.simulation.model.ModelShape.ACKED;
import static io.daybook.simulation.model.ModelShape.CHANGE;
import static io.daybook.simulation.model.ModelShape.CHANGES_LEFT;
import static io.daybook.simulation.model.ModelShape.CHANGE_FIRST;
import static io.daybook.simulation.model.ModelShape.CLOSED;
import static io.daybook.simulation.model.ModelShape.ENDED;
import static io.daybook.simulation.model.ModelShape.IDLE;
import static io.daybook.simulation.model.ModelShape.METADATA;
import static io.daybook.simulation.model.ModelShape.OPEN;
import static io.daybook.simulation.model.ModelShape.SENT_COUNT;
import static io.daybook.simulation.model.ModelShape.VOID;
import static io.daybook.simulation.model.ModelShape.WRITING;
import static io.daybook.simulation.model.ModelShape.WRITTEN;

/**
 * What the writer does: {@code ledger.write} in the abstract. That it hears late, or never, of a fence or of an acknowledgement is that it does not take
 * the step; so acknowledgements on their way, time-outs and the writer's death need no variables of their own.
 */
final class WriterSteps {
    private WriterSteps() {}

    static void take(Steps steps) {
        int[] v = steps.from().v;
        if (v[CHANGE] == ENDED) {
            return;
        }
        send(steps);
        acknowledge(steps);
        beginChange(steps);
        if (v[CHANGE] == WRITING) {
            settleChange(steps);
        } else if (v[CHANGE] == WRITTEN && v[METADATA] == OPEN) {
            learnChange(steps);
        }
        if (v[CHANGE] == IDLE && v[METADATA] == OPEN && v[ACKED] == v[SENT_COUNT]) {
            close(steps);
        }
    }

    private static void send(Steps steps) {
        ModelShape shape = steps.from().shape;
        int entry = steps.from().v[SENT_COUNT];
        if (entry < shape.entries) {
            ModelState next = steps.begin();
            next.v[SENT_COUNT]++;
            next.v[shape.sentTo + entry] = next.writeSet(shape.writerEnsemble, entry);
            next.v[shape.carried + entry] = next.v[ACKED];
            steps.end(StepKind.SEND, entry, 0, 0);
        }
    }

    private static void acknowledge(Steps steps) {
        ModelState from = steps.from();
        ModelConfig config = from.shape.config;
        int entry = from.v[ACKED];
        boolean isUnsettled = from.v[CHANGE] == WRITING || from.v[CHANGE] == WRITTEN;
        boolean isFrozen = isUnsettled && !config.has(ModelDefect.D7) && !config.has(ModelDefect.D8);
        if (entry == from.v[SENT_COUNT] || isFrozen || !from.isAckQuorum(countedCopies(from, entry))) {
            return;
        }
        ModelState next = steps.begin();
        next.v[ACKED]++;
        if (isUnsettled && entry >= from.v[CHANGE_FIRST]) {
            next.breaks(Property.L9);
        }
        if ((from.v[VOID] & (1 << entry)) != 0) {
            next.breaks(Property.L5);
        }
        if (from.isMetadata(CLOSED)) {
            next.reaches(ModelSituation.ACKNOWLEDGED_AFTER_CLOSE);
        }
        steps.end(StepKind.ACKNOWLEDGE, entry, 0, 0);
    }

    /** The members whose answers the writer counts for an entry. */
    private static int countedCopies(ModelState from, int entry) {
        ModelShape shape = from.shape;
        int ackedBy = from.v[shape.ackedBy + entry];
        int counted = ackedBy & from.writeSet(shape.writerEnsemble, entry);
        if (shape.config.has(ModelDefect.D8)) {
            for (int slot = 0; slot < shape.ensembleSize; slot++) {
                int former = ModelState.bit(from.v[shape.formerEnsemble + slot]);
                if (from.keeps(slot, entry) && (ackedBy & former) != 0) {
                    counted |= ModelState.bit(from.v[shape.writerEnsemble + slot]);
                }
            }
        }
        return counted;
    }

    // ---- ensemble changes ----

    private static void beginChange(Steps steps) {
        ModelState from = steps.from();
        ModelShape shape = from.shape;
        if (from.v[CHANGE] != IDLE || from.v[CHANGES_LEFT] == 0 || !from.isMetadata(OPEN)) {
            return;
        }
        int spares = from.alive() & ~from.members(shape.writerEnsemble);
        for (int slot = 0; slot < shape.ensembleSize; slot++) {
            for (int bookie = 0; bookie < shape.bookies; bookie++) {
                if ((spares & (1 << bookie)) != 0) {
                    beginChange(steps, slot, bookie);
                }
            }
        }
    }

    private static void beginChange(Steps steps, int slot, int bookie) {
        ModelState next = steps.begin();
        ModelShape shape = next.shape;
        int replaced = next.v[shape.writerEnsemble + slot];
        next.v[CHANGE] = WRITING;
        next.v[CHANGES_LEFT]--;
        next.v[CHANGE_FIRST] = next.v[ACKED];
        next.setEnsemble(shape.targetEnsemble, shape.writerEnsemble);
        next.v[shape.targetEnsemble + slot] = bookie;
        if (shape.config.has(ModelDefect.D7)) {
            install(next);
        }
        steps.end(StepKind.BEGIN_CHANGE, replaced, bookie, next.v[CHANGE_FIRST]);
    }

    private static void settleChange(Steps steps) {
        ModelState next = steps.begin();
        next.v[CHANGE] = IDLE;
        next.reaches(ModelSituation.CHANGE_ABANDONED);
        steps.end(StepKind.ABANDON_CHANGE, 0, 0, 0);
        if (steps.from().isMetadata(OPEN)) {
            next = steps.begin();
            next.v[CHANGE] = WRITTEN;
            next.changeFragments(next.v[CHANGE_FIRST], next.shape.targetEnsemble);
            steps.end(StepKind.WRITE_CHANGE, 0, 0, 0);
        }
    }

    private static void learnChange(Steps steps) {
        ModelState next = steps.begin();
        next.v[CHANGE] = IDLE;
        if (!next.shape.config.has(ModelDefect.D7)) {
            install(next);
        }
        if (next.v[ACKED] < next.v[SENT_COUNT]) {
            next.reaches(ModelSituation.CHANGE_RESENDS_ENTRIES);
        }
        steps.end(StepKind.LEARN_CHANGE, 0, 0, 0);
    }

    /** New members are sent what waits. What old members answered is not counted from here on, as they are no members. */
    private static void install(ModelState next) {
        ModelShape shape = next.shape;
        for (int slot = 0; slot < shape.ensembleSize; slot++) {
            int before = next.v[shape.writerEnsemble + slot];
            int after = next.v[shape.targetEnsemble + slot];
            if (before == after) {
                continue;
            }
            next.v[shape.writerEnsemble + slot] = after;
            if (shape.config.has(ModelDefect.D8)) {
                next.v[shape.formerEnsemble + slot] = before;
            }
            for (int entry = next.v[ACKED]; entry < next.v[SENT_COUNT]; entry++) {
                if (next.keeps(slot, entry)) {
                    next.v[shape.sentTo + entry] |= 1 << after;
                }
            }
        }
    }

    private static void close(Steps steps) {
        ModelState next = steps.begin();
        if (next.v[ModelShape.FRAGMENTS] > 1) {
            next.reaches(ModelSituation.WRITER_CLOSES_AFTER_CHANGE);
        }
        next.v[METADATA] = CLOSED;
        next.v[ModelShape.END] = next.v[ACKED];
        next.v[CHANGE] = ENDED;
        steps.end(StepKind.WRITER_CLOSES, next.v[ACKED], 0, 0);
    }
}
