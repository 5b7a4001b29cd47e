// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.ClusterStore;
import io.daybook.metadata.LedgerIdAllocator;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.LockStore;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.SubscriptionStore;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkWatches;

/** The stores of one process on one namespace in ZooKeeper. They share a session, which ends with them. */
final class ZkMetadataStores implements MetadataStores {
    private final ZkSession session;
    private final ZkClusterStore cluster;
    private final ZkLedgerStore ledgers;
    private final ZkLedgerIdAllocator ledgerIds;
    private final ZkBookieRegistry bookies;
    private final ZkStreamStore streams;
    private final ZkSubscriptionStore subscriptions;
    private final ZkLockStore locks;

    ZkMetadataStores(ZkSession session) {
        ZkWatches watches = new ZkWatches(session);
        this.session = session;
        this.cluster = new ZkClusterStore(session);
        this.ledgers = new ZkLedgerStore(session, watches);
        this.ledgerIds = new ZkLedgerIdAllocator(session);
        this.bookies = new ZkBookieRegistry(session, watches);
        this.streams = new ZkStreamStore(session, watches);
        this.subscriptions = new ZkSubscriptionStore(session);
        this.locks = new ZkLockStore(session, watches);
    }

    @Override
    public ClusterStore cluster() {
        return cluster;
    }

    @Override
    public LedgerMetadataStore ledgers() {
        return ledgers;
    }

    @Override
    public LedgerIdAllocator ledgerIds() {
        return ledgerIds;
    }

    @Override
    public BookieRegistry bookies() {
        return bookies;
    }

    @Override
    public StreamMetadataStore streams() {
        return streams;
    }

    @Override
    public LockStore locks() {
        return locks;
    }

    @Override
    public SubscriptionStore subscriptions() {
        return subscriptions;
    }

    @Override
    public void close() {
        session.close();
    }
}
