// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** S-44: frames that come in part take memory for what has come, bounded over all links, and all of them get whole. */
final class PartialFramesTest {
    private static final int FRAME_BYTES = 1024 * 1024;
    private static final int RECEIVED_BYTES = 60_000;
    private static final int ROOM_BYTES = 2 * FRAME_BYTES;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    private final QueuedLoop loop = new QueuedLoop();
    private final PartialFrames room = new PartialFrames(loop, ROOM_BYTES);
    private final List<Peer> peers = new ArrayList<>();

    /** A link whose peer sends one frame. */
    private final class Peer implements FrameDecoder.Sink {
        private final FrameDecoder decoder = new FrameDecoder(allocator, room, this);
        private final ByteBuf wire = Unpooled.buffer(FRAME_BYTES + 4);
        private final byte[] content = new byte[FRAME_BYTES];
        private byte[] got = {};
        private boolean isPaused;
        private boolean isStalled;
        private boolean isUnread;

        Peer(int number) {
            for (int i = 0; i < content.length; i++) {
                content[i] = (byte) (i * 31 + number);
            }
            wire.writeInt(FRAME_BYTES).writeBytes(content);
            decoder.limitFrameBytes(FRAME_BYTES);
            peers.add(this);
        }

        /** Sends more, unless its link is not read; whether anything was sent. */
        boolean send(int bytes) {
            if (isPaused || isStalled || isUnread || !wire.isReadable()) {
                return false;
            }
            decoder.decode(Unpooled.copiedBuffer(wire.readSlice(Math.min(bytes, wire.readableBytes()))));
            loop.runTasks();
            return true;
        }

        boolean isWhole() {
            return java.util.Arrays.equals(got, content);
        }

        @Override
        public boolean takesFrames() {
            return !isStalled;
        }

        @Override
        public boolean isRead() {
            return !isUnread;
        }

        @Override
        public void frame(ByteBuf frame) {
            got = ByteBufUtil.getBytes(frame);
            frame.release();
        }

        @Override
        public void refuse(int announcedBytes, int frameBytesMax) {
            throw new AssertionError("nothing is too long");
        }

        @Override
        public void pause(boolean pauses) {
            isPaused = pauses;
        }

        @Override
        public void stalled() {
            isStalled = true;
        }
    }

    private List<Peer> peers(int count) {
        for (int i = 0; i < count; i++) {
            new Peer(i);
        }
        return peers;
    }

    @Test
    void aLengthThatIsOnlyAnnouncedTakesNoMemory() {
        peers(100).forEach(peer -> peer.send(10));

        assertThat(allocator.metric().usedHeapMemory()).isLessThanOrEqualTo(100 * FrameDecoder.GATHERED_BYTES_MIN);
        assertThat(room.bytes()).isZero();
    }

    @Test
    void theMemoryOfAFrameGrowsWithWhatHasCome() {
        Peer peer = new Peer(0);
        long come = 0;
        while (come + 1000 < FRAME_BYTES) {
            peer.send(1000);
            come += 1000;

            assertThat(allocator.metric().usedHeapMemory())
                    .isLessThanOrEqualTo(Math.max(2 * come, FrameDecoder.GATHERED_BYTES_MIN));
        }
        peer.send(FRAME_BYTES);

        assertThat(peer.isWhole()).isTrue();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    @Test
    void manyFramesInPartStayWithinTheBoundAndAllGetWhole() {
        long bound = ROOM_BYTES + FRAME_BYTES + 40L * PartialFrames.FREE_BYTES;
        peers(40);

        boolean anySent = true;
        while (anySent) {
            anySent = false;
            for (Peer peer : peers) {
                anySent |= peer.send(RECEIVED_BYTES);
                assertThat(allocator.metric().usedHeapMemory()).isLessThanOrEqualTo(bound);
            }
        }

        assertThat(peers).allMatch(Peer::isWhole);
        assertThat(room.bytes()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    @Test
    void aPeerThatSendsNothingMoreIsGivenUpWhenOthersWait() {
        peers(10);
        for (int i = 0; i < 10; i++) {
            // The first ones take all of the room and then send nothing more.
            for (int sent = 0;
                    sent < FRAME_BYTES - RECEIVED_BYTES && peers.get(i).send(RECEIVED_BYTES); ) {
                sent += RECEIVED_BYTES;
            }
        }
        assertThat(peers).anyMatch(peer -> peer.isPaused);

        loop.runTimers();
        while (peers.stream().skip(5).anyMatch(peer -> peer.send(RECEIVED_BYTES))) {
            loop.runTimers();
        }

        assertThat(peers)
                .anyMatch(peer -> peer.isStalled)
                .anyMatch(Peer::isWhole)
                .allMatch(peer -> !peer.isPaused);
    }

    // S-26: a bookie without room does not read from those who append, however long that lasts.
    @Test
    void noPeerIsGivenUpBecauseItsOwnerDoesNotReadFromIt() {
        peers(10);
        for (int i = 0; i < 10; i++) {
            for (int sent = 0;
                    sent < FRAME_BYTES - RECEIVED_BYTES && peers.get(i).send(RECEIVED_BYTES); ) {
                sent += RECEIVED_BYTES;
            }
        }
        assertThat(peers).anyMatch(peer -> peer.isPaused);
        peers.forEach(peer -> peer.isUnread = true);

        loop.runTimers();
        loop.runTimers();

        assertThat(peers).noneMatch(peer -> peer.isStalled);
        peers.forEach(peer -> peer.isUnread = false);
        loop.runTimers();
        assertThat(peers).anyMatch(peer -> peer.isStalled);
    }

    @Test
    void whatAPausedLinkThatIsClosingStillReceivesIsThrownAway() {
        peers(6).forEach(peer -> {
            while (peer.wire.readableBytes() > RECEIVED_BYTES && peer.send(RECEIVED_BYTES)) {
                assertThat(peer.isStalled).isFalse();
            }
        });
        Peer closing = peers.stream().filter(peer -> peer.isPaused).findFirst().orElseThrow();
        closing.isStalled = true;

        ByteBuf late = Unpooled.copiedBuffer(closing.wire.readSlice(RECEIVED_BYTES));
        closing.decoder.decode(late);

        assertThat(late.refCnt()).isZero();
    }

    @Test
    void noPeerIsGivenUpWhileNobodyWaits() {
        Peer peer = new Peer(0);
        peer.send(FRAME_BYTES / 2);

        loop.runTimers();
        loop.runTimers();

        assertThat(peer.isStalled).isFalse();
    }

    @Test
    void aPausedLinkThatEndsGivesEverythingBackAndLetsOthersOn() {
        peers(6).forEach(peer -> {
            while (peer.wire.readableBytes() > RECEIVED_BYTES && peer.send(RECEIVED_BYTES)) {
                assertThat(peer.isStalled).isFalse();
            }
        });
        List<Peer> paused = peers.stream().filter(peer -> peer.isPaused).toList();
        assertThat(paused).isNotEmpty();

        peers.forEach(peer -> peer.decoder.release());
        loop.runTasks();

        assertThat(room.bytes()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }
}
