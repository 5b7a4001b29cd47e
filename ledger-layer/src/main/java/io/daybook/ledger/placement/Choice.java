// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import io.daybook.protocol.BookieId;
import java.util.List;
import java.util.Optional;

/**
 * The bookies that were chosen.
 *
 * @param seats the bookie in each place afterwards; empty when none was found for a place that had none
 * @param chosen how many were chosen
 * @param shortage why there are not more, for a message; empty when every open place is filled
 */
public record Choice(List<Optional<BookieId>> seats, int chosen, String shortage) {
    /** Whether every open place is filled. */
    public boolean isComplete() {
        return shortage.isEmpty();
    }

    /** The whole ensemble; only when no place is without a bookie. */
    public List<BookieId> ensemble() {
        return seats.stream().map(Optional::orElseThrow).toList();
    }
}
