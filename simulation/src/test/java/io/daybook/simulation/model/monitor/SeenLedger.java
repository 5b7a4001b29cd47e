// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import static io.daybook.simulation.model.monitor.MetadataOfModel.bookie;

import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.WriteToken;
import io.daybook.simulation.model.ModelShape;
import io.daybook.simulation.model.ModelState;
import io.daybook.simulation.model.Property;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A ledger of the model, seen from outside: of each step what bookies answer, what clients send, what the register takes and what the writer's caller is told
 * goes to a {@link LedgerTrace}; nothing that a participant keeps to itself does.
 *
 * <p>An answer is seen when the bookie gives it. A denial is seen when the model hears it, if the bookie is fenced; a fenced bookie denies at once what nobody
 * ever sends. Once the ledger is closed, bookies that it does not name have given up everything.
 */
final class SeenLedger {
    private static final long FAR_BEYOND = 1L << 40;

    private final ModelShape shape;
    private final int[] told;
    private final Consumer<Sight> sights;
    private final List<Violation> refusals = new ArrayList<>();
    private @Nullable LedgerTrace trace;

    /** A ledger of which nothing was seen yet. */
    SeenLedger(ModelShape shape, Consumer<Sight> sights) {
        this(shape, new int[2 * (shape.entries + 1) + 1], sights);
    }

    /** A ledger of which so much was told; see {@link #told}. */
    SeenLedger(ModelShape shape, int[] told, Consumer<Sight> sights) {
        this.shape = shape;
        this.told = told.clone();
        this.sights = sights;
    }

    /** Sets of bookies: who answered for each entry, who denied each entry, who is fenced. With the state of the model this is all that a trace knows. */
    int[] told() {
        return told;
    }

    /** What the trace refused. */
    List<Violation> refusals() {
        return refusals;
    }

    /** Sees a step. */
    void see(Step step, ModelState before, ModelState after) {
        switch (step.kind()) {
            case SEND -> sent(before, after, step.first());
            case LEARN_CHANGE -> {
                for (int entry = before.v[ModelShape.ACKED]; entry < before.v[ModelShape.SENT_COUNT]; entry++) {
                    sent(before, after, entry);
                }
            }
            case STORE -> {
                trace(before).stored(bookie(step.first()), step.second(), 1);
                told[step.second()] |= 1 << step.first();
                sights.accept(Sight.STORED);
            }
            case COPY -> copied(before, after, step);
            case PUBLISH -> {
                trace(before).carried(step.second() - 1);
                sights.accept(Sight.PUBLISHED);
            }
            case ACKNOWLEDGE -> acknowledged(before, step.first());
            case FENCE -> fenced(before, step.first());
            case READ -> confirmationTold(before, step.first() + 1);
            case WRITE_CHANGE, WRITER_CLOSES, BEGIN_RECOVERY, RECOVERY_CLOSES, REPLACE -> replaced(step, before, after);
            case BEGIN_CHANGE, ABANDON_CHANGE, WIPE, JOIN_RECOVERY, SEARCH, PRESENT, ABSENT, COPIED, BEGIN_AGAIN -> {}
        }
        forEachNewDenial(before, after);
    }

    // ---- clients ----

    private void sent(ModelState before, ModelState after, int entry) {
        int carried = after.v[shape.carried + entry];
        trace(before).carried(carried - 1);
        trace(before).sent(entry, carried);
        sights.accept(Sight.SENT);
    }

    private void acknowledged(ModelState before, int entry) {
        int writeSet = 0;
        for (int i = 0; i < shape.config.quorums().writeQuorum(); i++) {
            writeSet |= 1 << before.v[shape.writerEnsemble + (entry + i) % shape.ensembleSize];
        }
        boolean hasAllCopies = (writeSet & ~before.v[shape.ackedBy + entry]) == 0;
        trace(before).acknowledged(entry, hasAllCopies);
        if (before.isMetadata(ModelShape.OPEN)) {
            sights.accept(hasAllCopies ? Sight.ACKNOWLEDGED_WITH_ALL_COPIES : Sight.ACKNOWLEDGED_WHILE_OPEN);
        } else {
            boolean isClosed = before.isMetadata(ModelShape.CLOSED);
            sights.accept(isClosed ? Sight.ACKNOWLEDGED_AFTER_CLOSE : Sight.ACKNOWLEDGED_IN_RECOVERY);
        }
    }

    // ---- bookies ----

    private void copied(ModelState before, ModelState after, Step step) {
        int bookie = step.first();
        int entry = step.second();
        boolean isRaised = (after.v[shape.raisedOn + entry] & 1 << bookie) != 0;
        int carried = isRaised ? entry : after.v[shape.carried + entry];
        trace(before).carried(carried - 1);
        trace(before).sent(entry, carried);
        sights.accept(Sight.COPY_SENT);
        trace(before).copied(bookie(bookie), entry, 1);
        told[entry] |= 1 << bookie;
        sights.accept(Sight.COPIED);
    }

    private void fenced(ModelState before, int bookie) {
        trace(before).fenced(bookie(bookie));
        told[told.length - 1] |= 1 << bookie;
        sights.accept(Sight.FENCED);
        confirmationTold(before, before.v[shape.confirmed + bookie]);
        denied(before, bookie, shape.entries);
        trace(before).denied(bookie(bookie), FAR_BEYOND);
        sights.accept(Sight.DENIED_FAR_BEYOND);
    }

    private void confirmationTold(ModelState before, int entries) {
        trace(before).carried(entries - 1);
        sights.accept(Sight.CONFIRMATION_TOLD);
    }

    private void denied(ModelState before, int bookie, int entry) {
        trace(before).denied(bookie(bookie), entry);
        told[shape.entries + 1 + entry] |= 1 << bookie;
        sights.accept(Sight.DENIED);
    }

    private void forEachNewDenial(ModelState before, ModelState after) {
        for (int r = 0; r < shape.recoverers; r++) {
            for (int each = 0; each < shape.entries; each++) {
                int entry = each;
                int at = shape.deniedBy(r, entry);
                int deniers = after.v[at] & ~before.v[at] & after.v[ModelShape.FENCED];
                forEach(deniers, bookie -> denied(before, bookie, entry));
            }
        }
    }

    // ---- the register ----

    private void replaced(Step step, ModelState before, ModelState after) {
        LedgerMetadata now = MetadataOfModel.of(before);
        try {
            LedgerMetadata next = MetadataOfModel.changed(now, step, before, after);
            if (!next.equals(now)) {
                trace(before).replaced(now, next);
                sights.accept(sightOf(now, next));
                surplusIsGivenUp(before, next);
            }
        } catch (IllegalArgumentException refused) {
            sights.accept(Sight.REFUSED_BY_METADATA);
            refusals.add(new Violation(
                    "metadata", MetadataOfModel.LEDGER_ID, -1, Property.L8 + ": " + refused.getMessage()));
        }
    }

    private static Sight sightOf(LedgerMetadata before, LedgerMetadata after) {
        boolean isNewFragment = after.fragments().size() > before.fragments().size();
        return switch (after.state()) {
            case OPEN -> isNewFragment ? Sight.ENSEMBLE_ADDED : Sight.ENSEMBLE_REPLACED;
            case IN_RECOVERY -> before.state() == LedgerState.OPEN ? Sight.MARKED : Sight.CHANGED_IN_RECOVERY;
            case CLOSED -> {
                if (before.state() == LedgerState.OPEN) {
                    yield Sight.CLOSED_BY_WRITER;
                }
                boolean isSame = before.fragments().equals(after.fragments());
                yield isSame ? Sight.CLOSED_BY_RECOVERY : Sight.CLOSED_WITH_PRIVATE_ENSEMBLE;
            }
        };
    }

    private void surplusIsGivenUp(ModelState before, LedgerMetadata next) {
        if (next.state() != LedgerState.CLOSED) {
            return;
        }
        int named = 0;
        for (Fragment fragment : next.fragments()) {
            named |= fragment.ensemble().stream()
                    .mapToInt(bookie -> 1 << bookie.low())
                    .sum();
        }
        forEach(before.v[ModelShape.FENCED] & ~named, bookie -> {
            for (int entry = 0; entry < shape.entries; entry++) {
                trace(before).denied(bookie(bookie), entry);
                sights.accept(Sight.DENIED_AS_SURPLUS);
            }
        });
    }

    // ---- the trace ----

    /** The trace that has seen what was told; what only matters to the step to come is in the state before it. */
    private LedgerTrace trace(ModelState before) {
        if (trace == null) {
            trace = restored(before);
        }
        return trace;
    }

    private LedgerTrace restored(ModelState state) {
        LedgerTrace restored = new LedgerTrace(MetadataOfModel.LEDGER_ID, refusals::add);
        LedgerMetadata metadata = MetadataOfModel.of(state);
        restored.created(metadata.withRecovery(WriteToken.NONE));
        for (int each = 0; each <= shape.entries; each++) {
            int entry = each;
            forEach(told[shape.entries + 1 + entry], bookie -> restored.denied(bookie(bookie), entry));
            forEach(told[entry], bookie -> restored.copied(bookie(bookie), entry, 1));
        }
        forEach(told[told.length - 1], bookie -> restored.fenced(bookie(bookie)));
        for (int entry = 0; entry < state.v[ModelShape.SENT_COUNT]; entry++) {
            restored.sent(entry, state.v[shape.carried + entry]);
        }
        for (int entry = 0; entry < state.v[ModelShape.ACKED]; entry++) {
            restored.acknowledged(entry, false);
        }
        restored.created(metadata);
        if (!refusals.isEmpty()) {
            throw new IllegalStateException("what was told before is refused now: " + refusals);
        }
        return restored;
    }

    private static void forEach(int bookies, IntConsumer action) {
        for (int rest = bookies; rest != 0; rest &= rest - 1) {
            action.accept(Integer.numberOfTrailingZeros(rest));
        }
    }
}
