// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.disk.Headroom;
import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.ledgers.Appends;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import java.util.List;
import java.util.function.Consumer;

/**
 * What cleanup works with.
 *
 * @param core the loop that owns the ledgers
 * @param work a loop of cleanup's own, which may block
 * @param slabBytes of a slab: what a flush writes at once
 * @param fatal told of a bug: the bookie ends
 */
public record CleanupParts(
        BookieId bookieId,
        EventLoop core,
        EventLoop work,
        LedgerTable table,
        Appends appends,
        LedgerMetadataStore metadata,
        DataDisks data,
        Catalog catalog,
        Headroom headroom,
        ReadBarrier reads,
        int slabBytes,
        Faults faults,
        Consumer<String> fatal) {
    /** Lets go of logs that were replaced. */
    @FunctionalInterface
    public interface ReadBarrier {
        /** Calls back, on the core loop, once every read planned so far has ended and none will use these logs. */
        void forget(List<Integer> logIds, Runnable then);
    }
}
