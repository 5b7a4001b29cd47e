// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.bookies.BookieInquiry;
import io.daybook.ledger.bookies.BookieInquiry.Outcome;
import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedHost;
import org.junit.jupiter.api.Test;

/** A bookie is asked what it knows of itself, and whatever keeps it from answering is told (S-52). */
final class BookieInquiryTest {
    private static final ClusterId CLUSTER = new ClusterId(7, 7);

    private final SimulatedCluster cluster = new SimulatedCluster(3, 1);
    private final SimulatedHost operator = cluster.world.machine("operator").start();
    private final EventLoop loop = operator.newLoop("inquiry", Host.LoopKind.NETWORK);

    private Outcome ask(ClusterId clusterId, BookieId bookie, String machine) {
        return cluster.await(BookieInquiry.ask(
                loop,
                operator.network(),
                new BookieInquiry.Target(clusterId, bookie, new Endpoint(machine, 3181)),
                5 * SimulatedCluster.SECOND));
    }

    private static void assertUnanswered(Outcome outcome, String part) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Unanswered.class,
                        unanswered -> assertThat(unanswered.reason()).contains(part));
    }

    @Test
    void aBookieThatRunsDescribesItself() {
        Outcome outcome = ask(CLUSTER, cluster.idOf(0), "bookie-0");

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Described.class, described -> {
            assertThat(described.description().directories()).hasSize(2);
            assertThat(described.description().readOnlyBecause()).isEmpty();
        });
    }

    @Test
    void aBookieOfAnOlderProgramIsNotAskedWhatItDoesNotKnow() {
        ScriptedBookie old = new ScriptedBookie(new BookieId(1, 2), line -> {});
        old.start(cluster.world.machine("old").start(), new Endpoint("old", 3181));

        assertUnanswered(ask(CLUSTER, old.id(), "old"), "older program");
    }

    @Test
    void anotherBookieOrClusterRefuses() {
        assertUnanswered(ask(CLUSTER, new BookieId(9, 9), "bookie-0"), "refuses: this is bookie " + cluster.idOf(0));
        assertUnanswered(ask(new ClusterId(8, 8), cluster.idOf(0), "bookie-0"), "belongs to cluster");
    }

    @Test
    void aBookieThatIsGoneCannotBeReached() {
        cluster.crashBookie(0);
        cluster.machine("bookie-0").start();

        assertUnanswered(ask(CLUSTER, cluster.idOf(0), "bookie-0"), "it cannot be reached: ");
    }

    @Test
    void aBookieThatSaysNothingIsGivenUp() {
        SimulatedHost mute = cluster.world.machine("mute").start();
        EventLoop silent = mute.newLoop("mute", Host.LoopKind.NETWORK);
        cluster.await(mute.network().listen(silent, new Endpoint("mute", 3181), remote -> new SilentLink()));

        assertUnanswered(ask(CLUSTER, new BookieId(1, 2), "mute"), "does not answer in time");
    }
}
