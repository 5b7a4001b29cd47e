// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.BookieRegistry.Registration;
import io.daybook.metadata.LockStore.Attempt;
import io.daybook.metadata.LockStore.Hold;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.contract.StoreContract;
import io.daybook.metadata.format.BookieFormat;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.namespace.zk.session.ZkSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** S-27: a process that loses its session, or only its connection, is listed again and its watches see what follows. */
final class SessionLossTest extends StoreContract {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    private ZkSession session;
    private MetadataStores losing;

    @Override
    protected MetadataFixture newFixture() {
        return new ZkFixture(ZOOKEEPER);
    }

    private ZkFixture zk() {
        return (ZkFixture) fixture;
    }

    @BeforeEach
    void openSession() {
        session = zk().openSession();
        losing = new ZkMetadataStores(session);
    }

    @AfterEach
    void closeSession() {
        losing.close();
    }

    private ZooKeeper zooKeeper() throws Exception {
        return session.client().getZookeeperClient().getZooKeeper();
    }

    /** Ends the session at the server, which then takes its registrations away. */
    private void endSessionAtServer() throws Exception {
        ZooKeeper present = zooKeeper();
        ZooKeeper twin = new ZooKeeper(
                ZOOKEEPER.servers(), 3_000, event -> {}, present.getSessionId(), present.getSessionPasswd());
        fixture.await(() -> twin.getState().isConnected());
        twin.close();
    }

    private boolean isRegistered(boolean readOnly) {
        return get(mine.bookies().live()).equals(List.of(Samples.registration(1, readOnly)));
    }

    @Test
    void bookieIsListedAgainAfterTheServerEndedItsSession() throws Exception {
        Registration registration = get(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        long before = zooKeeper().getSessionId();

        endSessionAtServer();

        fixture.await(() -> {
            try {
                return isRegistered(false) && zooKeeper().getSessionId() != before;
            } catch (Exception between) {
                return false;
            }
        });
        get(registration.update(Samples.registration(1, true)));
        assertThat(isRegistered(true)).isTrue();
        get(registration.close());
        assertThat(get(mine.bookies().live())).isEmpty();
    }

    // P-101
    @Test
    void bookieReplacesTheRemnantOfItsOwnFormerSession() throws Exception {
        get(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        long before = zooKeeper().getSessionId();
        String path = zk().paths().live(Samples.bookie(1));

        // Only the client thinks that its session is over: the server keeps the old node for a while.
        zooKeeper().getTestable().injectSessionExpiration();

        fixture.await(() -> {
            try {
                var stat = zk().plain().checkExists().forPath(path);
                return stat != null && stat.getEphemeralOwner() != before;
            } catch (Exception between) {
                return false;
            }
        });
        assertThat(isRegistered(false)).isTrue();
    }

    @Test
    void restartOfTheServerEndsNothing() throws Exception {
        // D-142
        get(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        get(losing.ledgers().create(Samples.ledger(5, 1)));

        ZOOKEEPER.server().restart();

        fixture.await(() -> isRegistered(false));
        assertThat(get(losing.ledgers().readLatest(5)).value()).isEqualTo(Samples.ledger(5, 1));
    }

    // P-101
    @Test
    void newProcessWaitsForTheRemnantOfTheOldOne() throws Exception {
        String path = zk().paths().live(Samples.bookie(1));
        byte[] remnant = BookieFormat.encodeRegistration(Samples.registration(1, true), Samples.token(77));
        CuratorFramework old =
                CuratorFrameworkFactory.newClient(ZOOKEEPER.servers(), 3_000, 3_000, new RetryOneTime(100));
        old.start();
        old.create().creatingParentsIfNeeded().withMode(CreateMode.EPHEMERAL).forPath(path, remnant);
        assertThat(isRegistered(true)).isTrue();

        CompletableFuture<Registration> registering =
                losing.bookies().register(Samples.registration(1, false), Samples.tokens(1));
        get(losing.bookies().live());
        assertThat(registering).isNotDone();
        old.close();

        get(registering);
        assertThat(isRegistered(false)).isTrue();
    }

    @Test
    void secondRegistrationOfOneProcessIsRefusedToo() {
        get(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));

        assertThat(refusal(losing.bookies().register(Samples.registration(1, true), Samples.tokens(2))))
                .isEqualTo(Code.ALREADY_EXISTS);
        assertThat(isRegistered(false)).isTrue();
    }

    @Test
    void unreadableRegistrationIsNotTakenAway() {
        // M6
        String path = zk().paths().live(Samples.bookie(1));
        zk().plant(path, new byte[] {1, 2, 3});

        assertThat(refusal(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1))))
                .isEqualTo(Code.ALREADY_EXISTS);
        assertThat(refusal(losing.bookies().live())).isEqualTo(Code.UNREADABLE);
    }

    // P-101
    @Test
    void watchesSeeWhatFollowsALostSession() throws Exception {
        // D-142
        // M4
        Versioned<LedgerMetadata> ledger = get(mine.ledgers().create(Samples.ledger(7, 1)));
        AtomicInteger told = new AtomicInteger();
        losing.ledgers().watch(7, told::incrementAndGet);
        get(losing.ledgers().readLatest(7));

        endSessionAtServer();
        // Whoever watches is told, because something may have happened meanwhile.
        fixture.await(() -> told.get() > 0);
        get(losing.ledgers().readLatest(7));

        int before = told.get();
        get(mine.ledgers().replace(ledger.value().withToken(Samples.token(2)), ledger.version()));
        fixture.await(() -> told.get() > before);
    }

    private static Owner owner(int number) {
        return new Owner("host", number, "", 0, Samples.token(number));
    }

    private static Hold taken(CompletableFuture<Attempt> attempt) {
        return ((Attempt.Taken) get(attempt)).hold();
    }

    @Test
    void lockOfAnEndedSessionIsLostAndCanBeTakenAgain() throws Exception {
        // D-66
        // D-61
        Hold hold = taken(losing.locks().tryAcquire("name", owner(1)));

        endSessionAtServer();

        get(hold.lost());
        assertThat(get(mine.locks().holder("name"))).isEmpty();
        Hold again = taken(losing.locks().tryAcquire("name", owner(2)));
        assertThat(get(mine.locks().holder("name"))).contains(owner(2));
        assertThat(again.lost()).isNotDone();
    }

    @Test
    void lockOutlivesARestartOfTheServer() throws Exception {
        // D-59
        Hold hold = taken(losing.locks().tryAcquire("name", owner(1)));

        ZOOKEEPER.server().restart();

        fixture.await(() -> get(losing.locks().holder("name")).equals(Optional.of(owner(1))));
        assertThat(hold.lost()).isNotDone();
    }
}
