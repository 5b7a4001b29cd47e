// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

import io.daybook.runtime.simulated.events.SimulatedScheduler;
import io.daybook.runtime.simulated.events.SimulatedScheduler.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The network of a whole world and the faults in it. Machines are named; everything is per direction unless it says otherwise. */
public final class NetworkConditions {
    /** What a partition does to the links that cross it. */
    public enum PartitionMode {
        /** They stay; their frames wait until it heals. */
        HOLD,
        /** They are reset. */
        RESET
    }

    private record Pair(String from, String to) {}

    private final SimulatedScheduler scheduler;
    private final Map<Pair, Route> routes = new LinkedHashMap<>();
    private final Map<String, SimulatedNetwork> networks = new LinkedHashMap<>();
    private final Map<String, Boolean> known = new LinkedHashMap<>();
    private LinkQuality defaultQuality = LinkQuality.LOCAL;
    private final List<FrameWatch> watches = new ArrayList<>();

    /** A network without faults. */
    public NetworkConditions(SimulatedScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Shows every frame to {@code watch} from now on. */
    public void watch(FrameWatch watch) {
        watches.add(watch);
    }

    void sent(String from, String to, byte[] bytes, long nanos) {
        watches.forEach(watch -> watch.sent(from, to, bytes, nanos));
    }

    Route route(String from, String to) {
        return routes.computeIfAbsent(new Pair(from, to), pair -> new Route(scheduler, from, to, defaultQuality));
    }

    void attach(SimulatedNetwork network) {
        networks.put(network.machine(), network);
        known.put(network.machine(), true);
    }

    void detach(SimulatedNetwork network) {
        networks.remove(network.machine(), network);
    }

    @Nullable
    SimulatedNetwork networkOf(String machine) {
        return networks.get(machine);
    }

    boolean isKnown(String machine) {
        return known.containsKey(machine);
    }

    /** Names a machine on which no process has run yet: attempts to connect to it are refused. */
    public void announce(String machine) {
        known.put(machine, true);
    }

    /** Sets the quality of every way, also of those set by {@link #quality(String, String, LinkQuality)}. */
    public void quality(LinkQuality quality) {
        defaultQuality = quality;
        routes.values().forEach(route -> route.quality(quality));
    }

    /** Sets the quality of one way. */
    public void quality(String from, String to, LinkQuality quality) {
        route(from, to).quality(quality);
    }

    /** Holds up everything from one machine to another, attempts to connect too, until {@link #unclog}. */
    public void clog(String from, String to) {
        route(from, to).clog();
    }

    /** Lets everything that was held up arrive. */
    public void unclog(String from, String to) {
        route(from, to).unclog();
    }

    /** Whether {@link #clog} is in force. */
    public boolean isClogged(String from, String to) {
        return route(from, to).isClogged();
    }

    /** Separates two groups of machines in both directions. */
    public void partition(Collection<String> one, Collection<String> other, PartitionMode mode) {
        for (String a : one) {
            for (String b : other) {
                clog(a, b);
                clog(b, a);
                if (mode == PartitionMode.RESET) {
                    reset(a, b);
                }
            }
        }
    }

    /** Takes back every clog and partition. Links that fell silent stay so until their end. */
    public void heal() {
        List.copyOf(routes.values()).forEach(Route::unclog);
    }

    /** Breaks every link between two machines; of the frames under way some first ones still arrive. Both ends hear of it. */
    public void reset(String a, String b) {
        resetAll(route(a, b), "connection reset");
    }

    private static void resetAll(Route route, String reason) {
        for (Flow flow : route.flows()) {
            Connection connection = flow.sender().connection();
            if (connection != null) {
                connection.reset(reason);
            }
        }
    }

    /**
     * Lets the links that exist between two machines carry nothing any more from one to the other, while the other direction works and nobody is
     * told; they are reset after a while, as a system does that gets no answer.
     */
    public void halfOpen(String from, String to, long timeoutNanos) {
        for (Flow flow : route(from, to).flows()) {
            flow.fallSilent();
            @Nullable Connection connection = flow.sender().connection();
            if (connection != null) {
                scheduler.at(
                        scheduler.nanoTime() + timeoutNanos,
                        Kind.WORLD,
                        null,
                        0,
                        () -> connection.reset("connection timed out"));
            }
        }
    }
}
