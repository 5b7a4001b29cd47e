// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** Consecutive entries that were read. Whoever receives it closes it, which releases the payloads. */
public interface LedgerEntries extends AutoCloseable {
    /** {@return the entries, in order; possibly none} */
    List<Entry> list();

    /** {@return the highest last add confirmed known when these were read, -1 for none} */
    long lastAddConfirmed();

    /** Releases the payloads. Idempotent. */
    @Override
    void close();

    /**
     * One entry.
     *
     * @param ledgerId its ledger
     * @param entryId its number in the ledger
     * @param payload valid until the {@link LedgerEntries} is closed, unless retained
     */
    record Entry(long ledgerId, long entryId, ByteBuf payload) {}
}
