// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.faults;

import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.network.LinkQuality;
import io.daybook.runtime.simulated.network.NetworkConditions.PartitionMode;
import io.daybook.simulation.plan.FaultItem;
import io.daybook.simulation.plan.Plan;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;

/** Faults between machines. */
final class NetworkFaults {
    private static final int CLIENTS_MAX = 256;

    private final FaultDriver driver;
    private final Cast cast;
    private final Plan plan;
    private final SimulatedWorld world;
    private final SimulatedCluster cluster;

    NetworkFaults(FaultDriver driver, Cast cast, Plan plan) {
        this.driver = driver;
        this.cast = cast;
        this.plan = plan;
        this.world = cast.stage().world();
        this.cluster = cast.stage().cluster();
    }

    void happen(FaultItem fault) {
        String bookie = SimulatedCluster.machineOf(fault.target() % cluster.bookies());
        String client = cast.client(fault.parameter() % CLIENTS_MAX).machine();
        PartitionMode mode = fault.parameter() % 2 == 1 ? PartitionMode.RESET : PartitionMode.HOLD;
        switch (fault.kind()) {
            case RESET -> world.network().reset(client, bookie);
            case CLOG_TO_BOOKIE -> clog(fault, client, bookie);
            case CLOG_FROM_BOOKIE -> clog(fault, bookie, client);
            case HALF_OPEN -> world.network().halfOpen(client, bookie, fault.forMicros() * FaultDriver.MICRO);
            case ISOLATE_BOOKIE -> isolate(fault, List.of(bookie), cast.clientMachines(), mode);
            case ISOLATE_CLIENT ->
                isolate(fault, List.of(cast.client(fault.target()).machine()), bookieMachines(), mode);
            case SLOW_PAIR -> slowPair(fault, bookie);
            case NARROW_LINKS -> narrowLinks(fault, bookie);
            default -> slowLinks(fault, bookie);
        }
    }

    private List<String> bookieMachines() {
        List<String> machines = new ArrayList<>();
        for (int i = 0; i < cluster.bookies(); i++) {
            machines.add(SimulatedCluster.machineOf(i));
        }
        return machines;
    }

    private void clog(FaultItem fault, String from, String to) {
        world.network().clog(from, to);
        driver.afterwards(fault, () -> world.network().unclog(from, to));
    }

    private void isolate(FaultItem fault, List<String> one, List<String> others, PartitionMode mode) {
        world.network().partition(one, others, mode);
        driver.afterwards(fault, () -> {
            for (String a : one) {
                for (String b : others) {
                    world.network().unclog(a, b);
                    world.network().unclog(b, a);
                }
            }
        });
    }

    private void slowLinks(FaultItem fault, String bookie) {
        long half = fault.parameter() * FaultDriver.MILLI / 2;
        LinkQuality slow = new LinkQuality(half, half, 0);
        cast.clientMachines().forEach(client -> setQuality(client, bookie, slow));
        LinkQuality normal = FaultDriver.qualityOf(plan);
        driver.afterwards(fault, () -> cast.clientMachines().forEach(client -> setQuality(client, bookie, normal)));
    }

    private void narrowLinks(FaultItem fault, String bookie) {
        LinkQuality normal = FaultDriver.qualityOf(plan);
        LinkQuality narrow = new LinkQuality(normal.latencyNanosMin(), normal.latencyNanosMean(), fault.parameter());
        cast.clientMachines().forEach(client -> world.network().quality(client, bookie, narrow));
        driver.afterwards(
                fault,
                () -> cast.clientMachines().forEach(client -> world.network().quality(client, bookie, normal)));
    }

    private void slowPair(FaultItem fault, String bookie) {
        String client = cast.client(fault.parameter() % CLIENTS_MAX).machine();
        long mean = fault.parameter() / CLIENTS_MAX * FaultDriver.MICRO;
        setQuality(client, bookie, new LinkQuality(mean / 2, mean / 2, 0));
        driver.afterwards(fault, () -> setQuality(client, bookie, FaultDriver.qualityOf(plan)));
    }

    private void setQuality(String client, String bookie, LinkQuality quality) {
        world.network().quality(client, bookie, quality);
        world.network().quality(bookie, client, quality);
    }
}
