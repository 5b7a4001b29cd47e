// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import java.util.Collection;
import java.util.List;

/**
 * Chooses the bookies that keep new entries.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public interface Placement {
    /**
     * Chooses up to {@code count} distinct bookies that take entries: fewer only when there are no more.
     *
     * @param live the live bookies
     * @param excluded bookies that must not be chosen
     * @param nowNanos the time of the loop
     */
    List<BookieId> choose(Collection<BookieRegistration> live, Collection<BookieId> excluded, int count, long nowNanos);

    /** A bookie failed an add: it is avoided for a while as long as there are others. */
    void failed(BookieId bookie, long nowNanos);
}
