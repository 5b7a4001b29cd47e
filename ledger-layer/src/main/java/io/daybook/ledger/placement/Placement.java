// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import java.util.Collection;

/**
 * Chooses the bookies that keep new entries.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public interface Placement {
    /**
     * Chooses a bookie that takes entries for each open seat, as far as there are: always distinct ones, never one that has a seat or is excluded.
     *
     * @param live the live bookies with their present labels
     * @param excluded bookies that must not be chosen
     * @param nowNanos the time of the loop
     */
    Choice choose(Collection<BookieRegistration> live, Seats seats, Collection<BookieId> excluded, long nowNanos);

    /** Takes note of the labels of live bookies, so that they are known when the bookies are gone. */
    void learn(Collection<BookieRegistration> live);

    /** A bookie failed an add or was too slow: it is avoided for a while as long as there are others. */
    void failed(BookieId bookie, long nowNanos);
}
