// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.BadFrameException;
import io.daybook.protocol.wire.Hello;
import io.daybook.protocol.wire.HelloAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.MessageType;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network;
import io.daybook.runtime.Timer;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link of one kind from one loop to one bookie. It is opened by the first frame that is to be sent and opened again, after a growing pause, by the
 * first frame after a loss.
 *
 * <p><i>States:</i> {@link State}. <i>Threading:</i> confined to one loop.
 */
final class BookieLink {
    /** Where the link is in its life. */
    enum State {
        /** Not needed yet. */
        IDLE,
        /** A connection is being made; frames wait. */
        CONNECTING,
        /** The hello was sent; frames wait for its answer. */
        GREETING,
        /** Frames are sent at once. */
        OPEN,
        /** The last attempt failed or the link was lost: frames are refused until the pause is over. */
        PAUSED,
        /** Closed by its owner for good. */
        CLOSED
    }

    /** Told what happens on the link. */
    interface Owner {
        /** A frame other than of the handshake; the callee does not release it. */
        void frame(BookieLink from, ByteBuf frame);

        /** The link was lost or could not be opened: nothing sent on it and not answered will be. */
        void lost(BookieLink link);

        /** {@link #isFull} has changed. */
        void fullnessChanged(BookieLink link);
    }

    /** What all links of a loop have in common. */
    record Dialing(
            EventLoop loop,
            Network network,
            ClusterId clusterId,
            LiveBookies live,
            long timeoutNanos,
            long heldBytesMax,
            String client) {}

    private static final Logger LOG = LoggerFactory.getLogger(BookieLink.class);
    private static final long PAUSE_NANOS_MIN = 20_000_000L;
    private static final int DOUBLINGS_MAX = 6;

    private final Dialing dialing;
    private final BookieId bookie;
    private final LinkKind kind;
    private final Owner owner;
    private final Deque<ByteBuf> waiting = new ArrayDeque<>();
    private State state = State.IDLE;
    private @Nullable Attempt attempt;
    private @Nullable Endpoint failedAddress;
    private long waitingBytes;
    private boolean isFull;
    private long fullSinceNanos;
    private int failures;
    private long pausedUntil;
    private long addsUnderWay;

    BookieLink(Dialing dialing, BookieId bookie, LinkKind kind, Owner owner) {
        this.dialing = dialing;
        this.bookie = bookie;
        this.kind = kind;
        this.owner = owner;
    }

    BookieId bookie() {
        return bookie;
    }

    LinkKind kind() {
        return kind;
    }

    /** Whether a frame would be refused now. */
    boolean isPaused() {
        return state == State.PAUSED && !isPauseOver();
    }

    /** Sends a frame or keeps it until the link is open, and consumes it. Returns false, without telling the owner, when it is refused. */
    boolean send(ByteBuf frame) {
        if (state == State.IDLE || (state == State.PAUSED && isPauseOver())) {
            connect();
        }
        switch (state) {
            case OPEN -> opened().send(frame);
            case CONNECTING, GREETING -> {
                waitingBytes += frame.readableBytes();
                waiting.add(frame);
            }
            default -> {
                frame.release();
                return false;
            }
        }
        checkFullness();
        return true;
    }

    /** Adds sent on the present connection, or waiting for it, that are not answered. */
    long addsUnderWay() {
        return addsUnderWay;
    }

    /** An add was given to {@link #send}, which took it. */
    void addSent() {
        addsUnderWay++;
    }

    /** So many adds were answered, whatever the answer. */
    void addsAnswered(int count) {
        addsUnderWay = Math.max(0, addsUnderWay - count);
    }

    /** Bytes that wait here for the bookie to take them. */
    long heldBytes() {
        return state == State.OPEN ? opened().pendingBytes() : waitingBytes;
    }

    /** Whether the bookie does not take what is sent: from when its bound on held bytes is reached until half of them have left. */
    boolean isFull() {
        return isFull;
    }

    /** For how long it has been full. */
    long fullNanos(long nowNanos) {
        return isFull ? nowNanos - fullSinceNanos : 0;
    }

    /** Looks at the bytes held and tells the owner when that makes a difference. */
    void checkFullness() {
        long held = heldBytes();
        boolean wasFull = isFull;
        isFull = held >= dialing.heldBytesMax || (wasFull && held > dialing.heldBytesMax / 2);
        if (isFull != wasFull) {
            fullSinceNanos = dialing.loop.nanoTime();
            owner.fullnessChanged(this);
        }
    }

    /**
     * Gives up an open connection, as if it had been lost, unless something comes in on it before long. One that is still being made has bounds of its
     * own, and what waits for it may yet be sent.
     */
    void doubt(String reason) {
        Attempt present = attempt;
        if (present != null && state == State.OPEN && present.doubt == null) {
            present.doubt = dialing.loop.schedule(dialing.timeoutNanos, () -> present.abandon(reason));
        }
    }

    /** Closes the link for good; the owner is not told. */
    void close() {
        Attempt present = attempt;
        attempt = null;
        state = State.CLOSED;
        releaseWaiting();
        if (present != null) {
            present.hangUp("closed by its owner");
        }
    }

    private Link opened() {
        Attempt present = attempt;
        if (present == null || present.link == null) {
            throw new IllegalStateException("the link to bookie " + bookie + " is open without a connection");
        }
        return present.link;
    }

    private boolean isPauseOver() {
        Optional<Endpoint> address = dialing.live.address(bookie);
        boolean moved = address.isPresent() && !address.get().equals(failedAddress);
        return moved || dialing.loop.nanoTime() - pausedUntil >= 0;
    }

    private void connect() {
        Optional<Endpoint> address = dialing.live.address(bookie);
        if (address.isEmpty()) {
            dialing.live.refresh();
            pause();
            return;
        }
        state = State.CONNECTING;
        failedAddress = address.get();
        Attempt next = new Attempt();
        attempt = next;
        dialing.network.connect(dialing.loop, address.get(), dialing.timeoutNanos, next);
    }

    private void pause() {
        pausedUntil = dialing.loop.nanoTime() + (PAUSE_NANOS_MIN << Math.min(failures, DOUBLINGS_MAX));
        failures++;
        state = State.PAUSED;
    }

    private void lost(String reason) {
        LOG.debug("bookie={} link={} state={} lost: {}", bookie.shortText(), kind, state, reason);
        attempt = null;
        pause();
        releaseWaiting();
        dialing.live.refresh();
        owner.lost(this);
    }

    private void releaseWaiting() {
        addsUnderWay = 0;
        for (ByteBuf frame = waiting.poll(); frame != null; frame = waiting.poll()) {
            frame.release();
        }
        waitingBytes = 0;
        checkFullness();
    }

    /** One connection, or the attempt at one. It is ignored as soon as the link has given it up. */
    private final class Attempt implements LinkHandler {
        private @Nullable Link link;
        private @Nullable Timer greeting;
        private @Nullable Timer doubt;

        @Override
        public void opened(Link opened) {
            if (attempt != this) {
                opened.close("no longer wanted");
                return;
            }
            link = opened;
            state = State.GREETING;
            ByteBuf hello = opened.allocate(512);
            new Hello(
                            Hello.PROTOCOL_VERSION,
                            Hello.PROTOCOL_VERSION,
                            0,
                            dialing.clusterId,
                            bookie,
                            kind,
                            dialing.client)
                    .write(hello);
            opened.send(hello);
            greeting = dialing.loop.schedule(dialing.timeoutNanos, () -> abandon("no answer to the hello"));
        }

        @Override
        public void frame(Link from, ByteBuf frame) {
            stopDoubt();
            try {
                if (attempt != this) {
                    return;
                }
                if (state == State.GREETING) {
                    greeted(from, frame);
                } else {
                    owner.frame(BookieLink.this, frame);
                }
            } catch (BadFrameException bad) {
                abandon("a bad frame: " + bad.getMessage());
            } finally {
                frame.release();
            }
        }

        @Override
        public void writable(Link from) {
            if (attempt == this) {
                checkFullness();
            }
        }

        @Override
        public void closed(String reason) {
            abandon(reason);
        }

        private void greeted(Link from, ByteBuf frame) {
            if (MessageType.of(frame) != MessageType.HELLO_ANSWER) {
                throw new BadFrameException("another answer to a hello than its own kind");
            }
            HelloAnswer answer = HelloAnswer.read(frame);
            if (answer.status() != StatusCode.OK || !answer.bookieId().equals(bookie)) {
                abandon("refused with " + answer.status() + ": " + answer.text());
                return;
            }
            stopGreeting();
            from.limitFrameBytes(Limits.FRAME_BYTES_MAX);
            state = State.OPEN;
            failures = 0;
            for (ByteBuf next = waiting.poll(); next != null; next = waiting.poll()) {
                from.send(next);
            }
            waitingBytes = 0;
            checkFullness();
        }

        void abandon(String reason) {
            if (attempt == this) {
                hangUp(reason);
                lost(reason);
            }
        }

        void hangUp(String reason) {
            stopGreeting();
            stopDoubt();
            if (link != null) {
                link.close(reason);
            }
        }

        private void stopDoubt() {
            if (doubt != null) {
                doubt.cancel();
                doubt = null;
            }
        }

        private void stopGreeting() {
            if (greeting != null) {
                greeting.cancel();
                greeting = null;
            }
        }
    }
}
