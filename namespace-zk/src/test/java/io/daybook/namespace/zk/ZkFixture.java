// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.format.LedgerFormat;
import io.daybook.metadata.format.StreamFormat;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.namespace.zk.session.ZkAddress;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkTimeouts;
import io.daybook.protocol.BookieId;
import java.time.Duration;
import java.util.BitSet;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.awaitility.Awaitility;

/** A namespace in a real ZooKeeper, and a plain client beside it to put bytes there. */
final class ZkFixture implements MetadataFixture {
    /** Sessions that end soon after their process. */
    static final ZkTimeouts TIMEOUTS = new ZkTimeouts(3_000, 2_000, 30_000);

    private static final long OPEN_MILLIS = 30_000;

    private final ZkAddress address;
    private final ZkPaths paths;
    private final CuratorFramework plain;

    ZkFixture(ZooKeeperExtension zooKeeper) {
        this.address = new ZkAddress(zooKeeper.servers(), zooKeeper.newRoot());
        this.paths = new ZkPaths(address.root());
        this.plain = CuratorFrameworkFactory.newClient(zooKeeper.servers(), new RetryOneTime(100));
        plain.start();
    }

    @Override
    public MetadataStores open() {
        return new ZkMetadataStores(openSession());
    }

    ZkSession openSession() {
        return ZkSession.open(address, TIMEOUTS, OPEN_MILLIS);
    }

    /** The same namespace, reached through another address. */
    ZkSession openSessionThrough(String servers, ZkTimeouts timeouts) {
        return ZkSession.open(new ZkAddress(servers, address.root()), timeouts, OPEN_MILLIS);
    }

    ZkPaths paths() {
        return paths;
    }

    CuratorFramework plain() {
        return plain;
    }

    @Override
    public void await(BooleanSupplier condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(condition::getAsBoolean);
    }

    /** Puts bytes into a node, which may be new. */
    void plant(String path, byte[] value) {
        try {
            plain.create().orSetData().creatingParentsIfNeeded().forPath(path, value);
        } catch (Exception failure) {
            throw new AssertionError("could not plant " + path, failure);
        }
    }

    @Override
    public void plantCluster(byte[] value) {
        plant(paths.cluster(), value);
    }

    @Override
    public void plantLedger(long ledgerId, byte[] value) {
        try {
            plain.create()
                    .creatingParentsIfNeeded()
                    .forPath(paths.ledgerBucket(ledgerId), LedgerFormat.encodeBucket(new BitSet()));
        } catch (KeeperException.NodeExistsException present) {
            // What a ledger stands in is made once.
            plant(paths.ledger(ledgerId), value);
            return;
        } catch (Exception failure) {
            throw new AssertionError("could not plant a bucket", failure);
        }
        plant(paths.ledger(ledgerId), value);
    }

    @Override
    public void plantCookie(BookieId bookieId, byte[] value) {
        plant(paths.cookie(bookieId), value);
    }

    @Override
    public void plantStream(String name, byte[] value) {
        plant(paths.stream(name), value);
    }

    @Override
    public void plantSegment(String name, long number, byte[] value) {
        plant(ZkPaths.segment(paths.aboveSegments(head(name)), number), value);
    }

    private StreamMetadata head(String name) {
        try {
            return StreamFormat.decode(plain.getData().forPath(paths.stream(name)), name);
        } catch (Exception failure) {
            throw new AssertionError("could not read the head of " + name, failure);
        }
    }

    @Override
    public void plantLock(String name, byte[] value) {
        plant(paths.lock(name), value);
    }

    @Override
    public void close() {
        plain.close();
    }
}
