// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.runtime.Link;

/** Who asked for a read. On the core loop. */
public interface ReadOwner {
    /** Where the answer goes. */
    Link link();

    /** The read was answered, or given up because the link is gone; called once for each read. */
    void readEnded();
}
