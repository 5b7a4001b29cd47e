// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.protocol.BookieId;
import io.daybook.protocol.wire.AddAck;

/** What a handle that adds entries is told, on its loop. */
public interface AddHandler {
    /** A bookie has answered adds of this handle; possibly late, possibly more than once. */
    void acked(BookieId bookie, AddAck ack);

    /** The append link to a bookie was lost: adds on it that were not answered will not be. */
    void linkLost(BookieId bookie);
}
