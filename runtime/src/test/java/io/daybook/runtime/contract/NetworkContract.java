// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.Network.Listener;
import io.daybook.runtime.NetworkException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every network promises about listening and connecting; {@link LinkContract} says the rest. */
public abstract class NetworkContract {
    private PortsUnderTest ports;
    private Connections connections;

    /** Makes the ports of one test. */
    protected abstract PortsUnderTest start();

    @BeforeEach
    void startPorts() {
        ports = start();
        connections = new Connections(ports);
    }

    @AfterEach
    void closePorts() {
        ports.close();
    }

    @Test
    void listenerTellsThePortThatWasBound() {
        Listener listener = connections.listen();

        assertThat(listener.endpoint().port()).isPositive();
        assertThat(listener.endpoint().host()).isEqualTo(ports.peerAnyPort().host());
    }

    @Test
    void listeningOnATakenPortFailsAndNamesTheEndpoint() {
        Endpoint taken = connections.listen().endpoint();

        assertThatThrownBy(() -> connections.listen(taken, RecordingHandler::new))
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isInstanceOf(NetworkException.class),
                        failure -> assertThat(failure)
                                .isInstanceOf(CompletionException.class)
                                .hasCauseInstanceOf(NetworkException.class))
                .hasMessageContaining(taken.toString());
    }

    @Test
    void connectOpensBothEndsOnTheirLoops() {
        Endpoint endpoint = connections.listen().endpoint();

        RecordingHandler near = connections.connect(endpoint);
        RecordingHandler far = connections.newestAccepted();

        assertThat(near.events()).containsExactly("opened");
        assertThat(far.events()).containsExactly("opened");
        assertThat(near.link().loop()).isSameAs(connections.near);
        assertThat(far.link().loop()).isSameAs(connections.far);
        assertThat(near.link().remote()).isEqualTo(endpoint);
        assertThat(connections.callers).containsExactly(far.link().remote());
        assertThat(near.hasStrayed() || far.hasStrayed()).isFalse();
        assertThat(connections.turns.<Boolean>on(connections.near, near.link()::isOpen))
                .isTrue();
    }

    @Test
    void eachConnectionIsALinkOfItsOwn() {
        Endpoint endpoint = connections.listen().endpoint();
        RecordingHandler first = connections.connect(endpoint);
        RecordingHandler firstFar = connections.newestAccepted();
        RecordingHandler second = connections.connect(endpoint);
        RecordingHandler secondFar = connections.newestAccepted();

        connections.send(first, 1, 1);
        connections.send(second, 1, 2);
        ports.runUntil(() -> firstFar.frames().size() == 1 && secondFar.frames().size() == 1);

        assertThat(firstFar.frames().get(0)).containsExactly(1);
        assertThat(secondFar.frames().get(0)).containsExactly(2);
    }

    @Test
    void nothingIsToldInsideTheCallThatConnects() {
        Endpoint endpoint = connections.listen().endpoint();
        List<RecordingHandler> handlers = List.of(new RecordingHandler(), new RecordingHandler());

        connections.turns.run(connections.near, () -> {
            ports.host().network().connect(connections.near, endpoint, Connections.PATIENCE, handlers.get(0));
            ports.host().network().connect(connections.near, ports.refusing(), Connections.PATIENCE, handlers.get(1));
            assertThat(handlers).allMatch(handler -> handler.events().isEmpty());
        });
        ports.runUntil(() -> handlers.get(0).isOpened() && handlers.get(1).isClosed());
    }

    @Test
    void connectWithoutAListenerIsClosedOnceAndNamesTheEndpoint() {
        RecordingHandler handler = new RecordingHandler();
        connections.connect(ports.refusing(), handler);
        ports.runUntil(handler::isClosed);
        connections.turns.settle(connections.near);

        assertThat(handler.events()).hasSize(1);
        assertThat(handler.closedReason()).contains(ports.refusing().toString()).doesNotContain("\n");
    }

    @Test
    void connectWithoutAnAnswerIsClosedOnceAfterTheTimeout() {
        RecordingHandler handler = new RecordingHandler();
        long timeout = TimeUnit.MILLISECONDS.toNanos(100);
        long before = connections.turns.on(connections.near, () -> {
            ports.host().network().connect(connections.near, ports.silent(), timeout, handler);
            return connections.near.nanoTime();
        });
        ports.runUntil(handler::isClosed);
        long after = connections.turns.on(connections.near, connections.near::nanoTime);
        connections.turns.settle(connections.near);

        assertThat(handler.events()).hasSize(1);
        assertThat(handler.closedReason()).contains(ports.silent().toString());
        assertThat(after - before).isGreaterThanOrEqualTo(timeout);
    }

    @Test
    void connectToAnUnknownHostIsClosedOnceAndNamesIt() {
        RecordingHandler handler = new RecordingHandler();
        connections.connect(new Endpoint("no-such-host.invalid", 1), handler);
        ports.runUntil(handler::isClosed);
        connections.turns.settle(connections.near);

        assertThat(handler.events()).hasSize(1);
        assertThat(handler.closedReason()).contains("no-such-host.invalid");
    }

    @Test
    void closedListenerRefusesNewLinksAndKeepsThoseItAccepted() {
        Listener listener = connections.listen();
        RecordingHandler kept = connections.connect(listener.endpoint());
        RecordingHandler keptFar = connections.newestAccepted();

        connections.turns.await(listener.close());
        connections.turns.await(listener.close());
        RecordingHandler refused = new RecordingHandler();
        connections.connect(listener.endpoint(), refused);
        connections.send(kept, 3, 7);
        ports.runUntil(() -> refused.isClosed() && keptFar.frames().size() == 1);

        assertThat(refused.isOpened()).isFalse();
        assertThat(connections.accepted).hasSize(1);
    }

    @Test
    void portOfAClosedListenerCanBeBoundAgain() {
        Listener listener = connections.listen();
        connections.connect(listener.endpoint());
        connections.turns.await(listener.close());

        Listener again = connections.listen(listener.endpoint(), RecordingHandler::new);

        assertThat(again.endpoint()).isEqualTo(listener.endpoint());
        connections.connect(again.endpoint());
    }
}
