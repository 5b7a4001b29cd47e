// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.protocol.BookieId;

/**
 * Told of copies that are damaged, so that they can be repaired. The same copy may be told of many times.
 *
 * <p><i>Threading:</i> called on a loop of the client; must not block.
 */
@FunctionalInterface
public interface DamageListener {
    /**
     * The copy of the entry at this bookie fails its check, here or at the bookie.
     *
     * @param ledgerId the ledger
     * @param entryId the entry
     * @param bookie whose copy it is
     */
    void damaged(long ledgerId, long entryId, BookieId bookie);
}
