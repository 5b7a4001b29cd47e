// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.Disk;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host;
import io.daybook.runtime.RandomSource;
import io.daybook.runtime.simulated.disk.SimulatedDisk;
import io.daybook.runtime.simulated.events.SimulatedProcess;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.runtime.simulated.network.PoisonedBuffers;
import io.daybook.runtime.simulated.network.SimulatedNetwork;

/** The ports of one incarnation of a process on a {@link SimulatedMachine}. */
public final class SimulatedHost implements Host {
    private final SimulatedMachine machine;
    private final SimulatedProcess process;
    private final SimulatedNetwork network;
    private final SimulatedRandom random;
    private final Faults faults;

    SimulatedHost(SimulatedMachine machine, SimulatedProcess process, SimulatedNetwork network, Faults faults) {
        this.machine = machine;
        this.process = process;
        this.network = network;
        this.faults = faults;
        long entity = SimulatedRandom.entityOf(machine.name() + '#' + machine.incarnations());
        this.random = new SimulatedRandom(process.scheduler().seed(), Stream.HOST, entity);
    }

    @Override
    public EventLoop newLoop(String name, LoopKind kind) {
        return process.newLoop(name);
    }

    @Override
    public SimulatedNetwork network() {
        return network;
    }

    @Override
    public Disk disk(String rootPath) {
        process.requireAlive();
        return new SimulatedDisk(machine.drive(rootPath), process);
    }

    @Override
    public RandomSource random() {
        return random;
    }

    @Override
    public Faults faults() {
        return faults;
    }

    /** Kills the process; unwinds the caller when it is one of its tasks. */
    @Override
    public void halt(int exitCode, String reason) {
        process.requireAlive();
        machine.halted(exitCode, reason);
        process.unwind();
    }

    /** The machine it runs on. */
    public SimulatedMachine machine() {
        return machine;
    }

    /** Whether this incarnation still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** The buffers of frames, to find those that are never released. */
    public PoisonedBuffers buffers() {
        return network.buffers();
    }

    SimulatedProcess process() {
        return process;
    }

    void die() {
        process.die();
        network.die();
    }
}
