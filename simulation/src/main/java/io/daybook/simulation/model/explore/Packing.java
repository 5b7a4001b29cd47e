// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.explore;

import io.daybook.simulation.model.ModelDefect;
import io.daybook.simulation.model.ModelShape;
import io.daybook.simulation.model.ModelState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * States as a few {@code long}s each. Bookies are alike, and so are recoverers: everything that concerns one bookie is put into one column, the columns are
 * sorted, and of the orders of the recoverers the least is taken. So all states that differ only in names have the same packed form.
 */
final class Packing {
    private static final int WORD_BITS = 64;

    private final ModelShape shape;
    private final int entryBits;
    private final int slotBits;
    private final int singleWords;
    private final int columnWords;
    private final int words;
    private final List<int[]> orders = new ArrayList<>();
    private final long[] candidate;
    private final long[] column;
    private long[] target;
    private int at;
    private int used;
    private boolean isFresh;

    Packing(ModelShape shape) {
        this.shape = shape;
        this.entryBits = bitsFor(shape.entries + 1);
        this.slotBits = bitsFor(shape.ensembleSize);
        permute(new int[shape.recoverers], 0, 0);
        ModelState sample = ModelState.initial(shape);
        target = new long[WORD_BITS];
        begin(target, 0);
        putSingles(sample, orders.get(0));
        singleWords = at + 1;
        begin(target, 0);
        putColumn(sample, orders.get(0), 0);
        columnWords = at + 1;
        words = singleWords + shape.bookies * columnWords;
        candidate = new long[words];
        column = new long[columnWords];
    }

    /** How many {@code long}s a packed state has. */
    int words() {
        return words;
    }

    /** Writes the packed form of a state. */
    void pack(ModelState state, long[] into) {
        boolean isFirst = true;
        for (int[] order : orders) {
            if (!isOrdered(state, order)) {
                continue;
            }
            long[] packed = isFirst ? into : candidate;
            pack(state, order, packed);
            if (!isFirst && Arrays.compare(candidate, into) < 0) {
                System.arraycopy(candidate, 0, into, 0, words);
            }
            isFirst = false;
        }
    }

    private void permute(int[] order, int length, int taken) {
        if (length == order.length) {
            orders.add(order.clone());
            return;
        }
        for (int r = 0; r < order.length; r++) {
            if ((taken & (1 << r)) == 0) {
                order[length] = r;
                permute(order, length + 1, taken | 1 << r);
            }
        }
    }

    /** Only orders in which those further on come first are compared. */
    private boolean isOrdered(ModelState state, int[] order) {
        for (int i = 1; i < order.length; i++) {
            int a = shape.recoverer(order[i - 1]);
            int b = shape.recoverer(order[i]);
            int size = ModelShape.RECOVERER_SINGLES;
            if (Arrays.compare(state.v, a, a + size, state.v, b, b + size) < 0) {
                return false;
            }
        }
        return true;
    }

    private void pack(ModelState state, int[] order, long[] into) {
        begin(into, 0);
        putSingles(state, order);
        for (int bookie = 0; bookie < shape.bookies; bookie++) {
            begin(column, 0);
            putColumn(state, order, bookie);
            insert(into, bookie);
        }
    }

    /** Puts the column where it belongs among those before it. */
    private void insert(long[] into, int columns) {
        int place = columns;
        while (place > 0 && isBelow(into, singleWords + (place - 1) * columnWords)) {
            int from = singleWords + (place - 1) * columnWords;
            System.arraycopy(into, from, into, from + columnWords, columnWords);
            place--;
        }
        System.arraycopy(column, 0, into, singleWords + place * columnWords, columnWords);
    }

    private boolean isBelow(long[] in, int other) {
        return Arrays.compare(column, 0, columnWords, in, other, other + columnWords) < 0;
    }

    private void putSingles(ModelState state, int[] order) {
        int[] v = state.v;
        put(v[ModelShape.METADATA], 2);
        put(v[ModelShape.FRAGMENTS], 3);
        put(v[ModelShape.END], entryBits);
        put(v[ModelShape.SENT_COUNT], entryBits);
        put(v[ModelShape.ACKED], entryBits);
        put(v[ModelShape.CHANGE], 2);
        put(v[ModelShape.CHANGE_FIRST], entryBits);
        put(v[ModelShape.CHANGES_LEFT], 2);
        put(v[ModelShape.WIPES_LEFT], 2);
        put(v[ModelShape.SEEN], entryBits);
        put(v[ModelShape.VOID], shape.entries);
        for (int fragment = 1; fragment < shape.fragmentsMax; fragment++) {
            put(v[shape.fragmentFirst + fragment], entryBits);
        }
        for (int entry = 0; entry < shape.entries; entry++) {
            put(v[shape.carried + entry], entryBits);
        }
        for (int r : order) {
            put(state.recoverer(r, ModelShape.PHASE), 2);
            put(state.recoverer(r, ModelShape.FOUND), entryBits);
            put(state.recoverer(r, ModelShape.COMPLETE), entryBits);
            put(state.recoverer(r, ModelShape.DECIDED), entryBits + 1);
            put(state.recoverer(r, ModelShape.PRIVATE_FIRST), entryBits + 1);
            put(state.recoverer(r, ModelShape.MAY_REPLACE), 1);
            put(state.recoverer(r, ModelShape.STALE), 1);
        }
    }

    private void putColumn(ModelState state, int[] order, int bookie) {
        int[] v = state.v;
        put(v[ModelShape.FENCED] >> bookie & 1, 1);
        put(v[ModelShape.LOST] >> bookie & 1, 1);
        put(v[shape.confirmed + bookie], entryBits);
        for (int fragment = 0; fragment < shape.fragmentsMax; fragment++) {
            putSlot(v, shape.ensemble(fragment), bookie, fragment < v[ModelShape.FRAGMENTS]);
        }
        putSlot(v, shape.writerEnsemble, bookie, true);
        putSlot(v, shape.targetEnsemble, bookie, true);
        if (shape.config.has(ModelDefect.D8)) {
            for (int slot = 0; slot < shape.ensembleSize; slot++) {
                put(v[shape.formerEnsemble + slot] == bookie ? 1 : 0, 1);
            }
        }
        putEntries(v, shape.sentTo, bookie);
        putEntries(v, shape.ackedBy, bookie);
        putEntries(v, shape.heldBy, bookie);
        if (shape.config.has(ModelDefect.D6)) {
            putEntries(v, shape.raisedOn, bookie);
        }
        for (int r : order) {
            putSlot(v, shape.baseEnsemble(r), bookie, true);
            putSlot(v, shape.privateEnsemble(r), bookie, true);
            putEntries(v, shape.deniedBy(r, 0), bookie);
            putEntries(v, shape.copyTo(r, 0), bookie);
        }
    }

    private void putSlot(int[] v, int ensemble, int bookie, boolean exists) {
        int slot = 0;
        for (int i = 0; exists && i < shape.ensembleSize; i++) {
            if (v[ensemble + i] == bookie) {
                slot = i + 1;
            }
        }
        put(slot, slotBits);
    }

    private void putEntries(int[] v, int first, int bookie) {
        for (int entry = 0; entry < shape.entries; entry++) {
            put(v[first + entry] >> bookie & 1, 1);
        }
    }

    // ---- back ----

    /** Reads a packed state; which bookie and which recoverer is which is lost. */
    void unpack(long[] from, ModelState into) {
        int[] order = orders.get(0);
        int[] v = into.v;
        Arrays.fill(v, 0);
        into.forget(shape.writerEnsemble);
        into.forget(shape.targetEnsemble);
        into.forget(shape.formerEnsemble);
        begin(from, 0);
        takeSingles(into, order);
        for (int bookie = 0; bookie < shape.bookies; bookie++) {
            begin(from, singleWords + bookie * columnWords);
            takeColumn(into, order, bookie);
        }
    }

    private void takeSingles(ModelState state, int[] order) {
        int[] v = state.v;
        v[ModelShape.METADATA] = take(2);
        v[ModelShape.FRAGMENTS] = take(3);
        v[ModelShape.END] = take(entryBits);
        v[ModelShape.SENT_COUNT] = take(entryBits);
        v[ModelShape.ACKED] = take(entryBits);
        v[ModelShape.CHANGE] = take(2);
        v[ModelShape.CHANGE_FIRST] = take(entryBits);
        v[ModelShape.CHANGES_LEFT] = take(2);
        v[ModelShape.WIPES_LEFT] = take(2);
        v[ModelShape.SEEN] = take(entryBits);
        v[ModelShape.VOID] = take(shape.entries);
        for (int fragment = 1; fragment < shape.fragmentsMax; fragment++) {
            v[shape.fragmentFirst + fragment] = take(entryBits);
        }
        for (int entry = 0; entry < shape.entries; entry++) {
            v[shape.carried + entry] = take(entryBits);
        }
        for (int r : order) {
            state.forget(shape.baseEnsemble(r));
            state.forget(shape.privateEnsemble(r));
            state.recoverer(r, ModelShape.PHASE, take(2));
            state.recoverer(r, ModelShape.FOUND, take(entryBits));
            state.recoverer(r, ModelShape.COMPLETE, take(entryBits));
            state.recoverer(r, ModelShape.DECIDED, take(entryBits + 1));
            state.recoverer(r, ModelShape.PRIVATE_FIRST, take(entryBits + 1));
            state.recoverer(r, ModelShape.MAY_REPLACE, take(1));
            state.recoverer(r, ModelShape.STALE, take(1));
        }
    }

    private void takeColumn(ModelState state, int[] order, int bookie) {
        int[] v = state.v;
        v[ModelShape.FENCED] |= take(1) << bookie;
        v[ModelShape.LOST] |= take(1) << bookie;
        v[shape.confirmed + bookie] = take(entryBits);
        for (int fragment = 0; fragment < shape.fragmentsMax; fragment++) {
            takeSlot(v, shape.ensemble(fragment), bookie);
        }
        takeSlot(v, shape.writerEnsemble, bookie);
        takeSlot(v, shape.targetEnsemble, bookie);
        if (shape.config.has(ModelDefect.D8)) {
            for (int slot = 0; slot < shape.ensembleSize; slot++) {
                if (take(1) == 1) {
                    v[shape.formerEnsemble + slot] = bookie;
                }
            }
        }
        takeEntries(v, shape.sentTo, bookie);
        takeEntries(v, shape.ackedBy, bookie);
        takeEntries(v, shape.heldBy, bookie);
        if (shape.config.has(ModelDefect.D6)) {
            takeEntries(v, shape.raisedOn, bookie);
        }
        for (int r : order) {
            takeSlot(v, shape.baseEnsemble(r), bookie);
            takeSlot(v, shape.privateEnsemble(r), bookie);
            takeEntries(v, shape.deniedBy(r, 0), bookie);
            takeEntries(v, shape.copyTo(r, 0), bookie);
        }
    }

    private void takeSlot(int[] v, int ensemble, int bookie) {
        int slot = take(slotBits);
        if (slot != 0) {
            v[ensemble + slot - 1] = bookie;
        }
    }

    private void takeEntries(int[] v, int first, int bookie) {
        for (int entry = 0; entry < shape.entries; entry++) {
            v[first + entry] |= take(1) << bookie;
        }
    }

    // ---- bits ----

    private static int bitsFor(int max) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(max);
    }

    private void begin(long[] words, int first) {
        target = words;
        at = first;
        used = 0;
        isFresh = true;
    }

    private void put(int value, int width) {
        advance(width);
        if (isFresh) {
            target[at] = 0;
            isFresh = false;
        }
        target[at] |= (long) value << used;
        used += width;
    }

    private int take(int width) {
        advance(width);
        int value = (int) (target[at] >>> used) & ((1 << width) - 1);
        used += width;
        return value;
    }

    private void advance(int width) {
        if (used + width > WORD_BITS) {
            at++;
            used = 0;
            isFresh = true;
        }
    }
}
