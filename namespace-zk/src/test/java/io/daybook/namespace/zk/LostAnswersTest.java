// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.LockStore.Attempt;
import io.daybook.metadata.LockStore.Hold;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.StreamMetadataStore.NewName;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.contract.StoreContract;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.namespace.zk.LossyProxy.Lost;
import io.daybook.namespace.zk.session.ZkTimeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S-28, M2: a change whose request or answer is lost is settled, and a real conflict is not taken for one's own change. */
@Execution(ExecutionMode.CONCURRENT)
final class LostAnswersTest extends StoreContract {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    private static final StreamMetadata STREAM = Samples.stream("s", 1);

    private LossyProxy proxy;
    private MetadataStores lossy;
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
        lossy = new ZkMetadataStores(zk.openSessionThrough(proxy.servers(), ZkFixture.TIMEOUTS));
        get(mine.ledgers().create(Samples.ledger(100, 1)));
    }

    @AfterEach
    void closeProxy() throws Exception {
        lossy.close();
        proxy.close();
    }

    private void lose(Lost lost, String path) {
        lose(lost, path, () -> {});
    }

    private void lose(Lost lost, String path, Runnable meanwhile) {
        proxy.loseNext(lost, path, meanwhile);
    }

    // P-73
    @ParameterizedTest
    @EnumSource
    void ledgerIsCreatedOnce(Lost lost) {
        lose(lost, paths.ledger(1));

        Versioned<LedgerMetadata> created = get(lossy.ledgers().create(Samples.ledger(1, 11)));

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.ledgers().readLatest(1))).isEqualTo(created);
        assertThat(created.value()).isEqualTo(Samples.ledger(1, 11));
    }

    @ParameterizedTest
    @EnumSource
    void ledgerIsReplacedOnce(Lost lost) {
        Versioned<LedgerMetadata> first = get(mine.ledgers().create(Samples.ledger(1, 11)));
        lose(lost, paths.ledger(1));

        Versioned<LedgerMetadata> second =
                get(lossy.ledgers().replace(first.value().withRecovery(Samples.token(12)), first.version()));

        assertThat(proxy.losses()).isOne();
        assertThat(second.version()).isEqualTo(first.version() + 1);
        assertThat(get(mine.ledgers().readLatest(1))).isEqualTo(second);
    }

    @ParameterizedTest
    @EnumSource
    void ledgerIsDeletedAndStaysSo(Lost lost) {
        get(mine.ledgers().create(Samples.ledger(1, 11)));
        lose(lost, paths.ledger(1));

        get(lossy.ledgers().delete(1));

        assertThat(proxy.losses()).isOne();
        assertThat(refusal(mine.ledgers().readLatest(1))).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(mine.ledgers().create(Samples.ledger(1, 12)))).isEqualTo(Code.ALREADY_EXISTS);
    }

    // P-73
    @Test
    void anotherWhoCreatesTheLedgerMeanwhileWins() {
        lose(Lost.REQUEST, paths.ledger(1), () -> get(mine.ledgers().create(Samples.ledger(1, 99))));

        assertThat(refusal(lossy.ledgers().create(Samples.ledger(1, 11)))).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(get(mine.ledgers().readLatest(1)).value()).isEqualTo(Samples.ledger(1, 99));
    }

    @Test
    void anotherWhoReplacesTheLedgerMeanwhileWins() {
        Versioned<LedgerMetadata> first = get(mine.ledgers().create(Samples.ledger(1, 11)));
        LedgerMetadata theirs = first.value().withRecovery(Samples.token(99));
        lose(Lost.REQUEST, paths.ledger(1), () -> get(mine.ledgers().replace(theirs, first.version())));

        assertThat(refusal(lossy.ledgers().replace(first.value().withToken(Samples.token(12)), first.version())))
                .isEqualTo(Code.VERSION_CONFLICT);
        assertThat(get(mine.ledgers().readLatest(1)).value()).isEqualTo(theirs);
    }

    @Test
    void changeThatOthersOverwroteBeforeItWasSettledIsUnknown() {
        Versioned<LedgerMetadata> first = get(mine.ledgers().create(Samples.ledger(1, 11)));
        LedgerMetadata ours = first.value().withRecovery(Samples.token(12));
        LedgerMetadata theirs = first.value().withRecovery(Samples.token(99));
        lose(Lost.ANSWER, paths.ledger(1), () -> get(mine.ledgers().replace(theirs, first.version() + 1)));

        assertThat(refusal(lossy.ledgers().replace(ours, first.version()))).isEqualTo(Code.OUTCOME_UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void streamIsCreatedOnce(Lost lost) {
        get(mine.streams().create(Samples.stream("s", 1)));
        get(mine.streams().delete("s", get(mine.streams().read("s")).version()));
        lose(lost, paths.stream("s"));

        Versioned<StreamMetadata> created = get(lossy.streams().create(Samples.stream("s", 2)));

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.streams().read("s"))).isEqualTo(created);
    }

    @ParameterizedTest
    @EnumSource
    void streamIsChangedOnce(Lost lost) {
        Versioned<StreamMetadata> head = get(mine.streams().create(Samples.stream("s", 1)));
        head = commit(mine, head, 1, 20);
        lose(lost, paths.stream("s"));

        Versioned<StreamMetadata> committed = commit(lossy, head, 2, 21);

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.streams().read("s"))).isEqualTo(committed);
        assertThat(get(mine.streams().segments("s", 0, 10)).items())
                .containsExactly(Samples.segment(1), Samples.segment(2));
    }

    private static Versioned<StreamMetadata> commit(
            MetadataStores stores, Versioned<StreamMetadata> head, long segment, long token) {
        List<SegmentMetadata> puts = List.of(Samples.segment(segment));
        StreamMetadata next = Samples.next(head.value(), segment + 1, token);
        return get(stores.streams().commit(new StreamChange(next, head.version(), puts, List.of())));
    }

    @ParameterizedTest
    @EnumSource
    void anotherWhoChangesTheStreamMeanwhileIsNotOverwritten(Lost lost) {
        Versioned<StreamMetadata> head = get(mine.streams().create(Samples.stream("s", 1)));
        Versioned<StreamMetadata> present = commit(mine, head, 1, 20);
        lose(lost, paths.stream("s"), () -> commit(mine, get(mine.streams().read("s")), 3, 99));
        StreamMetadata next = Samples.next(present.value(), 3, 21);
        StreamChange change = new StreamChange(next, present.version(), List.of(Samples.segment(2)), List.of());

        Code code = refusal(lossy.streams().commit(change));

        assertThat(code).isEqualTo(lost == Lost.REQUEST ? Code.VERSION_CONFLICT : Code.OUTCOME_UNKNOWN);
        assertThat(get(mine.streams().read("s")).value().token()).isEqualTo(Samples.token(99));
    }

    @ParameterizedTest
    @EnumSource
    void streamIsDeletedOnce(Lost lost) {
        Versioned<StreamMetadata> head = get(mine.streams().create(Samples.stream("s", 1)));
        lose(lost, paths.stream("s"));

        get(lossy.streams().delete("s", head.version()));

        assertThat(proxy.losses()).isOne();
        assertThat(refusal(mine.streams().read("s"))).isEqualTo(Code.NOT_FOUND);
    }

    @ParameterizedTest
    @EnumSource
    void clusterIsInitialisedOnce(Lost lost) {
        ClusterInfo info = new ClusterInfo(Samples.CLUSTER, 5);
        lose(lost, paths.cluster());

        get(lossy.cluster().initialize(info));

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.cluster().read())).isEqualTo(info);
    }

    @ParameterizedTest
    @EnumSource
    void cookieIsStoredOnce(Lost lost) {
        lose(lost, paths.cookie(Samples.bookie(1)));

        get(lossy.bookies().addCookie(Samples.cookie(1)));

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.bookies().cookies())).containsExactly(Samples.cookie(1));
    }

    @ParameterizedTest
    @EnumSource
    void bookieIsRegisteredOnce(Lost lost) {
        lose(lost, paths.live(Samples.bookie(1)));

        get(lossy.bookies().register(Samples.registration(1, false), Samples.tokens(1)));

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.bookies().live())).containsExactly(Samples.registration(1, false));
    }

    @ParameterizedTest
    @EnumSource
    void idsAreSkippedRatherThanGivenTwice(Lost lost) {
        // L13
        List<Long> given = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            lose(lost, paths.ledgerIds());
            for (int j = 0; j < 8; j++) {
                given.add(get(lossy.ledgerIds().next()));
                given.add(get(mine.ledgerIds().next()));
            }
        }

        assertThat(proxy.losses()).isPositive();
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void callsDuringAnOutageEndInTimeAndSucceedAfterIt() throws Exception {
        lossy.close();
        ZkTimeouts impatient = new ZkTimeouts(3_000, 2_000, 500);
        lossy = new ZkMetadataStores(((ZkFixture) fixture).openSessionThrough(proxy.servers(), impatient));
        get(lossy.ledgers().read(100));

        proxy.cut();
        Code during = refusal(lossy.ledgers().read(100));
        assertThat(during).isEqualTo(Code.UNAVAILABLE);
        assertThat(new MetadataException(during, "").isRetryable()).isTrue();

        proxy.mend();

        fixture.await(() -> lossy.ledgers()
                .read(100)
                .handle((ledger, failure) -> failure == null)
                .join());
        assertThat(get(lossy.ledgers().read(100)).value()).isEqualTo(Samples.ledger(100, 1));
    }

    private void becomeImpatient() {
        becomeImpatient(500);
    }

    private void becomeImpatient(int callMillis) {
        lossy.close();
        ZkTimeouts impatient = new ZkTimeouts(20_000, 2_000, callMillis);
        lossy = new ZkMetadataStores(((ZkFixture) fixture).openSessionThrough(proxy.servers(), impatient));
    }

    private static Owner owner(long token) {
        return new Owner("host", 1, "label", 5, Samples.token(token));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lockOfWhichNobodyWasToldIsGivenBackAfterTheOutage(boolean seizes) {
        // D-59
        becomeImpatient();
        Hold other = ((Attempt.Taken) get(mine.locks().tryAcquire("l", owner(1)))).hold();
        if (!seizes) {
            get(other.release());
        }
        lose(Lost.ANSWER, paths.lock("l"), this::cut);

        Code code = refusal(
                seizes ? lossy.locks().seize("l", owner(2)) : lossy.locks().tryAcquire("l", owner(2)));
        assertThat(code).isEqualTo(Code.OUTCOME_UNKNOWN);
        assertThat(get(mine.locks().holder("l"))).contains(owner(2));
        proxy.mend();

        // The session, which would take the lock with it, lives on.
        fixture.await(() -> get(mine.locks().holder("l")).isEmpty());
        assertThat(get(lossy.locks().tryAcquire("l", owner(3)))).isInstanceOf(Attempt.Taken.class);
    }

    @Test
    void lockThatIsGivenBackDuringAnOutageIsFreeAfterIt() {
        becomeImpatient();
        Hold hold = ((Attempt.Taken) get(lossy.locks().tryAcquire("l", owner(2)))).hold();
        cut();

        assertThat(refusal(hold.release())).isEqualTo(Code.UNAVAILABLE);
        proxy.mend();

        fixture.await(() -> get(mine.locks().holder("l")).isEmpty());
    }

    private void cut() {
        try {
            proxy.cut();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @ParameterizedTest
    @EnumSource
    void subscriptionIsCreatedOnce(Lost lost) {
        get(mine.streams().create(STREAM));
        get(mine.subscriptions().create(STREAM, subscription(1)));
        get(mine.subscriptions().delete(STREAM, "id"));
        lose(lost, paths.subscription(STREAM, "id"));

        Versioned<SubscriptionMetadata> created = get(lossy.subscriptions().create(STREAM, subscription(2)));

        assertThat(proxy.losses()).isOne();
        assertThat(created.value()).isEqualTo(subscription(2));
        assertThat(get(mine.subscriptions().read(STREAM, "id"))).isEqualTo(created);
    }

    @ParameterizedTest
    @EnumSource
    void anotherWhoCreatesTheStreamMeanwhileIsNotTakenForOneself(Lost lost) {
        get(mine.streams().create(Samples.stream("s", 1)));
        get(mine.streams().delete("s", get(mine.streams().read("s")).version()));
        ((ZkFixture) fixture)
                .plant(ZkPaths.bucket(paths.home(Samples.stream("s", 2).identity())), new byte[0]);
        lose(lost, paths.stream("s"), () -> {
            if (lost == Lost.ANSWER) {
                get(mine.streams().delete("s", get(mine.streams().read("s")).version()));
            }
            get(mine.streams().create(Samples.stream("s", 3)));
        });

        Code code = refusal(lossy.streams().create(Samples.stream("s", 2)));

        // M2: what was made and deleted before anybody knew of it was not refused.
        assertThat(code).isEqualTo(lost == Lost.REQUEST ? Code.ALREADY_EXISTS : Code.OUTCOME_UNKNOWN);
        assertThat(get(mine.streams().read("s")).value().incarnation())
                .isEqualTo(Samples.stream("s", 3).incarnation());
    }

    @ParameterizedTest
    @EnumSource
    void subscriptionIsReplacedOnce(Lost lost) {
        get(mine.streams().create(STREAM));
        Versioned<SubscriptionMetadata> first = get(mine.subscriptions().create(STREAM, subscription(1)));
        lose(lost, paths.subscription(STREAM, "id"));

        Versioned<SubscriptionMetadata> second =
                get(lossy.subscriptions().replace(STREAM, subscription(2), first.version()));

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.subscriptions().read(STREAM, "id"))).isEqualTo(second);
    }

    @Test
    void creationOfASubscriptionThatCannotBeSettledInTimeIsUnknown() {
        becomeImpatient(2_500);
        get(mine.streams().create(STREAM));
        get(mine.subscriptions().create(STREAM, subscription(2)));
        get(mine.subscriptions().delete(STREAM, "id"));
        String path = paths.subscription(STREAM, "id");
        // The creation is done; the one that repeats it is refused, and what is there cannot be read any more.
        lose(Lost.ANSWER, path, () -> proxy.loseNextReading(path, this::cut));

        // M2
        assertThat(refusal(lossy.subscriptions().create(STREAM, subscription(1))))
                .isEqualTo(Code.OUTCOME_UNKNOWN);
        assertThat(get(mine.subscriptions().read(STREAM, "id")).value()).isEqualTo(subscription(1));
    }

    private static SubscriptionMetadata subscription(long token) {
        return new SubscriptionMetadata("id", STREAM.identity(), 3, 4, 5, 0, "", 1, 2, Samples.token(token));
    }

    @Test
    void subscriptionThatIsMadeAnewMeanwhileIsNotReplaced() {
        // S14: the new one begins with the version of the old one in ZooKeeper's own count
        get(mine.streams().create(STREAM));
        Versioned<SubscriptionMetadata> old = get(mine.subscriptions().create(STREAM, subscription(1)));
        lose(Lost.REQUEST, paths.subscription(STREAM, "id"), () -> {
            get(mine.subscriptions().delete(STREAM, "id"));
            get(mine.subscriptions().create(STREAM, subscription(2)));
        });

        assertThat(refusal(lossy.subscriptions().replace(STREAM, subscription(3), old.version())))
                .isEqualTo(Code.OUTCOME_UNKNOWN);

        assertThat(get(mine.subscriptions().read(STREAM, "id")).value()).isEqualTo(subscription(2));
    }

    private static StreamChange toBeRenamed(Versioned<StreamMetadata> head) {
        return new StreamChange(Samples.next(head.value(), 1, 60), head.version(), List.of(), List.of());
    }

    @ParameterizedTest
    @EnumSource
    void streamIsRenamedOnce(Lost lost) {
        Versioned<StreamMetadata> head = get(mine.streams().create(STREAM));
        NewName to = new NewName("t", Samples.token(61));
        lose(lost, paths.stream("t"));

        Versioned<StreamMetadata> moved = get(lossy.streams().rename(toBeRenamed(head), to));

        assertThat(proxy.losses()).isOne();
        assertThat(get(mine.streams().read("t"))).isEqualTo(moved);
        assertThat(get(mine.streams().nameOf(STREAM.identity()))).isEqualTo("t");
        assertThat(refusal(mine.streams().read("s"))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void renameThatAnotherOvertookMeanwhileIsNotTakenForDone() {
        Versioned<StreamMetadata> head = get(mine.streams().create(STREAM));
        lose(
                Lost.REQUEST,
                paths.stream("t"),
                () -> get(mine.streams().rename(toBeRenamed(head), new NewName("t", Samples.token(62)))));

        // M2: it was not done, but who comes after cannot tell that from one that was done and undone.
        assertThat(refusal(lossy.streams().rename(toBeRenamed(head), new NewName("t", Samples.token(61)))))
                .isEqualTo(Code.OUTCOME_UNKNOWN);
        assertThat(get(mine.streams().read("t")).value().incarnation()).isEqualTo(Samples.token(62));
    }

    @Test
    void renameToANameThatCameAndWentMeanwhileGivesNumbersAboveIts() {
        // S14
        Versioned<StreamMetadata> head = get(mine.streams().create(STREAM));
        lose(Lost.REQUEST, paths.stream("t"), () -> {
            Versioned<StreamMetadata> other = get(mine.streams().create(Samples.stream("t", 4)));
            StreamMetadata grown = Samples.next(other.value(), 9, 2);
            StreamChange growth = new StreamChange(grown, other.version(), List.of(), List.of());
            get(mine.streams().delete("t", get(mine.streams().commit(growth)).version()));
        });

        Versioned<StreamMetadata> moved =
                get(lossy.streams().rename(toBeRenamed(head), new NewName("t", Samples.token(61))));

        assertThat(moved.value().originSegmentNumber()).isEqualTo(10);
        assertThat(get(mine.streams().read("t"))).isEqualTo(moved);
    }

    @Test
    void closingEndsCallsInFlight() throws Exception {
        proxy.cut();
        var call = lossy.ledgers().read(100);

        lossy.close();

        assertThat(refusal(call)).isEqualTo(Code.CLOSED);
    }
}
