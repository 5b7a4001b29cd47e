// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.contract.BookieRegistryContract;
import io.daybook.metadata.contract.ClusterStoreContract;
import io.daybook.metadata.contract.LedgerIdAllocatorContract;
import io.daybook.metadata.contract.LedgerMetadataStoreContract;
import io.daybook.metadata.contract.LockStoreContract;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.StreamListingContract;
import io.daybook.metadata.contract.StreamMetadataStoreContract;
import io.daybook.metadata.contract.StreamRenameContract;
import io.daybook.metadata.contract.SubscriptionStoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract suites on a real ZooKeeper. */
final class ZkMetadataStoresTest {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class Cluster extends ClusterStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class Ledgers extends LedgerMetadataStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class LedgerIds extends LedgerIdAllocatorContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class Bookies extends BookieRegistryContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class Streams extends StreamMetadataStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class Renames extends StreamRenameContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class StreamNames extends StreamListingContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class Locks extends LockStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    final class Subscriptions extends SubscriptionStoreContract {
        @Override
        protected MetadataFixture newFixture() {
            return new ZkFixture(ZOOKEEPER);
        }
    }
}
