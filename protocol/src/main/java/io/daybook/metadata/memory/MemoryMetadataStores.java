// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.ClusterStore;
import io.daybook.metadata.LedgerIdAllocator;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.LockStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.SubscriptionStore;
import io.daybook.metadata.Watch;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The stores of one user of a {@link MemoryMetadata}: what a session is to ZooKeeper. Closing it ends its registrations, locks and watches. Every call
 * completes before it returns.
 *
 * <p><i>Threading:</i> any thread, see {@link MemoryMetadata}.
 */
public final class MemoryMetadataStores implements MetadataStores {
    private final MemoryMetadata metadata;
    private final MemoryClusterStore cluster;
    private final MemoryLedgerStore ledgers;
    private final MemoryBookieRegistry bookies;
    private final MemoryStreamStore streams;
    private final MemoryLockStore locks;
    private final MemorySubscriptionStore subscriptions;
    private boolean isClosed;

    /** Over values that other instances may share. */
    public MemoryMetadataStores(MemoryMetadata metadata) {
        this.metadata = metadata;
        this.cluster = new MemoryClusterStore(this, metadata);
        this.ledgers = new MemoryLedgerStore(this, metadata);
        this.bookies = new MemoryBookieRegistry(this, metadata);
        this.streams = new MemoryStreamStore(this, metadata);
        this.locks = new MemoryLockStore(this, metadata);
        this.subscriptions = new MemorySubscriptionStore(this, metadata);
    }

    /** Runs {@code call} alone and turns its outcome into a future. */
    <T> CompletableFuture<T> call(Supplier<T> call) {
        try {
            return CompletableFuture.completedFuture(metadata.alone(() -> {
                requireOpen();
                return call.get();
            }));
        } catch (MetadataException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** Runs {@code change} alone and turns its outcome into a future. */
    CompletableFuture<Void> change(Runnable change) {
        try {
            metadata.alone(() -> {
                requireOpen();
                change.run();
                return true;
            });
            return CompletableFuture.completedFuture(null);
        } catch (MetadataException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** Watches a topic until the watch or this is closed. After the close a watch sees nothing. */
    Watch watch(String topic, Runnable listener) {
        MemoryWatch watch = new MemoryWatch(this, topic, listener);
        return metadata.alone(() -> {
            if (!isClosed) {
                metadata.add(watch);
            }
            return (Watch) () -> metadata.alone(() -> {
                metadata.remove(watch);
                return true;
            });
        });
    }

    private void requireOpen() {
        MemoryMetadata.require(!isClosed, MetadataException.Code.CLOSED, "the metadata store is closed");
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
        return ledgers;
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

    /** What an expired session does: all locks that were taken through these stores are free, and their holders are told. */
    public void loseLocks() {
        metadata.alone(() -> {
            locks.endAll();
            return true;
        });
    }

    /** As {@link #loseLocks}; the registrations of bookies that were made through these stores are gone as well, until {@link #regainSession}. */
    public void loseSession() {
        loseLocks();
        metadata.alone(() -> {
            bookies.endAll();
            return true;
        });
    }

    /** The store registers its bookies again by itself, where no other process has taken their place. */
    public void regainSession() {
        metadata.alone(() -> {
            if (!isClosed) {
                bookies.makeAgain();
            }
            return true;
        });
    }

    @Override
    public SubscriptionStore subscriptions() {
        return subscriptions;
    }

    @Override
    public void close() {
        metadata.alone(() -> {
            if (!isClosed) {
                isClosed = true;
                metadata.removeWatchesOf(this);
                bookies.endAll();
                locks.endAll();
            }
            return true;
        });
    }
}
