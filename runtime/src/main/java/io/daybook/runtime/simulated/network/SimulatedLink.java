// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network.Acceptor;
import io.daybook.runtime.Timer;
import io.daybook.runtime.simulated.events.SimulatedLoop;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import io.daybook.runtime.simulated.events.SimulatedScheduler.Kind;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One end of a simulated link.
 *
 * <p><i>States:</i> {@link State}. <i>Invariants:</i> {@link LinkHandler#opened} only on entering OPEN, {@link LinkHandler#closed} only on entering
 * CLOSED. <i>Threading:</i> the link's loop; {@link #arrived} and {@link #abandon} come from the world.
 */
final class SimulatedLink implements Link {
    /** Where an end of a link is in its life. */
    private enum State {
        /** Not usable yet: the handler has heard of nothing. */
        OPENING,
        /** Frames go both ways. */
        OPEN,
        /** Closed on this side; what was queued is still leaving. */
        CLOSING,
        /** Gone; the handler was told, or its process is. */
        CLOSED
    }

    /** Undelivered bytes that the operating systems at both ends hold. */
    private static final long SOCKET_BYTES = 256 * 1024;

    private static final long HIGH_MARK_BYTES = 1024 * 1024;
    private static final long LOW_MARK_BYTES = 512 * 1024;
    private static final int FRAMES_PER_TURN_MAX = 16;
    private static final long LINGER_NANOS = 10_000_000_000L;
    private static final int DIRECT_ONE_IN = 8;

    private final SimulatedNetwork network;
    private final SimulatedLoop loop;
    private final Endpoint remote;
    private final Acceptor acceptor;
    private final ArrayDeque<Parcel> received = new ArrayDeque<>();
    private final ArrayDeque<Parcel> unsent = new ArrayDeque<>();
    private final Runnable deliver = this::deliver;
    private final Runnable flush = this::flush;
    private final CRC32C checksum = new CRC32C();
    private State state = State.OPENING;
    private @Nullable LinkHandler handler;
    private @Nullable Connection connection;
    private @Nullable Timer timeout;
    private String closeReason = "";
    private int frameBytesMax = FRAME_BYTES_INITIAL;
    private long unsentBytes;
    private long undeliveredBytes;
    private boolean reading = true;
    private boolean writable = true;
    private boolean deliveryQueued;
    private boolean flushQueued;

    /** An end whose handler comes from {@code acceptor} when it opens. */
    SimulatedLink(SimulatedNetwork network, SimulatedLoop loop, Endpoint remote, Acceptor acceptor) {
        this.network = network;
        this.loop = loop;
        this.remote = remote;
        this.acceptor = acceptor;
    }

    /** The opening end: its handler is known, and it gives up after a while. */
    static SimulatedLink opening(
            SimulatedNetwork network, SimulatedLoop loop, Endpoint remote, long timeoutNanos, LinkHandler handler) {
        SimulatedLink link = new SimulatedLink(network, loop, remote, from -> handler);
        link.handler = handler;
        link.timeout = loop.schedule(timeoutNanos, () -> link.failOpening("no answer from " + remote + " in time"));
        return link;
    }

    void connected(Connection made) {
        connection = made;
    }

    @Nullable
    Connection connection() {
        return connection;
    }

    boolean isOpening() {
        return state == State.OPENING;
    }

    SimulatedLoop simulatedLoop() {
        return loop;
    }

    /** The attempt failed; on the loop. */
    void failOpening(String reason) {
        if (state == State.OPENING) {
            disconnect(reason);
        }
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
        loop.requireInLoop();
        if (state != State.OPEN) {
            frame.release();
            return;
        }
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        frame.release();
        unsent.add(Parcel.frame(bytes));
        unsentBytes += bytes.length;
        undeliveredBytes += bytes.length;
        writable &= pendingBytes() < HIGH_MARK_BYTES;
        queueFlush();
    }

    private void queueFlush() {
        if (!flushQueued) {
            flushQueued = true;
            loop.atEndOfTurn(flush);
        }
    }

    private void flush() {
        flushQueued = false;
        @Nullable Connection to = connection;
        if (state == State.CLOSED || to == null) {
            return;
        }
        Flow flow = to.from(this);
        long departureNanos = loop.process().scheduler().causalNanos();
        long latencyNanos = flow.route().latencyNanos();
        for (Parcel parcel : unsent) {
            if (parcel.kind == Parcel.Kind.FRAME) {
                network.watch(flow.receiver().network.machine(), parcel.bytes, departureNanos);
            }
            flow.transmit(parcel, departureNanos, latencyNanos);
        }
        unsent.clear();
        unsentBytes = 0;
        drained();
    }

    @Override
    public long pendingBytes() {
        return unsentBytes + Math.max(0, undeliveredBytes - unsentBytes - SOCKET_BYTES);
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    /** The other end took so many bytes of ours. */
    private void taken(int bytes) {
        undeliveredBytes -= bytes;
        @Nullable Connection to = connection;
        if (to != null && (!writable || state == State.CLOSING)) {
            SimulatedScheduler scheduler = loop.process().scheduler();
            long heardNanos = scheduler.causalNanos() + to.to(this).route().latencyNanos();
            scheduler.at(heardNanos, Kind.TAKEN, loop, bytes, () -> loop.enqueue(this::drained));
        }
    }

    private void drained() {
        if (state == State.CLOSING && pendingBytes() == 0) {
            loop.enqueue(() -> finish(closeReason));
        } else if (!writable && pendingBytes() < LOW_MARK_BYTES) {
            writable = true;
            loop.enqueue(this::tellWritable);
        }
    }

    private void tellWritable() {
        if (state == State.OPEN && handler != null) {
            handler.writable(this);
        }
    }

    @Override
    public void setReading(boolean newReading) {
        loop.requireInLoop();
        reading = newReading;
        queueDelivery();
    }

    @Override
    public void limitFrameBytes(int bytesMax) {
        loop.requireInLoop();
        frameBytesMax = bytesMax;
    }

    /** A parcel has reached this machine. */
    void arrived(Parcel parcel) {
        if (state == State.CLOSED) {
            return;
        }
        if (parcel.kind == Parcel.Kind.RESET && (!reading || overtakes())) {
            received.removeIf(waiting -> waiting.kind != Parcel.Kind.OPENED);
        }
        received.add(parcel);
        queueDelivery();
    }

    /** A reset may overtake what its victim has not read yet. */
    private boolean overtakes() {
        return connection != null
                && SimulatedRandom.below(connection.to(this).route().draw(), 2) == 0;
    }

    private void queueDelivery() {
        @Nullable Parcel head = received.peek();
        if (!deliveryQueued && head != null && !waitsForReading(head)) {
            deliveryQueued = true;
            loop.enqueue(deliver);
        }
    }

    private boolean waitsForReading(Parcel parcel) {
        return !reading && (parcel.kind == Parcel.Kind.FRAME || parcel.kind == Parcel.Kind.END);
    }

    private void deliver() {
        deliveryQueued = false;
        try {
            for (int i = 0; i < FRAMES_PER_TURN_MAX; i++) {
                @Nullable Parcel head = received.peek();
                if (head == null || waitsForReading(head)) {
                    break;
                }
                received.poll();
                deliver(head);
            }
        } finally {
            queueDelivery();
        }
    }

    private void deliver(Parcel parcel) {
        switch (parcel.kind) {
            case OPENED -> open();
            case FRAME -> deliverFrame(parcel.bytes);
            case END -> finish(state == State.CLOSING ? closeReason : "closed by " + remote);
            case RESET -> finish(remote + ": " + parcel.reason);
        }
    }

    private void open() {
        if (state != State.OPENING) {
            return;
        }
        if (timeout != null) {
            timeout.cancel();
        }
        LinkHandler opened;
        try {
            opened = acceptor.accept(remote);
        } catch (RuntimeException | Error failure) {
            disconnect("the acceptor failed");
            throw failure;
        }
        state = State.OPEN;
        handler = opened;
        opened.opened(this);
    }

    private void deliverFrame(byte[] bytes) {
        @Nullable Connection from = connection;
        if (handler == null || from == null || state == State.OPENING) {
            return;
        }
        from.to(this).sender().taken(bytes.length);
        if (bytes.length > frameBytesMax) {
            disconnect(
                    "a frame of " + bytes.length + " bytes from " + remote + " is over the limit of " + frameBytesMax);
            return;
        }
        checksum.reset();
        checksum.update(bytes);
        loop.process().scheduler().trace().fold(checksum.getValue());
        boolean direct = checksum.getValue() % DIRECT_ONE_IN == 0;
        handler.frame(this, network.buffers().holding(bytes, direct));
    }

    @Override
    public void close(String reason) {
        loop.requireInLoop();
        if (state != State.OPEN) {
            return;
        }
        state = State.CLOSING;
        closeReason = reason;
        unsent.add(Parcel.end());
        queueFlush();
        loop.schedule(LINGER_NANOS, () -> {
            if (state == State.CLOSING) {
                disconnect(closeReason);
            }
        });
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public ByteBuf allocate(int capacityBytes) {
        loop.requireInLoop();
        return network.buffers().allocate(capacityBytes);
    }

    /** Breaks the link from this side at once. */
    private void disconnect(String reason) {
        if (connection != null) {
            connection.from(this).cut("connection reset", false);
        }
        finish(reason);
    }

    private void finish(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        leave();
        if (handler != null) {
            handler.closed(reason);
        }
    }

    /** Its process or loop is gone: the handler hears nothing, the other end of a reset. */
    void abandon() {
        if (state == State.CLOSED) {
            return;
        }
        if (connection != null) {
            connection.from(this).cut("connection reset, the process is gone", false);
        }
        leave();
    }

    private void leave() {
        state = State.CLOSED;
        received.clear();
        unsent.clear();
        unsentBytes = 0;
        undeliveredBytes = 0;
        if (timeout != null) {
            timeout.cancel();
        }
        if (connection != null) {
            connection.to(this).abandon();
        }
        network.remove(this);
    }
}
