// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.concurrent.CompletableFuture;

/** The metadata of ledgers. */
public interface LedgerMetadataStore {
    /** Stores a new ledger; {@link MetadataException.Code#ALREADY_EXISTS} when the id is or was in use. The value's token must be fresh. */
    CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata metadata);

    /** Reads a ledger; may be stale by the lag of a store replica. */
    CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId);

    /** Reads a ledger after everything that was acknowledged before this call (M3). */
    CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId);

    /**
     * Replaces the value of {@code version} by {@code metadata}, whose token must be fresh; {@link MetadataException.Code#VERSION_CONFLICT} when
     * it is not the present one.
     */
    CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata metadata, long version);

    /** Deletes a ledger whatever its version; deleting one that does not exist is success (S-28). Its id is never given again. */
    CompletableFuture<Void> delete(long ledgerId);

    /** Up to {@code countMax} ids greater than {@code afterLedgerId} (-1 for the first page), rising. */
    CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax);

    /** Tells {@code listener}, on a thread of the store, when the ledger may have changed or been deleted. */
    Watch watch(long ledgerId, Runnable listener);
}
