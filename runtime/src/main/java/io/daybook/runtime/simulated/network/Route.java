// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** The way from one machine to another: its quality, whether it is clogged, and what travels on it. */
final class Route {
    private final SimulatedScheduler scheduler;
    private final long entity;
    private final LinkedHashSet<Flow> flows = new LinkedHashSet<>();
    private final List<Runnable> held = new ArrayList<>();
    private LinkQuality quality;
    private boolean clogged;
    private long draws;

    Route(SimulatedScheduler scheduler, String from, String to, LinkQuality quality) {
        this.scheduler = scheduler;
        this.entity = SimulatedRandom.entityOf(from + '>' + to);
        this.quality = quality;
    }

    long draw() {
        return SimulatedRandom.mix(scheduler.seed(), Stream.NETWORK, entity, draws++);
    }

    LinkQuality quality() {
        return quality;
    }

    void quality(LinkQuality newQuality) {
        boolean isAsWide = newQuality.bytesPerSecondMax() == quality.bytesPerSecondMax();
        quality = newQuality;
        if (!isAsWide) {
            flows.forEach(Flow::widthChanged);
        }
    }

    long latencyNanos() {
        return quality.latencyNanosMin() + SimulatedRandom.exponential(draw(), quality.latencyNanosMean());
    }

    boolean isClogged() {
        return clogged;
    }

    void clog() {
        clogged = true;
    }

    void unclog() {
        clogged = false;
        List<Runnable> released = List.copyOf(held);
        held.clear();
        released.forEach(Runnable::run);
        flows.forEach(Flow::arm);
    }

    /** Runs {@code step} when the way is free. */
    void whenFree(Runnable step) {
        if (clogged) {
            held.add(step);
        } else {
            step.run();
        }
    }

    void add(Flow flow) {
        flows.add(flow);
    }

    void remove(Flow flow) {
        flows.remove(flow);
    }

    List<Flow> flows() {
        return List.copyOf(flows);
    }
}
