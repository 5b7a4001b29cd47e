// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network;
import io.daybook.runtime.NetworkException;
import io.daybook.runtime.simulated.events.SimulatedLoop;
import io.daybook.runtime.simulated.events.SimulatedProcess;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import io.daybook.runtime.simulated.events.SimulatedScheduler.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The network as one process has it. A machine is reached under its name; {@code localhost}, {@code 127.0.0.1} and {@code 0.0.0.0} are the machine
 * itself.
 */
public final class SimulatedNetwork implements Network {
    private static final List<String> OWN_NAMES = List.of("localhost", "127.0.0.1", "0.0.0.0");
    private static final int FIRST_FREE_PORT = 40_000;
    private static final long BIND_NANOS = 100_000;

    private final NetworkConditions conditions;
    private final SimulatedProcess process;
    private final SimulatedScheduler scheduler;
    private final PoisonedBuffers buffers = new PoisonedBuffers();
    private final TreeMap<Integer, Listening> listeners = new TreeMap<>();
    private final LinkedHashSet<SimulatedLink> links = new LinkedHashSet<>();
    private final LinkedHashSet<SimulatedLoop> loops = new LinkedHashSet<>();
    private int nextPort = FIRST_FREE_PORT;

    /** The network of a process that has just started. */
    public SimulatedNetwork(NetworkConditions conditions, SimulatedProcess process) {
        this.conditions = conditions;
        this.process = process;
        this.scheduler = process.scheduler();
        conditions.attach(this);
    }

    String machine() {
        return process.machine();
    }

    /** A frame leaves for another machine. */
    void watch(String to, byte[] bytes, long nanos) {
        conditions.sent(machine(), to, bytes, nanos);
    }

    /** The buffers of frames that this process has received or allocated. */
    public PoisonedBuffers buffers() {
        return buffers;
    }

    @Override
    public CompletableFuture<Listener> listen(EventLoop loop, Endpoint endpoint, Acceptor acceptor) {
        process.requireAlive();
        CompletableFuture<Listener> bound = new CompletableFuture<>();
        String refusal = refusal(endpoint);
        if (refusal.isEmpty()) {
            int port = endpoint.port() == 0 ? freePort() : endpoint.port();
            SimulatedLoop owner = own(loop);
            Listening listening = new Listening(owner, new Endpoint(endpoint.host(), port), acceptor);
            listeners.put(port, listening);
            owner.onClose(() -> listeners.remove(port, listening));
            later(() -> bound.complete(listening));
        } else {
            NetworkException failure = new NetworkException(
                    "cannot listen at " + endpoint + ": " + refusal, new IllegalStateException(refusal));
            later(() -> bound.completeExceptionally(failure));
        }
        return bound;
    }

    private String refusal(Endpoint endpoint) {
        if (!OWN_NAMES.contains(endpoint.host()) && !endpoint.host().equals(machine())) {
            return "it is not an address of " + machine();
        }
        return listeners.containsKey(endpoint.port()) ? "the port is in use" : "";
    }

    private void later(Runnable task) {
        scheduler.at(scheduler.causalNanos() + BIND_NANOS, Kind.CONNECT, null, 0, () -> {
            if (process.isAlive()) {
                task.run();
            }
        });
    }

    private int freePort() {
        while (listeners.containsKey(nextPort)) {
            nextPort++;
        }
        return nextPort++;
    }

    /** The links of a loop end with it. */
    private SimulatedLoop own(EventLoop loop) {
        if (!(loop instanceof SimulatedLoop simulated) || simulated.process() != process) {
            throw new IllegalArgumentException(loop.name() + " is not a loop of this process");
        }
        if (loops.add(simulated)) {
            simulated.onClose(() -> abandon(simulated));
        }
        return simulated;
    }

    private void abandon(SimulatedLoop loop) {
        loops.remove(loop);
        for (SimulatedLink link : List.copyOf(links)) {
            if (link.simulatedLoop() == loop) {
                link.abandon();
            }
        }
    }

    @Override
    public void connect(EventLoop loop, Endpoint endpoint, long timeoutNanos, LinkHandler handler) {
        process.requireAlive();
        SimulatedLink link = SimulatedLink.opening(this, own(loop), endpoint, timeoutNanos, handler);
        links.add(link);
        String target = OWN_NAMES.contains(endpoint.host()) ? machine() : endpoint.host();
        Route there = conditions.route(machine(), target);
        Endpoint self = new Endpoint(machine(), freePort());
        scheduler.at(
                scheduler.causalNanos() + there.latencyNanos(),
                Kind.CONNECT,
                link.simulatedLoop(),
                endpoint.port(),
                () -> there.whenFree(() -> reach(link, target, self)));
    }

    private void reach(SimulatedLink link, String target, Endpoint self) {
        if (!link.isOpening()) {
            return;
        }
        Route back = conditions.route(target, machine());
        @Nullable SimulatedNetwork peer = conditions.networkOf(target);
        @Nullable
        Listening listening =
                peer == null ? null : peer.listeners.get(link.remote().port());
        if (listening == null) {
            String reason = conditions.isKnown(target)
                    ? "connection to " + link.remote() + " refused"
                    : "unknown host " + target;
            scheduler.at(
                    scheduler.nanoTime() + back.latencyNanos(),
                    Kind.CONNECT,
                    link.simulatedLoop(),
                    0,
                    () -> back.whenFree(() -> link.simulatedLoop().enqueue(() -> link.failOpening(reason))));
            return;
        }
        SimulatedLink accepted = listening.network().accept(listening, self);
        Flow toAcceptor = new Flow(scheduler, conditions.route(machine(), target), link, accepted);
        Flow toOpener = new Flow(scheduler, back, accepted, link);
        Connection connection = new Connection(toAcceptor, toOpener);
        link.connected(connection);
        accepted.connected(connection);
        accepted.arrived(Parcel.opened());
        toOpener.transmit(Parcel.opened(), scheduler.nanoTime(), back.latencyNanos());
    }

    private SimulatedLink accept(Listening listening, Endpoint remote) {
        SimulatedLink accepted = new SimulatedLink(this, listening.loop, remote, listening.acceptor);
        links.add(accepted);
        return accepted;
    }

    void remove(SimulatedLink link) {
        links.remove(link);
    }

    /** The process died: every link is gone and every port free. */
    public void die() {
        conditions.detach(this);
        listeners.clear();
        List.copyOf(links).forEach(SimulatedLink::abandon);
    }

    /** A bound port. */
    private final class Listening implements Listener {
        private final SimulatedLoop loop;
        private final Endpoint endpoint;
        private final Acceptor acceptor;

        private Listening(SimulatedLoop loop, Endpoint endpoint, Acceptor acceptor) {
            this.loop = loop;
            this.endpoint = endpoint;
            this.acceptor = acceptor;
        }

        private SimulatedNetwork network() {
            return SimulatedNetwork.this;
        }

        @Override
        public Endpoint endpoint() {
            return endpoint;
        }

        @Override
        public CompletableFuture<Void> close() {
            listeners.remove(endpoint.port(), this);
            return CompletableFuture.completedFuture(null);
        }
    }
}
