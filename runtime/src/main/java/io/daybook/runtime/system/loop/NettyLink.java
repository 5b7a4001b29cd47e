// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Timer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A link over one TCP connection: a machine that is the last handler of its channel.
 *
 * <p><i>States:</i> see {@link State}. <i>Invariants:</i> the owner hears {@code opened} at most once and {@code closed} exactly once, last, unless
 * its loop was closed first. <i>Threading:</i> the link's loop.
 */
final class NettyLink extends ChannelInboundHandlerAdapter implements Link, FrameDecoder.Sink {
    static final int HIGH_MARK_BYTES = 1024 * 1024;
    static final int LOW_MARK_BYTES = 512 * 1024;

    /** How long queued frames may take to leave a link that is closing, for a peer that does not read. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Where a link is in its life. */
    private enum State {
        /** The connection is being made. */
        OPENING,
        /** Frames go both ways. */
        OPEN,
        /** No frame is taken any more; what was queued leaves. */
        CLOSING,
        /** The owner has been told. */
        CLOSED
    }

    private final NettyEventLoop loop;
    private final Channel channel;
    private final Endpoint remote;
    private final LinkHandler handler;
    private final FrameDecoder decoder;
    private final FrameQueue queue;
    private final Runnable flush = this::flush;
    private State state = State.OPENING;
    private boolean isFlushDue;
    private boolean wasFull;
    private boolean isReadWanted = true;
    private boolean isPaused;
    private @Nullable String reason;
    private @Nullable Timer linger;

    NettyLink(NettyEventLoop loop, Channel channel, Endpoint remote, LinkHandler handler) {
        this.loop = loop;
        this.channel = channel;
        this.remote = remote;
        this.handler = handler;
        decoder = new FrameDecoder(channel.alloc(), loop.partialFrames(), this);
        queue = new FrameQueue(channel);
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public void send(ByteBuf frame) {
        if (state != State.OPEN) {
            frame.release();
            return;
        }
        queue.send(frame);
        wasFull |= queue.pendingBytes() >= HIGH_MARK_BYTES;
        if (!isFlushDue) {
            isFlushDue = true;
            loop.atEndOfTurn(flush);
        }
    }

    private void flush() {
        isFlushDue = false;
        if (state == State.OPEN) {
            queue.flush();
        }
    }

    @Override
    public long pendingBytes() {
        return queue.pendingBytes();
    }

    @Override
    public boolean isWritable() {
        return queue.pendingBytes() < HIGH_MARK_BYTES;
    }

    @Override
    public void setReading(boolean reading) {
        isReadWanted = reading;
        updateReading();
    }

    @Override
    public void pause(boolean pauses) {
        isPaused = pauses;
        updateReading();
    }

    private void updateReading() {
        if (state == State.OPEN) {
            channel.config().setAutoRead(isReadWanted && !isPaused);
        }
    }

    @Override
    public void limitFrameBytes(int bytesMax) {
        decoder.limitFrameBytes(bytesMax);
    }

    @Override
    public void close(String reason) {
        if (state != State.OPEN) {
            return;
        }
        state = State.CLOSING;
        this.reason = reason;
        linger = loop.schedule(LINGER_NANOS, channel::close);
        // The peer's end must be noticed even when its frames were not wanted.
        channel.config().setAutoRead(true);
        queue.flush();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public ByteBuf allocate(int capacityBytes) {
        return channel.alloc().directBuffer(capacityBytes);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (state != State.OPENING || loop.turn().isClosed()) {
            context.close();
            return;
        }
        state = State.OPEN;
        try {
            handler.opened(this);
        } catch (Throwable bug) {
            failed(bug);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        decoder.decode((ByteBuf) message);
    }

    @Override
    public boolean takesFrames() {
        return state == State.OPEN && !loop.turn().isClosed();
    }

    @Override
    public boolean isRead() {
        return isReadWanted;
    }

    @Override
    public void frame(ByteBuf frame) {
        try {
            handler.frame(this, frame);
        } catch (Throwable bug) {
            failed(bug);
        }
    }

    @Override
    public void refuse(int announcedBytes, int frameBytesMax) {
        String announced = Integer.toUnsignedString(announcedBytes);
        close("frame of " + announced + " bytes from " + remote + " is over the limit of " + frameBytesMax);
    }

    @Override
    public void stalled() {
        close("part of a frame came from " + remote + " and then nothing more, while others waited for its memory");
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!wasFull
                || state != State.OPEN
                || !channel.isWritable()
                || loop.turn().isClosed()) {
            return;
        }
        wasFull = false;
        try {
            handler.writable(this);
        } catch (Throwable bug) {
            failed(bug);
        }
    }

    /** The owner's code threw: its state is in doubt, so the link ends. */
    private void failed(Throwable bug) {
        loop.turn().report(bug);
        close("handler of the link to " + remote + " failed: " + bug);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            loop.turn().report(cause);
        }
        if (reason == null) {
            reason = "link to " + remote + " broke: " + Reasons.of(cause);
        }
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        tellClosed(reason == null ? "closed by " + remote : reason);
    }

    @Override
    public void channelUnregistered(ChannelHandlerContext context) {
        // A connection that ended before it became active is not told to be inactive.
        tellClosed("closed by " + remote + " before it was open");
    }

    /** Ends a link whose connection was not made. */
    void abandon(String why) {
        if (state == State.OPENING) {
            channel.close();
            tellClosed(why);
        }
    }

    private void tellClosed(String why) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        decoder.release();
        queue.release();
        if (linger != null) {
            linger.cancel();
        }
        if (!loop.turn().isClosed()) {
            loop.turn().run(() -> handler.closed(why));
        }
    }
}
