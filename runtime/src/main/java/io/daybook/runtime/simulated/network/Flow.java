// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import io.daybook.runtime.simulated.events.SimulatedScheduler.Kind;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One direction of a link: parcels arrive in the order in which they left, held up while the route is clogged, for ever when this direction died silently. */
final class Flow {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final SimulatedScheduler scheduler;
    private final Route route;
    private final SimulatedLink sender;
    private final SimulatedLink receiver;
    private final ArrayDeque<Parcel> underWay = new ArrayDeque<>();
    private final Runnable arrive = this::arrive;
    private long lastArrivalNanos;
    private long wireFreeNanos;
    private boolean arrivalQueued;
    private long queuedNanos;
    private boolean silent;
    private boolean broken;
    private boolean abandoned;

    Flow(SimulatedScheduler scheduler, Route route, SimulatedLink sender, SimulatedLink receiver) {
        this.scheduler = scheduler;
        this.route = route;
        this.sender = sender;
        this.receiver = receiver;
        route.add(this);
    }

    Route route() {
        return route;
    }

    SimulatedLink sender() {
        return sender;
    }

    SimulatedLink receiver() {
        return receiver;
    }

    /** Sends a parcel that leaves at {@code departureNanos}; {@code latencyNanos} is drawn once for what leaves together. */
    void transmit(Parcel parcel, long departureNanos, long latencyNanos) {
        if (!broken) {
            put(parcel, departureNanos, latencyNanos);
        }
    }

    private void put(Parcel parcel, long departureNanos, long latencyNanos) {
        parcel.departureNanos = departureNanos;
        parcel.latencyNanos = latencyNanos;
        pass(parcel, departureNanos);
        underWay.add(parcel);
        arm();
    }

    /** It passes the wire after what is on it already, from that time on at the earliest. */
    private void pass(Parcel parcel, long fromNanos) {
        long leftNanos = fromNanos;
        long bytesPerSecond = route.quality().bytesPerSecondMax();
        if (bytesPerSecond > 0) {
            leftNanos = Math.max(leftNanos, wireFreeNanos) + parcel.bytes.length * NANOS_PER_SECOND / bytesPerSecond;
            wireFreeNanos = leftNanos;
        }
        parcel.leftNanos = leftNanos;
        lastArrivalNanos = Math.max(lastArrivalNanos, leftNanos + parcel.latencyNanos);
        parcel.arrivalNanos = lastArrivalNanos;
    }

    /** The wire has another width: what has not passed it yet passes it anew. */
    void widthChanged() {
        long now = scheduler.nanoTime();
        wireFreeNanos = now;
        lastArrivalNanos = 0;
        for (Parcel parcel : underWay) {
            if (parcel.leftNanos > now) {
                pass(parcel, Math.max(now, parcel.departureNanos));
            } else {
                lastArrivalNanos = Math.max(lastArrivalNanos, parcel.arrivalNanos);
            }
        }
        arrivalQueued = false;
        arm();
    }

    void arm() {
        @Nullable Parcel head = underWay.peek();
        if (arrivalQueued || head == null || isHeldUp(head)) {
            return;
        }
        arrivalQueued = true;
        queuedNanos = head.arrivalNanos;
        scheduler.at(head.arrivalNanos, Kind.FRAMES, receiver.simulatedLoop(), head.bytes.length, arrive);
    }

    private boolean isHeldUp(Parcel parcel) {
        return !parcel.forced && (silent || route.isClogged());
    }

    private void arrive() {
        if (!arrivalQueued || scheduler.nanoTime() < queuedNanos) {
            // It was meant for a parcel that came at another time, since the wire has another width.
            return;
        }
        arrivalQueued = false;
        @Nullable Parcel head = underWay.peek();
        while (head != null && head.arrivalNanos <= scheduler.nanoTime() && !isHeldUp(head)) {
            underWay.poll();
            receiver.arrived(head);
            head = underWay.peek();
        }
        arm();
    }

    /** Nothing arrives any more and nobody is told. */
    void fallSilent() {
        silent = true;
    }

    /**
     * Breaks this direction: what has not left yet is gone, of the rest a drawn number of parcels still arrives, then the news. A forced break is
     * heard of at once also where everything else is held up.
     */
    void cut(String reason, boolean forced) {
        boolean heldUp = silent || route.isClogged();
        if (abandoned || (broken && !(forced && heldUp))) {
            return;
        }
        long now = scheduler.nanoTime();
        underWay.removeIf(parcel -> parcel.departureNanos > now);
        long kept = forced && heldUp ? 0 : SimulatedRandom.below(route.draw(), underWay.size() + 1L);
        while (underWay.size() > kept) {
            underWay.pollLast();
        }
        broken = true;
        put(Parcel.reset(reason, forced), now, route.latencyNanos());
    }

    /** Its receiver is gone. */
    void abandon() {
        underWay.clear();
        broken = true;
        abandoned = true;
        route.remove(this);
    }
}
