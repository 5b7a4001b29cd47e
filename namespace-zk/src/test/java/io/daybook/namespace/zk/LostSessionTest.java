// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.BookieRegistry.Registration;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.contract.StoreContract;
import io.daybook.namespace.zk.LossyProxy.Lost;
import io.daybook.namespace.zk.session.ZkSession;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.listen.ListenerManager;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens in a session must not be taken for what happens in the next one, which may begin between any two requests. */
final class LostSessionTest extends StoreContract {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    private LossyProxy proxy;
    private ZkSession session;
    private ZkMetadataStores losing;
    private ZkPaths paths;

    @Override
    protected MetadataFixture newFixture() {
        return new ZkFixture(ZOOKEEPER);
    }

    @BeforeEach
    void openThroughProxy() throws Exception {
        proxy = new LossyProxy(ZOOKEEPER.server().getPort());
        ZkFixture zk = (ZkFixture) fixture;
        paths = zk.paths();
        session = zk.openSessionThrough(proxy.servers(), ZkFixture.TIMEOUTS);
        losing = new ZkMetadataStores(session);
    }

    @AfterEach
    void closeProxy() throws Exception {
        losing.close();
        proxy.close();
    }

    private ZooKeeper zooKeeper() throws Exception {
        return session.client().getZookeeperClient().getZooKeeper();
    }

    /** Ends a session at the server, with what lives as long as it. */
    private void end(long id, byte[] password) {
        try (ZooKeeper twin = new ZooKeeper(ZOOKEEPER.servers(), 3_000, event -> {}, id, password)) {
            fixture.await(() -> twin.getState() == States.CONNECTED);
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    // M3
    @Test
    void readingInAnotherSessionThanThatWhichCaughtUpIsMadeAgain() throws Exception {
        get(mine.ledgers().create(Samples.ledger(5, 1)));
        get(losing.ledgers().readLatest(5));
        ZooKeeper former = zooKeeper();
        int before = proxy.syncs();
        proxy.loseNextReading(paths.ledger(5), () -> end(former.getSessionId(), former.getSessionPasswd()));

        assertThat(get(losing.ledgers().readLatest(5)).value()).isEqualTo(Samples.ledger(5, 1));

        assertThat(zooKeeper().getSessionId()).isNotEqualTo(former.getSessionId());
        assertThat(proxy.syncs() - before).isEqualTo(2);
    }

    @Test
    void readingInOneSessionIsMadeOnce() throws Exception {
        get(mine.ledgers().create(Samples.ledger(5, 1)));
        get(losing.ledgers().readLatest(5));
        int before = proxy.syncs();
        proxy.loseNextReading(paths.ledger(5), () -> {});

        assertThat(get(losing.ledgers().readLatest(5)).value()).isEqualTo(Samples.ledger(5, 1));

        assertThat(proxy.losses()).isOne();
        assertThat(proxy.syncs() - before).isOne();
    }

    // S-32 d: the other's node has the version of the one that was read.
    @Test
    void registrationOfAnotherThatCameMeanwhileIsNotTakenForARemnant() {
        MetadataStores former = open();
        get(former.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        proxy.loseNext(Lost.REQUEST, paths.live(Samples.bookie(1)), () -> {
            former.close();
            get(mine.bookies().register(Samples.registration(1, true), Samples.tokens(2)));
        });

        Code code = refusal(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));

        assertThat(code).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.bookies().live())).isEqualTo(List.of(Samples.registration(1, true)));
    }

    // S-32 d
    @Test
    void closingLeavesTheRegistrationOfAnotherThatCameMeanwhileAlone() throws Exception {
        Registration registration = get(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        ZooKeeper former = zooKeeper();
        proxy.loseNext(Lost.REQUEST, paths.live(Samples.bookie(1)), () -> {
            end(former.getSessionId(), former.getSessionPasswd());
            get(mine.bookies().register(Samples.registration(1, true), Samples.tokens(2)));
        });

        get(registration.close());

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.bookies().live())).isEqualTo(List.of(Samples.registration(1, true)));
    }

    // S-32 d
    @Test
    void bookieWhoseSessionEndedUnnoticedLearnsWhoHasItsPlace() throws Exception {
        Registration registration = get(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        ZooKeeper former = zooKeeper();
        proxy.cut();
        end(former.getSessionId(), former.getSessionPasswd());
        get(mine.bookies().register(Samples.registration(1, true), Samples.tokens(2)));

        proxy.mend();

        assertThat(get(registration.lost())).isEqualTo(Optional.of(Samples.registration(1, true)));
    }

    // S-27: somebody removed it by hand.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void registrationOfWhichOneNodeIsGoneBecomesWholeAgain(boolean isTokenGone) throws Exception {
        Registration registration = get(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        String token =
                paths.registrationToken(Samples.bookie(1), Samples.tokens(1).own());
        session.client().delete().forPath(isTokenGone ? token : paths.live(Samples.bookie(1)));

        get(registration.update(Samples.registration(1, true)));

        assertThat(get(mine.bookies().live())).isEqualTo(List.of(Samples.registration(1, true)));
        assertThat(session.client().checkExists().forPath(token)).isNotNull();
        assertThat(registration.lost()).isNotDone();
    }

    // S-31
    @Test
    void checksOfARegistrationThatCannotBeMadeDoNotPileUp() {
        Registration registration = get(losing.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        CountDownLatch looks = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        proxy.loseNextReading(paths.live(Samples.bookie(1)), () -> {
            looks.countDown();
            await(answers);
        });
        reconnect();
        await(looks);
        int before = proxy.syncs();

        for (int i = 0; i < 100; i++) {
            reconnect();
        }
        answers.countDown();
        get(registration.update(Samples.registration(1, true)));

        assertThat(proxy.losses()).isOne();
        assertThat(proxy.syncs() - before).isLessThan(20);
    }

    /** Tells those who want to know that the connection came back. */
    private void reconnect() {
        ((ListenerManager<?, ?>) session.client().getConnectionStateListenable())
                .forEach(listener -> ((ConnectionStateListener) listener)
                        .stateChanged(session.client(), ConnectionState.RECONNECTED));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
