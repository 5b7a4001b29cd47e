// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

import static io.daybook.simulation.model.ModelShape.FRAGMENTS;
import static io.daybook.simulation.model.ModelShape.METADATA;

import java.util.Arrays;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** One state of the model: the values of its variables, and what was noticed in the step that led to it. */
public final class ModelState {
    public final ModelShape shape;
    public final int[] v;
    private @Nullable Property broken;
    private final EnumSet<ModelSituation> situations = EnumSet.noneOf(ModelSituation.class);

    private ModelState(ModelShape shape, int[] values) {
        this.shape = shape;
        this.v = values;
    }

    /** The beginning: an open ledger on the first bookies. */
    public static ModelState initial(ModelShape shape) {
        ModelState state = new ModelState(shape, new int[shape.size]);
        int[] v = state.v;
        v[FRAGMENTS] = 1;
        v[ModelShape.CHANGES_LEFT] = shape.config.freedom().writerChanges();
        v[ModelShape.WIPES_LEFT] = shape.config.freedom().wipes();
        for (int slot = 0; slot < shape.ensembleSize; slot++) {
            v[shape.ensemble(0) + slot] = slot;
            v[shape.writerEnsemble + slot] = slot;
        }
        state.forget(shape.targetEnsemble);
        state.forget(shape.formerEnsemble);
        for (int r = 0; r < shape.recoverers; r++) {
            state.recovererAway(r);
        }
        return state;
    }

    /** An independent state with the same values. */
    public ModelState copy() {
        return new ModelState(shape, v.clone());
    }

    /** Takes over the values of another state and forgets what was noticed. */
    void become(ModelState other) {
        System.arraycopy(other.v, 0, v, 0, v.length);
        broken = null;
        situations.clear();
    }

    /** Takes over everything, also what was noticed. */
    public void becomeWhole(ModelState other) {
        become(other);
        broken = other.broken;
        situations.addAll(other.situations);
    }

    // ---- what was noticed ----

    /** Notes that a property does not hold, unless it is not looked at. */
    public void breaks(Property property) {
        if (broken == null && !shape.config.unchecked().contains(property)) {
            broken = property;
        }
    }

    /** The first property that was found broken; null for none. */
    public @Nullable Property broken() {
        return broken;
    }

    void reaches(ModelSituation situation) {
        situations.add(situation);
    }

    /** What was reached in the last step; valid until the next one. */
    public EnumSet<ModelSituation> situations() {
        return situations;
    }

    // ---- ensembles ----

    /** Empties an ensemble. */
    public void forget(int ensemble) {
        Arrays.fill(v, ensemble, ensemble + shape.ensembleSize, -1);
    }

    void setEnsemble(int to, int from) {
        System.arraycopy(v, from, v, to, shape.ensembleSize);
    }

    boolean sameEnsemble(int a, int b) {
        return Arrays.equals(v, a, a + shape.ensembleSize, v, b, b + shape.ensembleSize);
    }

    int members(int ensemble) {
        int mask = 0;
        for (int slot = 0; slot < shape.ensembleSize; slot++) {
            mask |= bit(v[ensemble + slot]);
        }
        return mask;
    }

    /** The members of the ensemble that keep the entry. */
    int writeSet(int ensemble, int entry) {
        int mask = 0;
        for (int i = 0; i < shape.config.quorums().writeQuorum(); i++) {
            mask |= bit(v[ensemble + (entry + i) % shape.ensembleSize]);
        }
        return mask;
    }

    boolean keeps(int slot, int entry) {
        int distance = Math.floorMod(slot - entry, shape.ensembleSize);
        return distance < shape.config.quorums().writeQuorum();
    }

    boolean isAckQuorum(int bookies) {
        return Integer.bitCount(bookies) >= shape.config.quorums().ackQuorum();
    }

    boolean isCover(int bookies) {
        return Integer.bitCount(bookies) >= shape.config.quorums().cover();
    }

    boolean coversEveryWriteSet(int ensemble, int bookies) {
        for (int start = 0; start < shape.ensembleSize; start++) {
            if (!isCover(writeSet(ensemble, start) & bookies)) {
                return false;
            }
        }
        return true;
    }

    // ---- metadata ----

    /** Whether metadata is in that state. */
    public boolean isMetadata(int state) {
        return v[METADATA] == state;
    }

    int lastEnsemble() {
        return shape.ensemble(v[FRAGMENTS] - 1);
    }

    int lastFirst() {
        return v[shape.fragmentFirst + v[FRAGMENTS] - 1];
    }

    /** The ensemble that metadata names for the entry. */
    int ensembleOf(int entry) {
        int fragment = v[FRAGMENTS] - 1;
        while (fragment > 0 && v[shape.fragmentFirst + fragment] > entry) {
            fragment--;
        }
        return shape.ensemble(fragment);
    }

    /** Metadata names another ensemble from an entry on, as LedgerMetadata.withEnsemble has it. */
    void changeFragments(int first, int ensemble) {
        if (first < lastFirst()) {
            breaks(Property.L8);
            return;
        }
        if (first > lastFirst()) {
            v[FRAGMENTS]++;
        }
        v[shape.fragmentFirst + v[FRAGMENTS] - 1] = first;
        setEnsemble(lastEnsemble(), ensemble);
    }

    // ---- bookies ----

    int alive() {
        return ~v[ModelShape.LOST] & ((1 << shape.bookies) - 1);
    }

    boolean isHeldBy(int entry, int bookie) {
        return (v[shape.heldBy + entry] & bit(bookie)) != 0;
    }

    // ---- recoverers ----

    /** A variable of a recoverer. */
    public int recoverer(int r, int variable) {
        return v[shape.recoverer(r) + variable];
    }

    /** Sets a variable of a recoverer. */
    public void recoverer(int r, int variable, int value) {
        v[shape.recoverer(r) + variable] = value;
    }

    boolean hasPrivateEnsemble(int r) {
        return recoverer(r, ModelShape.PRIVATE_FIRST) != 0;
    }

    /** Where the recoverer puts copies. */
    int copyEnsemble(int r) {
        return hasPrivateEnsemble(r) ? shape.privateEnsemble(r) : shape.baseEnsemble(r);
    }

    /** From whom the recoverer reads. */
    int readEnsemble(int r) {
        return shape.config.has(ModelDefect.D5) ? copyEnsemble(r) : shape.baseEnsemble(r);
    }

    /** The recoverer has done nothing yet, or nothing that still matters. */
    void recovererAway(int r) {
        int at = shape.recoverer(r);
        Arrays.fill(v, at, at + shape.recovererSize, 0);
        forget(shape.baseEnsemble(r));
        forget(shape.privateEnsemble(r));
        recoverer(r, ModelShape.MAY_REPLACE, shape.config.freedom().recoveryChanges());
    }

    static int bit(int bookie) {
        return bookie < 0 ? 0 : 1 << bookie;
    }
}
