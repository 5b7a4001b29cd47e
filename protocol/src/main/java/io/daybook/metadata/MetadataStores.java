// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

/**
 * The metadata of one cluster.
 *
 * <p><i>Threading:</i> all methods of all stores may be called from any thread and never block; futures complete on a thread of the store (or in the
 * call), so a machine hops back to its loop. Futures fail with {@link MetadataException} only. Every change carries a fresh write token and an
 * unknown outcome is settled inside the store by re-reading where that is possible (M1, M2).
 */
public interface MetadataStores extends AutoCloseable {
    /** What the cluster is. */
    ClusterStore cluster();

    /** Ledgers. */
    LedgerMetadataStore ledgers();

    /** Ids for new ledgers. */
    LedgerIdAllocator ledgerIds();

    /** Bookies: formatted and live. */
    BookieRegistry bookies();

    /** Streams and their segments. */
    StreamMetadataStore streams();

    /** Locks that keep programs out of each other's way. */
    LockStore locks();

    /** Named positions in streams. */
    SubscriptionStore subscriptions();

    /** Gives everything back; registrations and locks made through this instance end. Calls in flight fail with {@link MetadataException.Code#CLOSED}. Idempotent; may block for a second. */
    @Override
    void close();
}
