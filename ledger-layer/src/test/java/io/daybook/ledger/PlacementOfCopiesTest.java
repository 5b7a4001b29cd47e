// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.payload;
import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.handle.Situations;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S-13: from the settings of clients and the labels of bookies to the ensembles in metadata. */
final class PlacementOfCopiesTest {
    private static final Quorums STRIPED = new Quorums(4, 2, 2);

    private static LedgerClientConfig rules(int racksMin, int regionsMin, boolean isEnforced) {
        return SimulatedCluster.settings(Map.of(
                "ledger.placement-racks-min", Integer.toString(racksMin),
                "ledger.placement-regions-min", Integer.toString(regionsMin),
                "ledger.placement-enforced", Boolean.toString(isEnforced)));
    }

    private static LedgerClient client(SimulatedCluster cluster, LedgerClientConfig config) {
        return cluster.client("writer", config, cluster.session("writer").ledgers());
    }

    private static LedgerWriter create(SimulatedCluster cluster, LedgerClient client, Quorums quorums) {
        return cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(quorums)));
    }

    private static LedgerMetadata metadata(SimulatedCluster cluster, LedgerClient client, long ledgerId) {
        return cluster.await(client.metadata(ledgerId)).value();
    }

    private static String regionOf(String label) {
        return label.substring(0, Math.max(0, label.indexOf('/')));
    }

    /** In how many domains the write set is that is in the fewest. */
    private static int fewest(
            SimulatedCluster cluster, LedgerMetadata metadata, Fragment fragment, UnaryOperator<String> domainOf) {
        int fewest = Integer.MAX_VALUE;
        for (int first = 0; first < metadata.quorums().ensembleSize(); first++) {
            Set<String> domains = new TreeSet<>();
            for (int i = 0; i < metadata.quorums().writeQuorum(); i++) {
                BookieId bookie =
                        fragment.ensemble().get((first + i) % metadata.quorums().ensembleSize());
                domains.add(domainOf.apply(cluster.rackOf(bookie)));
            }
            fewest = Math.min(fewest, domains.size());
        }
        return fewest;
    }

    private static void check(SimulatedCluster cluster, LedgerMetadata metadata, int racksMin, int regionsMin) {
        for (Fragment fragment : metadata.fragments()) {
            assertThat(fragment.ensemble()).doesNotHaveDuplicates();
            assertThat(fewest(cluster, metadata, fragment, label -> label)).isGreaterThanOrEqualTo(racksMin);
            assertThat(fewest(cluster, metadata, fragment, PlacementOfCopiesTest::regionOf))
                    .isGreaterThanOrEqualTo(regionsMin);
        }
    }

    @Test
    void copiesAreInAsManyRacksAsTheSettingSays() {
        SimulatedCluster cluster = new SimulatedCluster(1, List.of("a", "a", "a", "b", "c"));
        LedgerClient client = client(cluster, rules(3, 1, true));
        for (int round = 0; round < 50; round++) {
            LedgerWriter writer = create(cluster, client, new Quorums(3, 3, 2));
            check(cluster, metadata(cluster, client, writer.ledgerId()), 3, 1);
        }
    }

    @Test
    void copiesAreInAsManyRegionsAsTheSettingSays() {
        SimulatedCluster cluster = new SimulatedCluster(2, List.of("eu/a", "eu/b", "eu/c", "eu/d", "us/a", "us/a"));
        LedgerClient client = client(cluster, rules(1, 2, true));
        for (int round = 0; round < 50; round++) {
            LedgerWriter writer = create(cluster, client, new Quorums(2, 2, 2));
            check(cluster, metadata(cluster, client, writer.ledgerId()), 1, 2);
        }
    }

    @Test
    void aRuleThatIsNotEnforcedYieldsAndOneThatIsDoesNot() {
        SimulatedCluster cluster = new SimulatedCluster(3, List.of("r1", "r1", "r1"));
        LedgerClient lenient = cluster.client(
                "lenient", rules(2, 1, false), cluster.session("lenient").ledgers());
        LedgerClient strict = client(cluster, rules(2, 1, true));

        create(cluster, lenient, Quorums.DEFAULT);

        assertThatThrownBy(() -> create(cluster, strict, Quorums.DEFAULT))
                .hasRootCauseInstanceOf(LedgerException.NotEnoughBookies.class)
                .hasMessageContaining("2 racks")
                .hasMessageContaining("enforced")
                .hasMessageContaining("{r1=3}");
    }

    @Test
    void labelsThatAreTakenAwayOrGivenCountAtOnce() {
        SimulatedCluster cluster = new SimulatedCluster(4, List.of("r1", "r2", "r3"));
        LedgerClient client = client(cluster, rules(2, 1, true));
        create(cluster, client, Quorums.DEFAULT);

        for (int i = 0; i < 3; i++) {
            cluster.relabel(i, "");
        }
        cluster.world.runFor(SECOND);
        assertThatThrownBy(() -> create(cluster, client, Quorums.DEFAULT))
                .hasRootCauseInstanceOf(LedgerException.NotEnoughBookies.class);

        cluster.relabel(2, "r9");
        cluster.world.runFor(SECOND);
        create(cluster, client, Quorums.DEFAULT);
    }

    @Test
    void aMemberIsRatherNotReplacedThanAgainstAnEnforcedRule() {
        SimulatedCluster cluster = new SimulatedCluster(5, List.of("r1", "r1", "r1", "r2"));
        LedgerClient client = client(cluster, rules(2, 1, true));
        LedgerWriter writer = create(cluster, client, Quorums.DEFAULT);
        cluster.await(writer.append(payload(0)));

        cluster.crashBookie(3);
        cluster.await(writer.append(payload(1)));
        cluster.world.runFor(10 * SECOND);

        assertThat(cluster.world.faults().reached()).containsKey(Situations.NO_SPARE);
        assertThat(metadata(cluster, client, writer.ledgerId()).fragments()).hasSize(1);
        cluster.await(writer.append(payload(2)));
    }

    @Test
    void aWriterThatFailsForWantOfASpareSaysWhatIsMissing() {
        SimulatedCluster cluster = new SimulatedCluster(6, List.of("r1", "r1", "r1", "r2"));
        LedgerClient client = client(cluster, rules(2, 1, true));
        LedgerWriter writer = create(cluster, client, new Quorums(3, 3, 3));
        cluster.await(writer.append(payload(0)));

        cluster.crashBookie(3);

        assertThatThrownBy(() -> cluster.await(writer.append(payload(1))))
                .hasRootCauseInstanceOf(LedgerException.NotEnoughBookies.class)
                .hasMessageContaining("cannot be replaced")
                .hasMessageContaining("2 racks")
                .hasMessageContaining("enforced");
    }

    /** One ledger after the other whose members crash one after the other, with spares that obey the rules and some that do not. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void replacementsObeyEnforcedRacksAndRegionsRoundAfterRound(long seed) {
        SimulatedCluster cluster =
                new SimulatedCluster(seed, List.of("eu/a", "eu/b", "us/a", "us/b", "eu/a", "us/c", "eu/c", "us/a"));
        LedgerClient client = client(cluster, rules(2, 2, true));
        List<Long> ledgers = new ArrayList<>();
        int changes = 0;
        for (int round = 0; round < 10; round++) {
            LedgerWriter writer = create(cluster, client, STRIPED);
            for (int i = 0; i < 12; i++) {
                int victim = cluster.world.random("victim " + round + ' ' + i).below(8);
                cluster.crashBookie(victim);
                cluster.await(writer.append(payload(i)));
                cluster.restartBookie(victim);
                cluster.world.runFor(SECOND / 10);
            }
            cluster.await(writer.close());
            ledgers.add(writer.ledgerId());
        }
        for (long ledgerId : ledgers) {
            LedgerMetadata metadata = metadata(cluster, client, ledgerId);
            changes += metadata.fragments().size() - 1;
            check(cluster, metadata, 2, 2);
        }
        assertThat(changes).isGreaterThan(20);
    }

    /** Of a bookie that the recovering client has never seen alive nobody knows the rack. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aRecoveryByAClientThatNeverSawSomeMembersObeysTheRule(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, List.of("r1", "r2", "r1", "r1", "r2", "r2"));
        LedgerClient client = client(cluster, rules(2, 1, true));
        LedgerWriter writer = create(cluster, client, Quorums.DEFAULT);
        for (int i = 0; i < 20; i++) {
            writer.append(payload(i));
        }
        cluster.world.runFor(SECOND / 1000);
        List<BookieId> ensemble =
                metadata(cluster, client, writer.ledgerId()).lastFragment().ensemble();
        cluster.crash("writer");
        // One that may count as a rack of its own, and one that is replaced.
        cluster.crashBookie(ensemble.get((int) (seed % 3)));
        cluster.world.runFor(SECOND);

        LedgerClient recoverer = cluster.client(
                "recoverer", rules(2, 1, true), cluster.session("recoverer").ledgers());
        LedgerReader reader = cluster.await(recoverer.recover(writer.ledgerId(), OpenOptions.DEFAULT));

        assertThat(reader.isClosed()).isTrue();
        Map<Long, Integer> racks = new TreeMap<>();
        reader.metadata()
                .fragments()
                .forEach(fragment -> racks.put(
                        fragment.firstEntryId(), fewest(cluster, reader.metadata(), fragment, label -> label)));
        assertThat(racks.values()).allMatch(count -> count >= 2);
    }
}
