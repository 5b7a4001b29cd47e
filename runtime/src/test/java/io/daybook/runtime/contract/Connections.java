// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network.Listener;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A listener at the peer, a loop on each side, and links between them. */
final class Connections {
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    final PortsUnderTest ports;
    final Turns turns;
    final EventLoop near;
    final EventLoop far;
    final List<RecordingHandler> accepted = new CopyOnWriteArrayList<>();
    final List<Endpoint> callers = new CopyOnWriteArrayList<>();

    Connections(PortsUnderTest ports) {
        this.ports = ports;
        turns = new Turns(ports);
        near = ports.host().newLoop("near", LoopKind.NETWORK);
        far = ports.peer().newLoop("far", LoopKind.NETWORK);
    }

    /** Listens at the peer on any port. */
    Listener listen() {
        return listen(ports.peerAnyPort(), RecordingHandler::new);
    }

    Listener listen(Endpoint endpoint, Supplier<RecordingHandler> handlers) {
        return turns.await(ports.peer().network().listen(far, endpoint, remote -> {
            RecordingHandler handler = handlers.get();
            callers.add(remote);
            accepted.add(handler);
            return handler;
        }));
    }

    void connect(Endpoint endpoint, LinkHandler handler) {
        turns.run(near, () -> ports.host().network().connect(near, endpoint, PATIENCE, handler));
    }

    /** Connects and waits until both ends are open. */
    RecordingHandler connect(Endpoint endpoint) {
        RecordingHandler handler = new RecordingHandler();
        int acceptedBefore = accepted.size();
        connect(endpoint, handler);
        ports.runUntil(() -> handler.isOpened()
                && accepted.size() > acceptedBefore
                && accepted.get(acceptedBefore).isOpened());
        return handler;
    }

    RecordingHandler newestAccepted() {
        return accepted.get(accepted.size() - 1);
    }

    /** Sends one frame of {@code size} bytes of {@code value} as a task of the link's loop. */
    void send(RecordingHandler from, int size, int value) {
        turns.run(from.link().loop(), () -> sendInTurn(from, size, value));
    }

    /** As {@link #send}, from inside a task of the link's loop. */
    static void sendInTurn(RecordingHandler from, int size, int value) {
        byte[] bytes = frame(size, value);
        from.link().send(from.link().allocate(size).writeBytes(bytes));
    }

    static byte[] frame(int size, int value) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
