// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.Host;
import io.daybook.runtime.contract.PortsUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The simulated ports for the contract suites; another seed comes from the system property {@code daybook.seed}. */
final class SimulatedPorts implements PortsUnderTest {
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final SimulatedWorld world = new SimulatedWorld(Long.getLong("daybook.seed", 1));
    private final List<Throwable> failures = new ArrayList<>();
    private final SimulatedHost host;
    private final SimulatedHost peer;

    SimulatedPorts() {
        world.onFailure((loop, failure) -> failures.add(failure));
        host = world.machine("host").start();
        peer = world.machine("peer").start();
        world.machine("silent").start();
        world.network().clog("host", "silent");
    }

    @Override
    public Host host() {
        return host;
    }

    @Override
    public Host peer() {
        return peer;
    }

    @Override
    public Endpoint peerAnyPort() {
        return new Endpoint("peer", 0);
    }

    @Override
    public Endpoint refusing() {
        return new Endpoint("peer", 9);
    }

    @Override
    public Endpoint silent() {
        return new Endpoint("silent", 9);
    }

    @Override
    public String diskRoot() {
        return "/data";
    }

    @Override
    public List<Throwable> reportedFailures() {
        return failures;
    }

    @Override
    public void runUntil(BooleanSupplier condition) {
        if (!world.runUntil(condition, PATIENCE_NANOS)) {
            throw new AssertionError("seed " + world.seed() + " stopped with the last events\n" + world.lastEvents());
        }
    }

    @Override
    public void close() {
        world.machine("host").kill();
        world.machine("peer").kill();
    }
}
