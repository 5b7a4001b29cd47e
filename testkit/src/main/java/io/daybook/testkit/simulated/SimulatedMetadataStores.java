// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.metadata.ClusterStore;
import io.daybook.metadata.LedgerIdAllocator;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.LockStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.SubscriptionStore;
import io.daybook.metadata.Watch;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The metadata of a cluster as one process of a simulated world sees it: the stores in memory, behind a {@link MetadataSession}.
 *
 * <p><i>Threading:</i> the thread that drives the world.
 */
public final class SimulatedMetadataStores implements MetadataStores {
    private static final int SEGMENTS_WATCHED = 1_000_000;

    private final MemoryMetadataStores stores;
    private final MetadataConditions conditions;
    private final MetadataSession session;
    private final LedgerTransitions transitions;
    private final StreamWatch streamWatch;
    private final SimulatedRegistry registry;

    SimulatedMetadataStores(
            MemoryMetadataStores stores,
            MetadataConditions conditions,
            LedgerTransitions transitions,
            StreamWatch streamWatch,
            String machine) {
        this.stores = stores;
        this.conditions = conditions;
        this.transitions = transitions;
        this.streamWatch = streamWatch;
        this.session = new MetadataSession(conditions, machine);
        this.registry = new SimulatedRegistry(stores.bookies(), session);
    }

    @Override
    public ClusterStore cluster() {
        return new Cluster();
    }

    @Override
    public LedgerMetadataStore ledgers() {
        return new Ledgers();
    }

    @Override
    public LedgerIdAllocator ledgerIds() {
        return () -> session.settled(() -> stores.ledgerIds().next());
    }

    @Override
    public SimulatedRegistry bookies() {
        return registry;
    }

    @Override
    public StreamMetadataStore streams() {
        return new Streams();
    }

    @Override
    public LockStore locks() {
        return new Locks();
    }

    @Override
    public SubscriptionStore subscriptions() {
        return new Subscriptions();
    }

    /** The session ends while the process lives: its locks and registrations are gone. */
    void loseSession() {
        conditions.count(BookieSituations.SESSION_EXPIRED);
        stores.loseSession();
    }

    /** The store has another session for the process, and registers it again. */
    void regainSession() {
        stores.regainSession();
    }

    @Override
    public void close() {
        session.close();
        stores.close();
    }

    /** A page, which may be shorter than it could be; or nothing of it. */
    private <T> CompletableFuture<Page<T>> listing(Supplier<CompletableFuture<Page<T>>> question) {
        return session.ask(() ->
                conditions.drawsIncompleteListing() ? question.get().thenCompose(this::cutShort) : question.get());
    }

    private <T> CompletableFuture<Page<T>> cutShort(Page<T> page) {
        int kept = conditions.drawBelow(page.items().size() + 1);
        conditions.count(BookieSituations.LISTING_INCOMPLETE);
        return kept == 0
                ? CompletableFuture.failedFuture(
                        new MetadataException(Code.UNAVAILABLE, "the metadata store broke a listing off"))
                : CompletableFuture.completedFuture(new Page<>(page.items().subList(0, kept), false));
    }

    private final class Cluster implements ClusterStore {
        @Override
        public CompletableFuture<Void> initialize(ClusterInfo info) {
            return session.settled(() -> stores.cluster().initialize(info));
        }

        @Override
        public CompletableFuture<ClusterInfo> read() {
            return session.ask(() -> stores.cluster().read());
        }
    }

    private final class Ledgers implements LedgerMetadataStore {
        private final Map<Long, Versioned<LedgerMetadata>> seen = new TreeMap<>();

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata metadata) {
            return session.change(() -> {
                transitions.creating(metadata);
                return stores.ledgers().create(metadata);
            });
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId) {
            return session.ask(() -> {
                Versioned<LedgerMetadata> before = seen.get(ledgerId);
                if (before != null && conditions.drawsStale()) {
                    return CompletableFuture.completedFuture(before);
                }
                return stores.ledgers().read(ledgerId).whenComplete((read, failure) -> {
                    if (failure == null) {
                        seen.put(ledgerId, read);
                    }
                });
            });
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId) {
            return session.ask(() -> stores.ledgers().readLatest(ledgerId));
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata metadata, long version) {
            return session.change(() -> {
                CompletableFuture<Versioned<LedgerMetadata>> before =
                        stores.ledgers().readLatest(metadata.ledgerId());
                return stores.ledgers().replace(metadata, version).whenComplete((made, failure) -> {
                    if (failure == null) {
                        transitions.replaced(before.join().value(), metadata);
                    }
                });
            });
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            return session.change(() -> {
                transitions.deleted(ledgerId);
                return stores.ledgers().delete(ledgerId);
            });
        }

        @Override
        public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
            return listing(() -> stores.ledgers().list(afterLedgerId, countMax));
        }

        @Override
        public Watch watch(long ledgerId, Runnable listener) {
            return session.watch(notice -> stores.ledgers().watch(ledgerId, notice), listener);
        }
    }

    private final class Streams implements StreamMetadataStore {
        @Override
        public CompletableFuture<Versioned<StreamMetadata>> create(StreamMetadata metadata) {
            return session.change(() -> stores.streams().create(metadata).whenComplete((made, failure) -> {
                if (failure == null) {
                    streamWatch.created(made.value());
                }
            }));
        }

        @Override
        public CompletableFuture<Versioned<StreamMetadata>> read(String name) {
            return session.ask(() -> stores.streams().read(name));
        }

        @Override
        public CompletableFuture<Versioned<StreamMetadata>> commit(StreamChange change) {
            return session.change(() -> streamWatch.hasListeners()
                    ? commitWatched(change)
                    : stores.streams().commit(change));
        }

        private CompletableFuture<Versioned<StreamMetadata>> commitWatched(StreamChange change) {
            String name = change.head().name();
            CompletableFuture<StreamWatch.Changed> watched = stores.streams()
                    .read(name)
                    .thenCombine(
                            stores.streams().segments(name, 0, SEGMENTS_WATCHED),
                            (before, segments) -> new StreamWatch.Changed(before.value(), segments.items(), change));
            return stores.streams().commit(change).whenComplete((made, failure) -> {
                if (failure == null) {
                    streamWatch.changed(watched.join());
                }
            });
        }

        @Override
        public CompletableFuture<Versioned<StreamMetadata>> rename(StreamChange change, NewName to) {
            return session.change(() -> stores.streams().rename(change, to).whenComplete((moved, failure) -> {
                if (failure == null) {
                    streamWatch.renamed(change.head(), moved.value());
                }
            }));
        }

        @Override
        public CompletableFuture<String> nameOf(WriteToken identity) {
            return session.ask(() -> stores.streams().nameOf(identity));
        }

        @Override
        public CompletableFuture<Void> delete(String name, long version) {
            return session.change(() -> {
                CompletableFuture<Versioned<StreamMetadata>> before =
                        stores.streams().read(name);
                return stores.streams().delete(name, version).whenComplete((deleted, failure) -> {
                    if (failure == null && !before.isCompletedExceptionally()) {
                        streamWatch.deleted(before.join().value());
                    }
                });
            });
        }

        @Override
        public CompletableFuture<Page<SegmentMetadata>> segments(String name, long afterNumber, int countMax) {
            return listing(() -> stores.streams().segments(name, afterNumber, countMax));
        }

        @Override
        public CompletableFuture<Page<String>> list(String prefix, String afterName, int countMax) {
            return listing(() -> stores.streams().list(prefix, afterName, countMax));
        }

        @Override
        public Watch watch(String name, Runnable listener) {
            return session.watch(notice -> stores.streams().watch(name, notice), listener);
        }
    }

    private final class Subscriptions implements SubscriptionStore {
        @Override
        public CompletableFuture<Versioned<SubscriptionMetadata>> create(
                StreamMetadata stream, SubscriptionMetadata subscription) {
            return session.change(() -> stores.subscriptions().create(stream, subscription));
        }

        @Override
        public CompletableFuture<Versioned<SubscriptionMetadata>> read(StreamMetadata stream, String id) {
            return session.ask(() -> stores.subscriptions().read(stream, id));
        }

        @Override
        public CompletableFuture<Versioned<SubscriptionMetadata>> replace(
                StreamMetadata stream, SubscriptionMetadata subscription, long version) {
            return session.change(() -> stores.subscriptions().replace(stream, subscription, version));
        }

        @Override
        public CompletableFuture<Void> delete(StreamMetadata stream, String id) {
            return session.change(() -> stores.subscriptions().delete(stream, id));
        }

        @Override
        public CompletableFuture<Page<String>> list(StreamMetadata stream, String afterId, int countMax) {
            return listing(() -> stores.subscriptions().list(stream, afterId, countMax));
        }
    }

    private final class Locks implements LockStore {
        @Override
        public CompletableFuture<Attempt> tryAcquire(String name, Owner owner) {
            return session.settled(() -> stores.locks().tryAcquire(name, owner));
        }

        @Override
        public CompletableFuture<Hold> seize(String name, Owner owner) {
            return session.settled(() -> stores.locks().seize(name, owner));
        }

        @Override
        public CompletableFuture<Optional<Owner>> holder(String name) {
            return session.ask(() -> stores.locks().holder(name));
        }

        @Override
        public Watch watch(String name, Runnable listener) {
            return session.watch(notice -> stores.locks().watch(name, notice), listener);
        }
    }
}
