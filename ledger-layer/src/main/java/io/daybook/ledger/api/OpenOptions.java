// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.runtime.EventLoop;
import java.util.Optional;

/**
 * How a ledger is opened.
 *
 * @param digestKey the key with which an HMAC ledger was made; {@link DigestKey#NONE} otherwise
 * @param loop the loop on which the reader lives; empty lets the client choose
 */
public record OpenOptions(DigestKey digestKey, Optional<EventLoop> loop) {
    /** No key, any loop. */
    public static final OpenOptions DEFAULT = new OpenOptions(DigestKey.NONE, Optional.empty());

    /**
     * With this key.
     *
     * @param next the key with which the ledger was made
     * @return the same options otherwise
     */
    public OpenOptions withKey(DigestKey next) {
        return new OpenOptions(next, loop);
    }

    /**
     * On this loop.
     *
     * @param next a loop that {@link LedgerClient#assignLoop} gave
     * @return the same options otherwise
     */
    public OpenOptions on(EventLoop next) {
        return new OpenOptions(digestKey, Optional.of(next));
    }
}
