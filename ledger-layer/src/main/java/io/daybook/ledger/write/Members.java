// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.protocol.BookieId;
import java.util.List;

/**
 * The present ensemble of a writer and how its members do.
 *
 * <p><i>Threading:</i> confined to its owner's loop.
 */
final class Members {
    private final BookieId[] bookies;
    private final boolean[] failed;
    private final boolean[] probed;
    private final int[] owed;
    private final boolean[] lacking;
    private final long[] heardNanos;
    private final long[] owingNanos;
    private final boolean[] lagging;
    private final boolean[] onProbation;
    private final long[] laggingNanos;
    private final long[] revivedNanos;

    Members(List<BookieId> ensemble) {
        int size = ensemble.size();
        this.bookies = ensemble.toArray(new BookieId[0]);
        this.failed = new boolean[size];
        this.probed = new boolean[size];
        this.owed = new int[size];
        this.lacking = new boolean[size];
        this.heardNanos = new long[size];
        this.owingNanos = new long[size];
        this.lagging = new boolean[size];
        this.onProbation = new boolean[size];
        this.laggingNanos = new long[size];
        this.revivedNanos = new long[size];
    }

    int size() {
        return bookies.length;
    }

    BookieId bookie(int slot) {
        return bookies[slot];
    }

    List<BookieId> all() {
        return List.of(bookies);
    }

    /** The slot of a bookie; -1 when it is no member (any more). */
    int slotOf(BookieId bookie) {
        for (int slot = 0; slot < bookies.length; slot++) {
            if (bookies[slot].equals(bookie)) {
                return slot;
            }
        }
        return -1;
    }

    boolean isFailed(int slot) {
        return failed[slot];
    }

    /** The failed slots, as bits. */
    int failedSlots() {
        int slots = 0;
        for (int slot = 0; slot < failed.length; slot++) {
            slots |= failed[slot] ? 1 << slot : 0;
        }
        return slots;
    }

    /** Notes an add on its way. */
    void sent(int slot, long nowNanos) {
        if (!owes(slot)) {
            heardNanos[slot] = nowNanos;
            owingNanos[slot] = nowNanos;
        }
        owed[slot]++;
    }

    /** Notes answers to that many adds. */
    void heard(int slot, int answers, long nowNanos) {
        owed[slot] = Math.max(0, owed[slot] - answers);
        heardNanos[slot] = nowNanos;
        owingNanos[slot] = nowNanos;
    }

    /** Notes that the member owes an answer although none was counted, or that it does not. */
    void lacks(int slot, boolean isLacking, long nowNanos) {
        if (isLacking && !owes(slot)) {
            heardNanos[slot] = nowNanos;
            owingNanos[slot] = nowNanos;
        }
        lacking[slot] = isLacking;
    }

    /** Whether the member owes answers. */
    boolean owes(int slot) {
        return owed[slot] > 0 || lacking[slot];
    }

    /** Nanoseconds since the last sign of life of a member that owes answers. */
    long silentNanos(int slot, long nowNanos) {
        return owes(slot) ? nowNanos - heardNanos[slot] : 0;
    }

    /** Nanoseconds since the last add was answered while others are owed: a member may be alive and still not store anything. */
    long stuckNanos(int slot, long nowNanos) {
        return owes(slot) ? nowNanos - owingNanos[slot] : 0;
    }

    boolean isProbed(int slot) {
        return probed[slot];
    }

    void probing(int slot) {
        probed[slot] = true;
    }

    /** The probe has ended without a sign of life. */
    void unprobed(int slot) {
        probed[slot] = false;
    }

    /** The member has answered a probe. */
    void alive(int slot, long nowNanos) {
        probed[slot] = false;
        heardNanos[slot] = nowNanos;
    }

    /** Notes whether the member alone holds up the writer now; returns for how long that has been so. */
    long holdsUp(int slot, boolean isAlone, long nowNanos) {
        if (!isAlone || !lagging[slot]) {
            lagging[slot] = isAlone;
            laggingNanos[slot] = nowNanos;
        }
        return nowNanos - laggingNanos[slot];
    }

    /** The member was given up because it was slow: when it is tried again it must not hold up the writer a second time. */
    void onProbation(int slot) {
        onProbation[slot] = true;
    }

    boolean isOnProbation(int slot) {
        return onProbation[slot];
    }

    /** Nanoseconds since the member was tried again. */
    long revivedNanos(int slot, long nowNanos) {
        return nowNanos - revivedNanos[slot];
    }

    void trusted(int slot) {
        onProbation[slot] = false;
    }

    /** Nothing is sent to the member until it is revived or replaced. */
    void fail(int slot) {
        failed[slot] = true;
        probed[slot] = false;
        lacking[slot] = false;
        lagging[slot] = false;
        owed[slot] = 0;
    }

    /** The member is tried again. */
    void revive(int slot, long nowNanos) {
        failed[slot] = false;
        probed[slot] = false;
        owed[slot] = 0;
        revivedNanos[slot] = nowNanos;
    }

    /** Puts the bookies of a new ensemble in place; returns the slots that changed, as bits. */
    int install(List<BookieId> ensemble, long nowNanos) {
        int changed = 0;
        for (int slot = 0; slot < bookies.length; slot++) {
            if (!bookies[slot].equals(ensemble.get(slot))) {
                bookies[slot] = ensemble.get(slot);
                revive(slot, nowNanos);
                trusted(slot);
                changed |= 1 << slot;
            }
        }
        return changed;
    }
}
