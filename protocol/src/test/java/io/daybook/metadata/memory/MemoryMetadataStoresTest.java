// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.BookieRegistry.Registration;
import io.daybook.metadata.BookieRegistry.Tokens;
import io.daybook.metadata.LockStore.Hold;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.metadata.contract.BookieRegistryContract;
import io.daybook.metadata.contract.ClusterStoreContract;
import io.daybook.metadata.contract.LedgerIdAllocatorContract;
import io.daybook.metadata.contract.LedgerMetadataStoreContract;
import io.daybook.metadata.contract.LockStoreContract;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.contract.StreamListingContract;
import io.daybook.metadata.contract.StreamMetadataStoreContract;
import io.daybook.metadata.contract.StreamRenameContract;
import io.daybook.metadata.contract.SubscriptionStoreContract;
import io.daybook.metadata.model.ClusterInfo;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract suites on stores in memory, and what is theirs alone. */
final class MemoryMetadataStoresTest {
    @Test
    void storesOfOneNameShareValuesAndOthersDoNot() {
        ClusterInfo info = new ClusterInfo(Samples.CLUSTER, 1);
        URI shared = URI.create("memory:shared-" + getClass().getSimpleName());
        try (MetadataStores one = MetadataStoresProvider.connect(shared, 1_000);
                MetadataStores same = MetadataStoresProvider.connect(shared, 1_000);
                MetadataStores another = MetadataStoresProvider.connect(URI.create("memory:another-name"), 1_000)) {
            one.cluster().initialize(info).join();

            assertThat(same.cluster().read().join()).isEqualTo(info);
            assertThat(another.cluster().read()).isCompletedExceptionally();
        }
    }

    @Test
    void uriOfAnotherFormIsRefusedWithTheRightForm() {
        for (String uri : new String[] {"memory:/a/b", "memory:%20", "other:name", "name"}) {
            assertThatThrownBy(() -> MetadataStoresProvider.connect(URI.create(uri), 1_000))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("memory:name")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void listenerThatThrowsDoesNotSpoilTheChange() {
        MetadataStores stores = new MemoryMetadataStores(new MemoryMetadata());
        AtomicInteger told = new AtomicInteger();
        stores.ledgers().watch(1, () -> {
            throw new IllegalStateException("a listener of this test that throws");
        });
        stores.ledgers().watch(1, told::incrementAndGet);

        assertThat(stores.ledgers().create(Samples.ledger(1, 1))).isCompleted();

        assertThat(told).hasValue(1);
    }

    @Test
    void locksOfAnExpiredSessionAreFreeAndTheirHoldersAreTold() {
        MemoryMetadataStores stores = new MemoryMetadataStores(new MemoryMetadata());
        Owner owner = new Owner("host", 1, "", 0, Samples.token(1));
        Hold hold = stores.locks().seize("name", owner).join();

        stores.loseLocks();

        assertThat(hold.lost()).isCompleted();
        assertThat(stores.locks().holder("name").join()).isEmpty();
    }

    @Test
    void registrationOfAnExpiredSessionIsMadeAgainUnlessItWasClosed() {
        MemoryMetadata metadata = new MemoryMetadata();
        MemoryMetadataStores stores = new MemoryMetadataStores(metadata);
        BookieRegistry others = new MemoryMetadataStores(metadata).bookies();
        Registration kept = stores.bookies()
                .register(Samples.registration(1, false), Tokens.first(Samples.token(1)))
                .join();
        Registration closed = stores.bookies()
                .register(Samples.registration(2, false), Tokens.first(Samples.token(2)))
                .join();

        stores.loseSession();
        assertThat(others.live().join()).isEmpty();
        closed.close().join();
        stores.regainSession();

        assertThat(others.live().join()).containsExactly(Samples.registration(1, false));
        assertThat(kept.lost()).isNotDone();
    }

    @Nested
    final class Cluster extends ClusterStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    final class Ledgers extends LedgerMetadataStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    final class LedgerIds extends LedgerIdAllocatorContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    final class Bookies extends BookieRegistryContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    final class Streams extends StreamMetadataStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    final class Renames extends StreamRenameContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    final class StreamNames extends StreamListingContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    final class Locks extends LockStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    final class Subscriptions extends SubscriptionStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new MemoryFixture();
        }
    }
}
