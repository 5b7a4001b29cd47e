// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

import static io.daybook.simulation.model.ModelShape.ACKED;
import static io.daybook.simulation.model.ModelShape.CLOSED;
import static io.daybook.simulation.model.ModelShape.END;
import static io.daybook.simulation.model.ModelShape.FENCED;
import static io.daybook.simulation.model.ModelShape.LOST;
import static io.daybook.simulation.model.ModelShape.SEEN;
import static io.daybook.simulation.model.ModelShape.WIPES_LEFT;

/**
 * What bookies do with the messages that reach them: {@code bookie.ledgers} in the abstract. A message once sent may arrive at any time, again and again,
 * or never; a bookie that is down is one that nothing reaches. What it took is durable.
 */
final class BookieSteps {
    private BookieSteps() {}

    static void take(Steps steps) {
        ModelShape shape = steps.from().shape;
        for (int bookie = 0; bookie < shape.bookies; bookie++) {
            if ((steps.from().v[LOST] & (1 << bookie)) != 0) {
                continue;
            }
            for (int entry = 0; entry < shape.entries; entry++) {
                store(steps, bookie, entry);
            }
            fence(steps, bookie);
            wipe(steps, bookie);
            publish(steps, bookie);
        }
        read(steps);
    }

    private static void store(Steps steps, int bookie, int entry) {
        ModelState from = steps.from();
        ModelShape shape = from.shape;
        int bit = 1 << bookie;
        boolean isSent = (from.v[shape.sentTo + entry] & bit) != 0;
        if (isSent && (from.v[FENCED] & bit) == 0) {
            ModelState next = steps.begin();
            next.v[shape.sentTo + entry] &= ~bit;
            next.v[shape.ackedBy + entry] |= bit;
            if (!from.isHeldBy(entry, bookie)) {
                next.v[shape.heldBy + entry] |= bit;
                confirm(next, bookie, next.v[shape.carried + entry]);
                checkPromise(next, bookie, entry);
            }
            if (from.isMetadata(CLOSED) && entry >= from.v[END]) {
                next.reaches(ModelSituation.STORED_BEYOND_END);
            }
            steps.end(StepKind.STORE, bookie, entry, 0);
        }
        for (int r = 0; r < shape.recoverers; r++) {
            if ((from.v[shape.copyTo(r, entry)] & bit) != 0) {
                copy(steps, bookie, entry, r);
            }
        }
    }

    private static void checkPromise(ModelState next, int bookie, int entry) {
        for (int r = 0; r < next.shape.recoverers; r++) {
            if ((next.v[next.shape.deniedBy(r, entry)] & (1 << bookie)) != 0) {
                next.breaks(Property.L6);
            }
        }
    }

    private static void copy(Steps steps, int bookie, int entry, int recoverer) {
        ModelState next = steps.begin();
        ModelShape shape = next.shape;
        int bit = 1 << bookie;
        next.v[shape.heldBy + entry] |= bit;
        int confirmation = next.v[shape.carried + entry];
        if (shape.config.has(ModelDefect.D6) && confirmation < entry) {
            next.v[shape.raisedOn + entry] |= bit;
            confirmation = entry;
        }
        confirm(next, bookie, confirmation);
        for (int r = 0; r < shape.recoverers; r++) {
            if (r != recoverer && (next.v[shape.deniedBy(r, entry)] & bit) != 0) {
                next.reaches(ModelSituation.COPY_AFTER_DENIAL);
            }
        }
        steps.end(StepKind.COPY, bookie, entry, recoverer);
    }

    private static void confirm(ModelState next, int bookie, int entries) {
        int at = next.shape.confirmed + bookie;
        next.v[at] = Math.max(next.v[at], entries);
    }

    /** A fence, or a fencing read, of somebody who recovers the ledger. */
    private static void fence(Steps steps, int bookie) {
        ModelState from = steps.from();
        int bit = 1 << bookie;
        boolean isAsked = false;
        for (int r = 0; r < from.shape.recoverers; r++) {
            boolean isActive = from.recoverer(r, ModelShape.PHASE) != ModelShape.AWAY;
            int asked = isActive ? from.members(from.shape.baseEnsemble(r)) | from.members(from.readEnsemble(r)) : 0;
            isAsked |= (asked & bit) != 0;
        }
        if (isAsked && (from.v[FENCED] & bit) == 0) {
            ModelState next = steps.begin();
            next.v[FENCED] |= bit;
            steps.end(StepKind.FENCE, bookie, 0, 0);
        }
    }

    private static void wipe(Steps steps, int bookie) {
        ModelState from = steps.from();
        if (from.v[WIPES_LEFT] == 0) {
            return;
        }
        ModelState next = steps.begin();
        ModelShape shape = next.shape;
        int bit = 1 << bookie;
        next.v[WIPES_LEFT]--;
        for (int entry = 0; entry < shape.entries; entry++) {
            if (entry < next.v[ACKED] && next.isHeldBy(entry, bookie)) {
                next.reaches(ModelSituation.ACKNOWLEDGED_COPY_LOST);
            }
            next.v[shape.heldBy + entry] &= ~bit;
            next.v[shape.raisedOn + entry] &= ~bit;
        }
        next.v[shape.confirmed + bookie] = 0;
        if (shape.config.has(ModelDefect.D9)) {
            next.v[FENCED] &= ~bit;
        } else {
            next.v[LOST] |= bit;
        }
        steps.end(StepKind.WIPE, bookie, 0, 0);
    }

    /** A publication that is late carries an older confirmation: any up to the writer's own. */
    private static void publish(Steps steps, int bookie) {
        ModelState from = steps.from();
        int bit = 1 << bookie;
        boolean isMember = (from.members(from.shape.writerEnsemble) & bit) != 0;
        if (!from.shape.config.freedom().hasReaders() || !isMember || (from.v[FENCED] & bit) != 0) {
            return;
        }
        for (int entries = from.v[from.shape.confirmed + bookie] + 1; entries <= from.v[ACKED]; entries++) {
            ModelState next = steps.begin();
            confirm(next, bookie, entries);
            steps.end(StepKind.PUBLISH, bookie, entries, 0);
        }
    }

    /** A reader is given the next entry by a bookie that metadata names, when some bookie says that it is confirmed. */
    private static void read(Steps steps) {
        ModelState from = steps.from();
        ModelShape shape = from.shape;
        int entry = from.v[SEEN];
        if (!shape.config.freedom().hasReaders() || entry == shape.entries || from.isMetadata(CLOSED)) {
            return;
        }
        int told = 0;
        for (int bookie = 0; bookie < shape.bookies; bookie++) {
            told = Math.max(told, from.v[shape.confirmed + bookie]);
        }
        int holders = from.v[shape.heldBy + entry] & from.writeSet(from.ensembleOf(entry), entry);
        if (told > entry && holders != 0) {
            ModelState next = steps.begin();
            next.v[SEEN]++;
            next.reaches(ModelSituation.READ_BEFORE_CLOSE);
            steps.end(StepKind.READ, entry, 0, 0);
        }
    }
}
