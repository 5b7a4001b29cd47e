// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

import static io.daybook.runtime.simulated.TwoMachines.MILLI;
import static io.daybook.runtime.simulated.TwoMachines.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.simulated.TwoMachines;
import io.daybook.runtime.simulated.network.NetworkConditions.PartitionMode;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What each fault of the network does to links, and what it spares. */
final class NetworkFaultsTest {
    private static final int[] TEN = IntStream.range(0, 10).toArray();

    private final TwoMachines two = new TwoMachines(11);
    private final NetworkConditions network = two.world.network();

    private void settle() {
        two.world.runFor(SECOND);
    }

    private static List<Integer> firstOfTen(int count) {
        return listOf(0, count);
    }

    private static List<Integer> listOf(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void cloggedDirectionHoldsFramesAndTheOtherGoesOn() {
        network.clog("near", "far");

        two.send(two.near, TEN);
        two.send(two.far, TEN);
        settle();

        assertThat(two.far.values).isEmpty();
        assertThat(two.near.values).isEqualTo(firstOfTen(10));

        network.unclog("near", "far");
        settle();
        assertThat(two.far.values).isEqualTo(firstOfTen(10));
        assertThat(two.far.closings).isEmpty();
    }

    @Test
    void attemptToConnectAcrossAPartitionTimesOutAndOneThatWaitedForItsEndSucceeds() {
        network.partition(Set.of("near"), Set.of("far"), PartitionMode.HOLD);
        TwoMachines.End late = new TwoMachines.End();
        two.connect(late);
        two.world.runFor(SECOND + 50 * MILLI);
        assertThat(late.closings).hasSize(1);
        assertThat(late.link).isNull();

        TwoMachines.End patient = new TwoMachines.End();
        two.connect(patient);
        two.world.after(300 * MILLI, network::heal);
        settle();

        assertThat(patient.link).isNotNull();
        assertThat(late.closings).hasSize(1);
        assertThat(two.near.closings).isEmpty();
    }

    @Test
    void partitionMayResetTheLinksThatCrossIt() {
        network.partition(Set.of("near"), Set.of("far"), PartitionMode.RESET);
        settle();

        assertThat(two.near.closings).hasSize(1);
        assertThat(two.far.closings).hasSize(1);
    }

    @Test
    void resetLetsAPrefixOfTheFramesUnderWayArrive() {
        Set<Integer> lengths = new TreeSet<>();
        for (long seed = 0; seed < 60; seed++) {
            TwoMachines fresh = new TwoMachines(seed);
            fresh.world.network().quality(new LinkQuality(20 * MILLI, 1, 0));
            fresh.send(fresh.near, TEN);
            fresh.world.runFor(10 * MILLI);
            fresh.world.network().reset("near", "far");
            int before = fresh.far.values.size();
            fresh.world.runFor(SECOND);

            assertThat(before).isZero();
            assertThat(fresh.far.values).isEqualTo(firstOfTen(fresh.far.values.size()));
            assertThat(fresh.far.closings).hasSize(1);
            assertThat(fresh.near.closings).hasSize(1);
            lengths.add(fresh.far.values.size());
        }

        assertThat(lengths).contains(0, 10).hasSizeGreaterThan(5);
    }

    @Test
    void halfOpenLinkIsSilentInOneDirectionUntilItTimesOut() {
        network.halfOpen("near", "far", 30 * SECOND);

        two.send(two.near, 1, 2);
        two.send(two.far, 3, 4);
        two.world.runFor(29 * SECOND);
        assertThat(two.far.values).isEmpty();
        assertThat(two.near.values).containsExactly(3, 4);
        assertThat(two.near.closings).isEmpty();
        assertThat(two.far.closings).isEmpty();

        two.world.runFor(2 * SECOND);
        assertThat(two.far.values).isEmpty();
        assertThat(two.near.closings).hasSize(1);
        assertThat(two.far.closings).hasSize(1);
    }

    @Test
    void crashBehindASilentDirectionIsNoticedAtTheTimeout() {
        network.halfOpen("far", "near", 10 * SECOND);
        two.world.machine("far").crash();

        two.world.runFor(9 * SECOND);
        assertThat(two.near.closings).isEmpty();
        two.world.runFor(2 * SECOND);
        assertThat(two.near.closings).hasSize(1);
    }

    @Test
    void crashedProcessHearsNothingAndItsPeerHearsOfAReset() {
        two.send(two.near, TEN);
        two.world.machine("far").crash();
        settle();

        assertThat(two.far.closings).isEmpty();
        assertThat(two.near.closings).hasSize(1);
        TwoMachines.End again = new TwoMachines.End();
        two.connect(again);
        settle();
        assertThat(again.closings).singleElement().asString().contains("refused");
    }

    @Test
    void frameSentAfterABlockingCallIsNotSentWhenTheProcessCrashesMeanwhile() {
        for (long seed = 0; seed < 20; seed++) {
            TwoMachines fresh = new TwoMachines(seed);
            syncAndSend(fresh);
            fresh.world.runFor(5 * SECOND);

            fresh.world.machine("near").crash();
            fresh.world.runFor(60 * SECOND);

            assertThat(fresh.far.values).isEmpty();
            assertThat(fresh.far.closings).hasSize(1);
        }
    }

    /** In one task: a sync that takes ten seconds, then a frame. */
    private static void syncAndSend(TwoMachines two) {
        two.world.machine("near").drive("/data").faults().stallFor(10 * SECOND);
        two.nearLoop.execute(() -> {
            two.world.machine("near").host().disk("/data").syncDirectory("");
            two.near.link().send(two.near.link().allocate(4).writeInt(1));
        });
    }

    @Test
    void frameSentAfterABlockingCallLeavesWhenTheCallIsOver() {
        syncAndSend(two);
        two.world.runFor(9 * SECOND);
        assertThat(two.far.values).isEmpty();

        two.world.runFor(2 * SECOND);
        assertThat(two.far.values).containsExactly(1);
    }

    @Test
    void closedLoopTakesItsLinksAndListenersWithIt() {
        two.farLoop.close();
        settle();

        assertThat(two.near.closings).hasSize(1);
        TwoMachines.End again = new TwoMachines.End();
        two.connect(again);
        settle();
        assertThat(again.closings).hasSize(1);
    }

    @Test
    void bandwidthIsShared() {
        network.quality("near", "far", new LinkQuality(1, 1, 4_000));
        long start = two.world.nanoTime();

        two.send(two.near, IntStream.range(0, 1000).toArray());
        two.await(() -> two.far.values.size() == 1000);

        assertThat(two.world.nanoTime() - start).isBetween(SECOND, SECOND + 10 * MILLI);
    }

    @Test
    void framesThatWaitedForANarrowWireLeaveAtOnceWhenItIsWideAgain() {
        network.quality("near", "far", new LinkQuality(1, 1, 4_000));
        two.send(two.near, IntStream.range(0, 10_000).toArray());
        two.await(() -> two.far.values.size() == 100);
        long widened = two.world.nanoTime();

        network.quality("near", "far", new LinkQuality(1, 1, 0));
        two.await(() -> two.far.values.size() == 10_000);

        assertThat(two.world.nanoTime() - widened).isLessThan(10 * MILLI);
        assertThat(two.far.values.subList(9_990, 10_000)).isEqualTo(listOf(9_990, 10_000));
    }

    @Test
    void frameOnItsWayPassesAWireThatBecameNarrowAtItsWidth() {
        network.quality("near", "far", new LinkQuality(1, 1, 8_000));
        two.send(two.near, IntStream.range(0, 2_000).toArray());
        two.await(() -> two.far.values.size() == 1_000);
        long narrowed = two.world.nanoTime();

        network.quality("near", "far", new LinkQuality(1, 1, 4_000));
        two.await(() -> two.far.values.size() == 2_000);

        assertThat(two.world.nanoTime() - narrowed).isBetween(SECOND - 10 * MILLI, SECOND + 10 * MILLI);
        assertThat(two.far.values).isEqualTo(listOf(0, 2_000));
    }

    @Test
    void framesTakeAtLeastTheLatency() {
        network.quality(new LinkQuality(100 * MILLI, 10 * MILLI, 0));
        long start = two.world.nanoTime();

        two.send(two.near, 1);
        two.await(() -> two.far.values.size() == 1);

        assertThat(two.world.nanoTime() - start).isBetween(100 * MILLI, 400 * MILLI);
    }

    @Test
    void everyBufferOfTheTrafficIsReleased() {
        two.send(two.near, TEN);
        two.send(two.far, TEN);
        settle();

        assertThat(two.world.machine("near").host().buffers().outstanding()).isZero();
        assertThat(two.world.machine("far").host().buffers().outstanding()).isZero();
    }

    @Test
    void releasedBufferIsPoisoned() {
        PoisonedBuffers buffers = new PoisonedBuffers();
        for (boolean direct : new boolean[] {true, false}) {
            ByteBuf buffer = buffers.holding(new byte[] {1, 2, 3}, direct);
            ByteBuffer lateView = buffer.nioBuffer();
            assertThat(lateView.get(1)).isEqualTo((byte) 2);
            assertThat(buffers.outstanding()).isOne();

            buffer.release();

            assertThat(lateView.get(1)).isEqualTo((byte) 0xDB);
            assertThat(buffers.outstanding()).isZero();
        }
    }
}
