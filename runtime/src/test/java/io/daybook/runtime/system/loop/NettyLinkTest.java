// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A link over a channel that shows what it is given. */
final class NettyLinkTest {
    private final List<Throwable> bugs = new ArrayList<>();
    private final NettyEventLoop loop =
            new NettyEventLoop("loop", Transport.NIO, (failed, failure) -> bugs.add(failure));
    private final List<String> events = new ArrayList<>();
    private int flushes;

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
        @Override
        public void flush(ChannelHandlerContext context) throws Exception {
            flushes++;
            super.flush(context);
        }
    });

    @AfterEach
    void closeLoop() {
        loop.close();
        channel.finishAndReleaseAll();
    }

    /** Runs an action as a turn of its own and waits for the end of that turn. */
    private void turn(Runnable action) {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                action.run();
            } catch (RuntimeException | AssertionError failure) {
                ended.completeExceptionally(failure);
            }
        });
        loop.execute(() -> loop.atEndOfTurn(() -> ended.complete(true)));
        ended.join();
    }

    private NettyLink open(LinkHandler handler) {
        NettyLink link = new NettyLink(loop, channel, new Endpoint("peer", 7), handler);
        turn(() -> channel.pipeline().addLast(link).fireChannelActive());
        return link;
    }

    private LinkHandler recording() {
        return new LinkHandler() {
            @Override
            public void opened(Link link) {
                events.add("opened");
            }

            @Override
            public void frame(Link link, ByteBuf frame) {
                events.add("frame of " + frame.readableBytes());
                frame.release();
                throw new IllegalStateException("bug");
            }

            @Override
            public void closed(String reason) {
                events.add(reason);
            }
        };
    }

    private List<ByteBuf> outbound() {
        List<ByteBuf> buffers = new ArrayList<>();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            buffers.add(next);
        }
        return buffers;
    }

    @Test
    void framesOfOneTurnLeaveWithOneFlush() {
        NettyLink link = open(recording());
        flushes = 0;

        turn(() -> {
            for (int i = 0; i < 100; i++) {
                link.send(link.allocate(20).writeZero(20));
            }
            assertThat(flushes).isZero();
        });
        assertThat(flushes).isOne();
        turn(() -> link.send(link.allocate(1).writeByte(1)));

        assertThat(flushes).isEqualTo(2);
        outbound().forEach(ByteBuf::release);
    }

    @Test
    void smallFramesShareABufferAndLargeOnesAreNotCopied() {
        NettyLink link = open(recording());
        List<ByteBuf> large = new ArrayList<>();

        turn(() -> {
            large.add(link.allocate(5000).writeZero(5000));
            link.send(link.allocate(3).writeBytes(new byte[] {1, 2, 3}));
            link.send(link.allocate(1).writeByte(4));
            link.send(large.get(0));
            link.send(link.allocate(0));
        });
        List<ByteBuf> sent = outbound();

        assertThat(sent).hasSize(3);
        ByteBuf first = sent.get(0);
        assertThat(first.readInt()).isEqualTo(3);
        assertThat(first.skipBytes(3).readInt()).isOne();
        assertThat(first.skipBytes(1).readInt()).isEqualTo(5000);
        assertThat(first.isReadable()).isFalse();
        assertThat(sent.get(1)).isSameAs(large.get(0));
        assertThat(sent.get(2).readInt()).isZero();
        sent.forEach(ByteBuf::release);
        assertThat(sent).allMatch(buffer -> buffer.refCnt() == 0);
    }

    @Test
    void entriesOfAKibibyteShareFewBuffersInTheirOrder() {
        NettyLink link = open(recording());
        List<ByteBuf> frames = new ArrayList<>();

        turn(() -> {
            for (int i = 0; i < 200; i++) {
                ByteBuf frame = link.allocate(1024).writeInt(i).writeZero(1020);
                frames.add(frame);
                link.send(frame);
            }
        });
        List<ByteBuf> sent = outbound();

        assertThat(frames).allMatch(frame -> frame.refCnt() == 0);
        assertThat(sent).hasSizeLessThan(6);
        int next = 0;
        for (ByteBuf buffer : sent) {
            while (buffer.isReadable()) {
                assertThat(buffer.readInt()).isEqualTo(1024);
                assertThat(buffer.readInt()).isEqualTo(next++);
                buffer.skipBytes(1020);
            }
            buffer.release();
        }
        assertThat(next).isEqualTo(200);
    }

    @Test
    void pendingBytesCountFramesAndLengthsExactly() {
        NettyLink link = open(recording());

        turn(() -> {
            link.send(link.allocate(100).writeZero(100));
            assertThat(link.pendingBytes()).isEqualTo(104);
            link.send(link.allocate(1000).writeZero(1000));
            assertThat(link.pendingBytes()).isEqualTo(104 + 1004);
            for (int i = 0; i < 300; i++) {
                link.send(link.allocate(508).writeZero(508));
            }
            assertThat(link.pendingBytes()).isEqualTo(104 + 1004 + 300 * 512);
        });

        turn(() -> assertThat(link.pendingBytes()).isZero());
        outbound().forEach(ByteBuf::release);
    }

    @Test
    void handlerThatThrowsIsReportedAndItsLinkEnds() {
        NettyLink link = open(recording());

        turn(() -> channel.writeInbound(
                channel.alloc().buffer().writeInt(2).writeZero(2).writeInt(3).writeZero(3)));
        turn(channel::runPendingTasks);

        assertThat(bugs).extracting(Throwable::getMessage).containsExactly("bug");
        assertThat(events).hasSize(3).startsWith("opened", "frame of 2");
        assertThat(events.get(2)).contains("peer:7").contains("bug");
        turn(() -> assertThat(link.isOpen()).isFalse());
    }

    @Test
    void linkOfAClosedLoopTellsNothing() {
        NettyLink link = open(recording());
        loop.close();

        channel.pipeline().fireChannelRead(channel.alloc().buffer().writeInt(2).writeZero(2));
        channel.close();

        assertThat(link.isOpen()).isFalse();
        assertThat(events).containsExactly("opened");
    }
}
