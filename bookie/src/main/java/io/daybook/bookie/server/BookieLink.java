// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

import io.daybook.bookie.ledgers.HeldReads;
import io.daybook.bookie.ledgers.ReadOwner;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.BadFrameException;
import io.daybook.protocol.wire.ErrorMessage;
import io.daybook.protocol.wire.FenceRequest;
import io.daybook.protocol.wire.Hello;
import io.daybook.protocol.wire.HelloAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.PublishRequest;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.protocol.wire.description.DescribeRequest;
import io.daybook.protocol.wire.description.DescriptionAnswer;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Timer;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One link from a client.
 *
 * <p><i>States:</i> greeting (only a hello is taken, for a limited time) → serving → closed. A frame that is not what it claims to be closes this one
 * link, with the reason sent before.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class BookieLink implements LinkHandler, ReadOwner {
    private static final Logger LOG = LoggerFactory.getLogger(BookieLink.class);

    /** What most bookies need for telling what they are. */
    private static final int DESCRIPTION_BYTES = 2048;

    private enum State {
        /** No hello yet. */
        GREETING,
        /** Requests are taken. */
        SERVING,
        /** Nothing is taken any more. */
        CLOSED
    }

    private final BookieServer server;
    private final boolean refused;
    private State state = State.GREETING;
    private @Nullable Link link;
    private Timer greetingTimer = () -> {};
    private final HeldReads held = new HeldReads();
    private int readsInFlight;
    private boolean reading = true;
    private boolean appends;
    private Timer stallTimer = () -> {};
    private boolean stallWatched;
    private boolean drained;

    BookieLink(BookieServer server, boolean refused) {
        this.server = server;
        this.refused = refused;
    }

    @Override
    public void opened(Link opened) {
        link = opened;
        server.opened(this);
        if (refused) {
            fail(StatusCode.BUSY, "this bookie takes no more links");
            return;
        }
        greetingTimer = server.loop().schedule(server.limits().greetingNanos(), () -> {
            if (state == State.GREETING) {
                close("no hello came in time");
            }
        });
    }

    @Override
    public void frame(Link from, ByteBuf frame) {
        boolean handedOn = false;
        try {
            if (state != State.CLOSED) {
                handedOn = dispatch(frame);
            }
        } catch (BadFrameException bad) {
            LOG.debug("link={} state=CLOSED reason={}", from.remote(), bad.getMessage());
            fail(StatusCode.BAD_REQUEST, String.valueOf(bad.getMessage()));
        } finally {
            if (!handedOn) {
                frame.release();
            }
        }
        if (state == State.SERVING && !from.isWritable()) {
            updateReading();
            watchStall();
        }
    }

    /** Whether the frame was handed on to somebody who consumes it. */
    private boolean dispatch(ByteBuf frame) {
        MessageType type = MessageType.of(frame);
        if (state == State.GREETING) {
            if (type != MessageType.HELLO) {
                throw new BadFrameException("a frame of type " + type + " came before the hello");
            }
            greet(Hello.read(frame));
            return false;
        }
        switch (type) {
            case ADD -> {
                AddRequest.check(frame);
                appends = true;
                server.appends().add(frame, link());
                if (server.areAppendsStopped()) {
                    updateReading();
                }
                return true;
            }
            case PUBLISH -> server.appends().publish(PublishRequest.read(frame), link());
            case FORCE -> server.appends().force(AddRequest.Force.read(frame));
            case FENCE -> server.appends().fence(FenceRequest.read(frame), link());
            case READ -> read(ReadRequest.read(frame));
            case DESCRIBE -> describe(DescribeRequest.read(frame));
            default -> throw new BadFrameException("a bookie takes no frame of type " + type);
        }
        return false;
    }

    private void greet(Hello hello) {
        HelloAnswer answer =
                Greeting.answer(hello, server.identity(), server.appends().entryBytesMax());
        ByteBuf frame = link().allocate(256);
        answer.write(frame);
        link().send(frame);
        greetingTimer.cancel();
        if (answer.status() != StatusCode.OK) {
            close(answer.text());
            return;
        }
        state = State.SERVING;
        appends = hello.kind() == LinkKind.APPEND;
        link().limitFrameBytes(Limits.FRAME_BYTES_MAX);
        updateReading();
        LOG.debug("link={} kind={} client={} state=SERVING", link().remote(), hello.kind(), hello.client());
    }

    private void describe(DescribeRequest request) {
        ByteBuf frame = link().allocate(DESCRIPTION_BYTES);
        new DescriptionAnswer(request.requestId(), server.description()).write(frame);
        link().send(frame);
    }

    private void read(ReadRequest request) {
        server.readRequested();
        // Those that wait for an entry have no answer yet that takes memory; they are bounded over all links.
        if (readsInFlight - held.waitingCount() >= server.limits().readsInFlightMax()) {
            ByteBuf frame = link().allocate(ReadAnswer.ENTRIES_INDEX);
            new ReadAnswer(
                            request.requestId(),
                            request.ledgerId(),
                            request.firstEntryId(),
                            Limits.NO_ENTRY_ID,
                            0,
                            StatusCode.BUSY,
                            0)
                    .write(frame);
            link().send(frame);
            return;
        }
        readsInFlight++;
        server.reads().read(request, this);
    }

    @Override
    public void readEnded() {
        readsInFlight--;
    }

    @Override
    public Link link() {
        if (link == null) {
            throw new IllegalStateException("the link is not open yet");
        }
        return link;
    }

    @Override
    public HeldReads held() {
        return held;
    }

    @Override
    public boolean takesAnswer(Share share) {
        if (!link().isWritable()) {
            watchStall();
            return false;
        }
        return server.admitsAnswer(share, this);
    }

    @Override
    public void answering(Share share, int reservedBytes) {
        server.budget().making(share, reservedBytes);
    }

    @Override
    public void answerGivenUp(Share share, int reservedBytes) {
        server.budget().givenUp(share, reservedBytes);
    }

    @Override
    public void answered(Share share, int reservedBytes, ByteBuf answer) {
        server.budget().made(this, share, reservedBytes, answer.readableBytes());
        link().send(answer);
    }

    /** Goes on with reads that were postponed. */
    void resumeReads() {
        if (state == State.SERVING) {
            server.reads().resume(this);
        }
    }

    /** A client that takes nothing for a long time is given up: what waits for it takes memory from others. */
    private void watchStall() {
        if (!stallWatched) {
            stallWatched = true;
            drained = false;
            long before = link().pendingBytes();
            stallTimer = server.loop().schedule(server.limits().stallNanos(), () -> {
                stallWatched = false;
                if (state == State.SERVING && !link().isWritable()) {
                    if (!drained && link().pendingBytes() >= before) {
                        fail(StatusCode.BUSY, "the client takes no answers");
                    } else {
                        watchStall();
                    }
                }
            });
        }
    }

    /** Reads from the client unless it does not take its answers, or it appends and there is no room for that. */
    void updateReading() {
        if (state == State.CLOSED || link == null) {
            return;
        }
        boolean wanted = link.isWritable() && !(appends && server.areAppendsStopped());
        if (wanted != reading) {
            reading = wanted;
            link.setReading(wanted);
        }
    }

    @Override
    public void writable(Link link) {
        drained = true;
        updateReading();
        resumeReads();
    }

    private void fail(StatusCode status, String reason) {
        ByteBuf frame = link().allocate(256);
        new ErrorMessage(status, reason).write(frame);
        link().send(frame);
        close(reason);
    }

    void close(String reason) {
        state = State.CLOSED;
        greetingTimer.cancel();
        if (link != null) {
            link.close(reason);
        }
    }

    @Override
    public void closed(String reason) {
        state = State.CLOSED;
        greetingTimer.cancel();
        stallTimer.cancel();
        server.closed(this);
    }
}
