// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.ClusterStore;
import io.daybook.metadata.LedgerIdAllocator;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.LockStore;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.SubscriptionStore;

/** Metadata stores in which the ledgers and the bookies are reached through other stores, such as those with faults. */
public record StoresWithLedgers(MetadataStores others, LedgerMetadataStore ledgers, BookieRegistry bookies)
        implements MetadataStores {
    @Override
    public ClusterStore cluster() {
        return others.cluster();
    }

    @Override
    public LedgerIdAllocator ledgerIds() {
        return others.ledgerIds();
    }

    @Override
    public StreamMetadataStore streams() {
        return others.streams();
    }

    @Override
    public LockStore locks() {
        return others.locks();
    }

    @Override
    public SubscriptionStore subscriptions() {
        return others.subscriptions();
    }

    @Override
    public void close() {
        others.close();
    }
}
