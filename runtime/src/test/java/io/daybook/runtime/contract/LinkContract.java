// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link Link} promises: whole frames in order, limits, back-pressure, and one end. */
public abstract class LinkContract {
    private static final int LARGE = Link.FRAME_BYTES_INITIAL;
    private static final long HIGH_MARK = 1024 * 1024;

    private PortsUnderTest ports;
    private Connections connections;
    private RecordingHandler near;
    private RecordingHandler far;

    /** Makes the ports of one test. */
    protected abstract PortsUnderTest start();

    @BeforeEach
    void openALink() {
        ports = start();
        connections = new Connections(ports);
        near = connections.connect(connections.listen().endpoint());
        far = connections.newestAccepted();
    }

    @AfterEach
    void closePorts() {
        ports.close();
    }

    private void onNear(Runnable action) {
        connections.turns.run(connections.near, action);
    }

    private void onFar(Runnable action) {
        connections.turns.run(connections.far, action);
    }

    private void settle() {
        connections.turns.settle(connections.near, connections.far);
    }

    @Test
    void framesOfEverySizeUpToTheLimitArriveWholeAndInOrder() {
        List<Integer> sizes = List.of(0, 1, 2, 3, 4, 5, 511, 512, 513, 4096, LARGE - 1, LARGE, 0, 7);

        onNear(() -> IntStream.range(0, sizes.size()).forEach(i -> Connections.sendInTurn(near, sizes.get(i), i)));
        ports.runUntil(() -> far.frames().size() == sizes.size());

        for (int i = 0; i < sizes.size(); i++) {
            assertThat(far.frames().get(i)).isEqualTo(Connections.frame(sizes.get(i), i));
        }
        assertThat(far.hasStrayed()).isFalse();
        assertThat(far.events().get(0)).isEqualTo("opened");
    }

    @Test
    void framesOfManyTurnsArriveInOrderInBothDirections() {
        for (int i = 0; i < 50; i++) {
            int value = i;
            connections.near.execute(() -> Connections.sendInTurn(near, 100 + value, value));
            connections.far.execute(() -> Connections.sendInTurn(far, 2000 + value, value));
        }
        ports.runUntil(() -> near.frames().size() == 50 && far.frames().size() == 50);

        for (int i = 0; i < 50; i++) {
            assertThat(far.frames().get(i)).isEqualTo(Connections.frame(100 + i, i));
            assertThat(near.frames().get(i)).isEqualTo(Connections.frame(2000 + i, i));
        }
    }

    @Test
    void frameSentAsSoonAsTheLinkOpensArrives() {
        AtomicReference<Link> opened = new AtomicReference<>();
        RecordingHandler eager = new RecordingHandler(link -> {
            opened.set(link);
            link.send(link.allocate(1).writeByte(5));
        });
        Endpoint endpoint = connections
                .listen(
                        ports.peerAnyPort(),
                        () -> new RecordingHandler(link -> link.send(Unpooled.wrappedBuffer(new byte[] {6}))))
                .endpoint();
        connections.connect(endpoint, eager);
        ports.runUntil(() -> eager.frames().size() == 1
                && connections.newestAccepted().frames().size() == 1);

        assertThat(connections.newestAccepted().frames().get(0)).containsExactly(5);
        assertThat(eager.frames().get(0)).containsExactly(6);
        assertThat(eager.link()).isSameAs(opened.get());
    }

    @Test
    void anyKindOfBufferCanBeSentAndIsConsumed() {
        List<ByteBuf> sent = new CopyOnWriteArrayList<>();
        onNear(() -> {
            ByteBuf shared = near.link().allocate(2000);
            byte[] content = Connections.frame(2000, 1);
            shared.writeBytes(content);
            sent.add(Unpooled.wrappedBuffer(content));
            sent.add(Unpooled.wrappedBuffer(
                    Unpooled.wrappedBuffer(content, 0, 900), Unpooled.wrappedBuffer(content, 900, 1100)));
            sent.add(shared.retainedDuplicate());
            sent.add(shared.retainedSlice());
            sent.add(shared.copy());
            sent.add(near.link().allocate(2004).writeInt(9).writeBytes(content).skipBytes(4));
            sent.add(shared);
            List.copyOf(sent).forEach(near.link()::send);
        });
        ports.runUntil(() -> far.frames().size() == 7);
        settle();

        assertThat(far.frames()).allSatisfy(frame -> assertThat(frame).isEqualTo(Connections.frame(2000, 1)));
        assertThat(sent).allMatch(buffer -> buffer.refCnt() == 0);
    }

    @Test
    void bufferSentOnTwoLinksReachesBoth() {
        RecordingHandler second = connections.connect(connections.listen().endpoint());
        RecordingHandler secondFar = connections.newestAccepted();

        onNear(() -> {
            ByteBuf shared = near.link().allocate(3000).writeBytes(Connections.frame(3000, 4));
            second.link().send(shared.retainedDuplicate());
            near.link().send(shared.retainedSlice(0, 10));
            near.link().send(shared);
        });
        ports.runUntil(() -> far.frames().size() == 2 && secondFar.frames().size() == 1);

        assertThat(secondFar.frames().get(0)).isEqualTo(Connections.frame(3000, 4));
        assertThat(far.frames().get(0)).isEqualTo(Connections.frame(10, 4));
        assertThat(far.frames().get(1)).isEqualTo(Connections.frame(3000, 4));
    }

    @Test
    void allocatedBufferHasRoomAndStartsAtZero() {
        onNear(() -> {
            ByteBuf buffer = near.link().allocate(100);
            assertThat(buffer.readerIndex()).isZero();
            assertThat(buffer.writerIndex()).isZero();
            assertThat(buffer.writableBytes()).isGreaterThanOrEqualTo(100);
            buffer.release();
        });
    }

    @Test
    void frameAboveTheLimitClosesTheLinkOnBothSides() {
        connections.send(near, LARGE, 1);
        connections.send(near, LARGE + 1, 2);
        ports.runUntil(() -> near.isClosed() && far.isClosed());
        settle();

        assertThat(far.frames()).hasSize(1);
        assertThat(far.closedReason())
                .contains(Integer.toString(LARGE + 1))
                .contains(Integer.toString(LARGE))
                .doesNotContain("\n");
        assertThat(near.closedReason()).isNotEmpty();
    }

    @Test
    void raisedLimitLetsLargerFramesIn() {
        onFar(() -> far.link().limitFrameBytes(4 * LARGE));
        connections.send(near, 4 * LARGE, 3);
        ports.runUntil(() -> far.frames().size() == 1);
        connections.send(near, 4 * LARGE + 1, 3);
        ports.runUntil(far::isClosed);

        assertThat(far.frames().get(0)).isEqualTo(Connections.frame(4 * LARGE, 3));
        assertThat(far.frames()).hasSize(1);
    }

    @Test
    void loweredLimitHolds() {
        onFar(() -> far.link().limitFrameBytes(10));
        connections.send(near, 10, 3);
        connections.send(near, 11, 3);
        ports.runUntil(far::isClosed);

        assertThat(far.frames()).hasSize(1);
    }

    @Test
    void closeLetsQueuedFramesLeaveAndEndsBothSidesOnce() {
        onNear(() -> {
            IntStream.range(0, 20).forEach(i -> Connections.sendInTurn(near, 10_000, i));
            near.link().close("done with it");
            near.link().close("again");
            assertThat(near.link().isOpen()).isFalse();
            assertThat(near.isClosed()).isFalse();
        });
        ports.runUntil(() -> near.isClosed() && far.isClosed());
        settle();

        assertThat(far.frames()).hasSize(20);
        assertThat(near.closedReason()).contains("done with it");
        assertThat(far.closedReason()).isNotEmpty().doesNotContain("\n");
        assertThat(near.hasStrayed() || far.hasStrayed()).isFalse();
        assertThat(connections.turns.<Boolean>on(connections.far, far.link()::isOpen))
                .isFalse();
    }

    @Test
    void linkClosedFromBothSidesEndsOnceOnEach() {
        connections.near.execute(() -> near.link().close("near"));
        connections.far.execute(() -> far.link().close("far"));
        ports.runUntil(() -> near.isClosed() && far.isClosed());
        onNear(() -> near.link().close("late"));
        onFar(() -> far.link().close("late"));
        settle();

        assertThat(near.closedReason()).isNotEmpty();
        assertThat(far.closedReason()).isNotEmpty();
    }

    @Test
    void linkCanBeClosedAsSoonAsItOpens() {
        RecordingHandler hasty = new RecordingHandler(link -> link.close("not wanted"));
        connections.connect(connections.listen().endpoint(), hasty);
        ports.runUntil(hasty::isClosed);
        settle();

        assertThat(hasty.events()).containsExactly("opened", "closed: " + hasty.closedReason());
        assertThat(hasty.closedReason()).contains("not wanted");
    }

    @Test
    void closedLinkConsumesWhatIsSentAndIgnoresTheRest() {
        List<ByteBuf> sent = new CopyOnWriteArrayList<>();
        onNear(() -> {
            near.link().close("done");
            sendOneMore(sent);
        });
        ports.runUntil(() -> near.isClosed() && far.isClosed());
        onNear(() -> {
            sendOneMore(sent);
            near.link().setReading(false);
            near.link().limitFrameBytes(1);
            assertThat(near.link().pendingBytes()).isZero();
        });
        settle();

        assertThat(sent).hasSize(2).allMatch(buffer -> buffer.refCnt() == 0);
        assertThat(far.frames()).isEmpty();
        assertThat(ports.reportedFailures()).isEmpty();
    }

    private void sendOneMore(List<ByteBuf> sent) {
        ByteBuf frame = near.link().allocate(10).writeLong(1);
        sent.add(frame);
        near.link().send(frame);
    }

    @Test
    void fullLinkIsNotWritableAndTellsWhenItDrained() {
        onNear(() -> {
            assertThat(near.link().isWritable()).isTrue();
            assertThat(near.link().pendingBytes()).isZero();
            long queued = 0;
            while (near.link().isWritable()) {
                Connections.sendInTurn(near, 1024, 1);
                queued += 1024;
                assertThat(near.link().pendingBytes()).isBetween(queued, queued + queued / 100);
            }
            assertThat(queued).isBetween(HIGH_MARK * 99 / 100, HIGH_MARK + 1024);
            assertThat(near.count("writable")).isZero();
        });
        ports.runUntil(() -> near.count("writable") == 1 && far.frames().size() >= 1000);
        ports.runUntil(() -> connections.turns.<Boolean>on(
                connections.near, () -> near.link().pendingBytes() == 0));
        settle();

        assertThat(connections.turns.<Boolean>on(connections.near, near.link()::isWritable))
                .isTrue();
        assertThat(near.count("writable")).isOne();
    }

    @Test
    void linkThatNeverFilledNeverTellsThatItDrained() {
        onNear(() -> IntStream.range(0, 10_000).forEach(i -> Connections.sendInTurn(near, 40, 1)));
        ports.runUntil(() -> far.frames().size() == 10_000);
        settle();

        assertThat(near.count("writable")).isZero();
    }

    // P-125
    @Test
    void receiverThatStopsReadingHoldsTheSenderBackAndLosesNothing() {
        int frames = 400;
        onFar(() -> far.link().setReading(false));
        onNear(() -> IntStream.range(0, frames).forEach(i -> Connections.sendInTurn(near, LARGE, i)));
        settle();

        assertThat(far.frames().size()).isLessThan(frames / 2);
        assertThat(connections.turns.<Long>on(connections.near, near.link()::pendingBytes))
                .isPositive();
        assertThat(connections.turns.<Boolean>on(connections.near, near.link()::isWritable))
                .isFalse();
        assertThat(near.count("writable")).isZero();

        onFar(() -> far.link().setReading(true));
        ports.runUntil(() -> far.frames().size() == frames && near.count("writable") == 1);

        for (int i = 0; i < frames; i++) {
            assertThat(far.frames().get(i)).isEqualTo(Connections.frame(LARGE, i));
        }
    }

    @Test
    void receiverCanStopAndGoOnFromInsideAFrame() {
        RecordingHandler eager = new RecordingHandler(link -> link.setReading(false));
        Endpoint endpoint = connections.listen(ports.peerAnyPort(), () -> eager).endpoint();
        RecordingHandler sender = connections.connect(endpoint);
        connections.send(sender, 5, 1);
        settle();
        assertThat(eager.frames()).isEmpty();

        onFar(() -> {
            eager.link().setReading(true);
            eager.link().setReading(false);
            eager.link().setReading(true);
        });
        ports.runUntil(() -> eager.frames().size() == 1);
    }

    @Test
    void endOfTheOtherSideIsNoticedWhileNothingIsSent() {
        onFar(() -> far.link().close("bye"));
        ports.runUntil(near::isClosed);
        settle();

        assertThat(near.events()).hasSize(2);
        assertThat(near.closedReason()).contains(near.link().remote().toString());
    }
}
