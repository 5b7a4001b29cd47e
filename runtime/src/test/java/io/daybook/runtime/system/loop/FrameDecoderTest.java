// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames cut out of receive buffers of any shape. */
final class FrameDecoderTest {
    private final List<byte[]> frames = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private int framesWanted = Integer.MAX_VALUE;
    private final QueuedLoop loop = new QueuedLoop();
    private final PartialFrames room = new PartialFrames(loop, 256 * 1024);

    private final FrameDecoder.Sink sink = new FrameDecoder.Sink() {
        @Override
        public boolean takesFrames() {
            return refusals.isEmpty() && frames.size() < framesWanted;
        }

        @Override
        public boolean isRead() {
            return true;
        }

        @Override
        public void frame(ByteBuf frame) {
            frames.add(ByteBufUtil.getBytes(frame));
            frame.release();
        }

        @Override
        public void refuse(int announcedBytes, int frameBytesMax) {
            refusals.add(announcedBytes + " over " + frameBytesMax);
        }

        @Override
        public void pause(boolean pauses) {
            throw new AssertionError("nothing else is being received");
        }

        @Override
        public void stalled() {
            throw new AssertionError("nobody waits");
        }
    };

    private final FrameDecoder decoder = new FrameDecoder(PooledByteBufAllocator.DEFAULT, room, sink);

    private static ByteBuf wire(int... sizes) {
        ByteBuf wire = Unpooled.buffer();
        for (int i = 0; i < sizes.length; i++) {
            wire.writeInt(sizes[i]).writeBytes(content(sizes[i], i));
        }
        return wire;
    }

    private static byte[] content(int size, int number) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31 + number);
        }
        return bytes;
    }

    private void assertFrames(int... sizes) {
        assertThat(frames).hasSize(sizes.length);
        for (int i = 0; i < sizes.length; i++) {
            assertThat(frames.get(i)).isEqualTo(content(sizes[i], i));
        }
    }

    @Test
    void framesSplitAtAnyTwoBytesAreWhole() {
        int[] sizes = {0, 1, 9, 0, 3};
        byte[] all = ByteBufUtil.getBytes(wire(sizes));
        for (int first = 0; first <= all.length; first++) {
            for (int second = first; second <= all.length; second++) {
                frames.clear();
                decoder.decode(Unpooled.copiedBuffer(all, 0, first));
                decoder.decode(Unpooled.copiedBuffer(all, first, second - first));
                decoder.decode(Unpooled.copiedBuffer(all, second, all.length - second));

                assertFrames(sizes);
            }
        }
    }

    @Test
    void framesReceivedByteByByteAreWhole() {
        int[] sizes = {300, 0, 70_000, 5};
        decoder.limitFrameBytes(70_000);
        ByteBuf all = wire(sizes);
        while (all.isReadable()) {
            decoder.decode(all.readRetainedSlice(1));
        }

        assertFrames(sizes);
        all.release();
    }

    @Test
    void manyFramesOfOneBufferAreHandedOnOneByOne() {
        int[] sizes = new int[70_000];
        java.util.Arrays.setAll(sizes, i -> i % 5);

        decoder.decode(wire(sizes));

        assertFrames(sizes);
    }

    @Test
    void frameWithinAReceiveBufferIsNotCopied() {
        ByteBuf received = wire(100, 200);
        List<ByteBuf> slices = new ArrayList<>();
        FrameDecoder.Sink keeping = new FrameDecoder.Sink() {
            @Override
            public boolean takesFrames() {
                return true;
            }

            @Override
            public boolean isRead() {
                return true;
            }

            @Override
            public void frame(ByteBuf frame) {
                slices.add(frame);
            }

            @Override
            public void refuse(int announcedBytes, int frameBytesMax) {
                throw new AssertionError();
            }

            @Override
            public void pause(boolean pauses) {
                throw new AssertionError();
            }

            @Override
            public void stalled() {
                throw new AssertionError();
            }
        };
        new FrameDecoder(PooledByteBufAllocator.DEFAULT, room, keeping).decode(received);
        received.setByte(4, 77);

        assertThat(slices.get(0).getByte(0)).isEqualTo((byte) 77);
        assertThat(received.refCnt()).isPositive();
        slices.forEach(ByteBuf::release);
        assertThat(received.refCnt()).isZero();
    }

    @Test
    void lengthOverTheLimitIsRefusedBeforeItsBytesCome() {
        decoder.limitFrameBytes(10);
        ByteBuf received = Unpooled.buffer().writeInt(10).writeZero(10).writeInt(11);

        decoder.decode(received);

        assertThat(frames).hasSize(1);
        assertThat(refusals).containsExactly("11 over 10");
        assertThat(received.refCnt()).isZero();
    }

    @Test
    void negativeLengthIsRefused() {
        decoder.decode(Unpooled.buffer().writeInt(-1));
        assertThat(refusals).containsExactly("-1 over 65536");
    }

    @Test
    void nothingIsHandedToASinkThatTakesNoMore() {
        framesWanted = 2;
        ByteBuf received = wire(1, 2, 3, 4);

        decoder.decode(received);

        assertFrames(1, 2);
        assertThat(received.refCnt()).isZero();
    }

    @Test
    void frameThatIsNeverWholeIsReleased() {
        PooledByteBufAllocator allocator = new PooledByteBufAllocator(false);
        FrameDecoder cut = new FrameDecoder(allocator, room, sink);
        cut.decode(Unpooled.buffer().writeInt(5000).writeZero(10));
        assertThat(activeAllocations(allocator)).isOne();

        cut.release();
        cut.release();

        assertThat(activeAllocations(allocator)).isZero();
    }

    private static long activeAllocations(PooledByteBufAllocator allocator) {
        return allocator.metric().heapArenas().stream()
                .mapToLong(io.netty.buffer.PoolArenaMetric::numActiveAllocations)
                .sum();
    }
}
