// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * An ensemble of which some places are to be filled.
 *
 * @param before the bookie in each place, in order; empty when the place never had one
 * @param openSlots the places to fill, as bits
 */
public record Seats(Quorums quorums, List<Optional<BookieId>> before, int openSlots) {
    private static final int OPEN_FEW = 5;

    /** A new ensemble: every place is open. */
    public static Seats allOpen(Quorums quorums) {
        int size = quorums.ensembleSize();
        return new Seats(quorums, Collections.nCopies(size, Optional.empty()), (int) ((1L << size) - 1));
    }

    /** An ensemble in which the bookies in {@code openSlots} are to be replaced. */
    public static Seats replacing(Quorums quorums, List<BookieId> ensemble, int openSlots) {
        return new Seats(quorums, ensemble.stream().map(Optional::of).toList(), openSlots);
    }

    boolean isOpen(int slot) {
        return (openSlots & (1 << slot)) != 0;
    }

    int openCount() {
        return Integer.bitCount(openSlots);
    }

    /** With only the first {@code count} of the open places open: the others keep whom they have. */
    Seats withOpen(int count) {
        int open = 0;
        for (int slot = 0; slot < before.size() && Integer.bitCount(open) < count; slot++) {
            open |= openSlots & (1 << slot);
        }
        return new Seats(quorums, before, open);
    }

    /**
     * The ways to have only {@code count} of the open places open, {@link #withOpen} first. Of more than {@value #OPEN_FEW} open places there would be very
     * many ways: then only that first one.
     */
    List<Seats> waysToOpen(int count) {
        if (openCount() > OPEN_FEW) {
            return List.of(withOpen(count));
        }
        List<Seats> ways = new ArrayList<>();
        int some = 0;
        do {
            if (Integer.bitCount(some) == count) {
                ways.add(new Seats(quorums, before, some));
            }
            some = (some - openSlots) & openSlots; // the next larger one with no other bits
        } while (some != 0);
        return ways;
    }

    /** Fills the open places, in order, with as many bookies as are given. */
    List<Optional<BookieId>> filledWith(List<BookieId> chosen) {
        List<Optional<BookieId>> filled = new ArrayList<>(before);
        int used = 0;
        for (int slot = 0; slot < filled.size() && used < chosen.size(); slot++) {
            if (isOpen(slot)) {
                filled.set(slot, Optional.of(chosen.get(used)));
                used++;
            }
        }
        return filled;
    }
}
