// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.faults;

import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskFaults.Call;
import io.daybook.runtime.simulated.network.LinkQuality;
import io.daybook.runtime.simulated.network.NetworkConditions.PartitionMode;
import io.daybook.simulation.plan.FaultItem;
import io.daybook.simulation.plan.FaultItem.Anchor;
import io.daybook.simulation.plan.FaultKind;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Lane;
import io.daybook.simulation.workload.Recoverer;
import io.daybook.simulation.workload.TailReading;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the faults of a plan happen at their times, and ends them. */
public final class FaultDriver {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SESSION_NANOS = 700 * MILLI;
    private static final int CLIENTS_MAX = 256;
    private static final int FULL_RATE_PERCENT = 100;

    private final Plan plan;
    private final Cast cast;
    private final SimulatedWorld world;
    private final SimulatedCluster cluster;
    private final Map<Integer, List<Runnable>> onEnsembleChange = new TreeMap<>();
    private int ensembleChanges;
    private boolean isOver;

    /** For one run. */
    public FaultDriver(Plan plan, Cast cast) {
        this.plan = plan;
        this.cast = cast;
        this.world = cast.stage().world();
        this.cluster = cast.stage().cluster();
    }

    /** Sets every fault of the plan, from now on; a blackout waits for {@link #blackout}. */
    public void begin() {
        for (FaultItem fault : plan.faults()) {
            Runnable begin = () -> world.after(fault.atMicros() * MICRO, () -> {
                if (!isOver) {
                    happen(fault);
                }
            });
            await(fault.anchor(), begin);
        }
        cluster.transitions().onEnsembleChange(this::ensembleChanged);
    }

    private void await(Anchor anchor, Runnable begin) {
        if (anchor.lane() == Anchor.ENSEMBLE_CHANGES) {
            onEnsembleChange
                    .computeIfAbsent(anchor.count(), none -> new ArrayList<>())
                    .add(begin);
        } else if (anchor.lane() < 0) {
            begin.run();
        } else if (anchor.lane() < cast.lanes().size()) {
            cast.lanes().get(anchor.lane()).onAppend(anchor.count(), begin);
        }
    }

    private void ensembleChanged() {
        ensembleChanges++;
        List<Runnable> due = onEnsembleChange.remove(ensembleChanges);
        if (due != null) {
            due.forEach(Runnable::run);
        }
    }

    private void happen(FaultItem fault) {
        switch (fault.kind()) {
            case CRASH_BOOKIE,
                    KILL_BOOKIE,
                    CRASH_IN_OPERATION,
                    PAUSE_BOOKIE,
                    DESTROY_BOOKIE,
                    SLOW_DISK,
                    STALL_DISK,
                    STUCK_COMMITS,
                    FAIL_COMMIT,
                    FAIL_SYNC -> bookieFault(fault);
            case CRASH_WRITER, PAUSE_WRITER, CRASH_RECOVERER, PAUSE_RECOVERER, RECOVER -> clientFault(fault);
            case RESET,
                    CLOG_TO_BOOKIE,
                    CLOG_FROM_BOOKIE,
                    ISOLATE_BOOKIE,
                    ISOLATE_CLIENT,
                    HALF_OPEN,
                    SLOW_LINKS,
                    SLOW_PAIR -> networkFault(fault);
            case CLOCK_RATE -> clockFault(fault);
            case METADATA_OUTAGE, METADATA_CUT, METADATA_UNKNOWN, METADATA_STALE -> metadataFault(fault);
            case BLACKOUT -> {}
        }
    }

    private void afterwards(FaultItem fault, Runnable end) {
        world.after(fault.forMicros() * MICRO, () -> {
            if (!isOver) {
                end.run();
            }
        });
    }

    // ---- bookies ----

    private void bookieFault(FaultItem fault) {
        int bookie = fault.target() % cluster.bookies();
        SimulatedMachine machine = world.machine(SimulatedCluster.machineOf(bookie));
        if (!machine.isRunning()) {
            return;
        }
        switch (fault.kind()) {
            case CRASH_BOOKIE -> {
                cluster.crash(bookie, SESSION_NANOS);
                afterwards(fault, () -> cluster.up(bookie));
            }
            case KILL_BOOKIE -> {
                cluster.kill(bookie, SESSION_NANOS);
                afterwards(fault, () -> cluster.up(bookie));
            }
            case CRASH_IN_OPERATION -> machine.crashAtDiskOperation(fault.parameter(), fault.forMicros() % 2 == 0);
            case PAUSE_BOOKIE -> machine.pause(fault.forMicros() * MICRO);
            case DESTROY_BOOKIE -> cluster.destroy(bookie, SESSION_NANOS);
            default -> diskFault(fault, bookie);
        }
    }

    private void diskFault(FaultItem fault, int bookie) {
        DiskDrive journal = cluster.journalOf(bookie);
        DiskDrive data = cluster.dataOf(bookie);
        switch (fault.kind()) {
            case SLOW_DISK -> {
                journal.faults().slowDown((int) fault.parameter());
                data.faults().slowDown((int) fault.parameter());
                afterwards(fault, () -> {
                    journal.faults().slowDown(1);
                    data.faults().slowDown(1);
                });
            }
            case STALL_DISK -> {
                journal.faults().stallFor(fault.forMicros() * MICRO);
                data.faults().stallFor(fault.forMicros() * MICRO);
            }
            case STUCK_COMMITS -> {
                journal.faults().stick();
                afterwards(fault, () -> journal.faults().release());
            }
            case FAIL_COMMIT -> journal.faults().failOnce(Call.COMMIT, "");
            default -> data.faults().failOnce(Call.SYNC, "");
        }
    }

    // ---- clients ----

    private void clientFault(FaultItem fault) {
        Lane lane = cast.lanes().get(fault.target() % cast.lanes().size());
        Recoverer recoverer =
                cast.recoverers().get(fault.target() % cast.recoverers().size());
        switch (fault.kind()) {
            case CRASH_WRITER -> {
                if (lane.node().isUp()) {
                    lane.crash(SESSION_NANOS);
                    afterwards(fault, lane::start);
                }
            }
            case CRASH_RECOVERER -> {
                if (recoverer.node().isUp()) {
                    recoverer.crash(SESSION_NANOS);
                    afterwards(fault, recoverer::start);
                }
            }
            case PAUSE_WRITER -> pause(lane.node(), fault);
            case PAUSE_RECOVERER -> pause(recoverer.node(), fault);
            default -> recover(lane, fault);
        }
    }

    private void pause(ClientNode node, FaultItem fault) {
        if (node.isUp()) {
            world.machine(node.machine()).pause(fault.forMicros() * MICRO);
        }
    }

    private void recover(Lane lane, FaultItem fault) {
        List<Long> ledgers = lane.ledgers();
        if (!ledgers.isEmpty()) {
            int by = (int) (fault.parameter() % cast.recoverers().size());
            cast.recoverers().get(by).recover(ledgers.get(ledgers.size() - 1));
        }
    }

    // ---- network, clocks, metadata ----

    private void networkFault(FaultItem fault) {
        String bookie = SimulatedCluster.machineOf(fault.target() % cluster.bookies());
        String client = cast.client(fault.parameter() % CLIENTS_MAX).machine();
        PartitionMode mode = fault.parameter() % 2 == 1 ? PartitionMode.RESET : PartitionMode.HOLD;
        switch (fault.kind()) {
            case RESET -> world.network().reset(client, bookie);
            case CLOG_TO_BOOKIE -> clog(fault, client, bookie);
            case CLOG_FROM_BOOKIE -> clog(fault, bookie, client);
            case HALF_OPEN -> world.network().halfOpen(client, bookie, fault.forMicros() * MICRO);
            case ISOLATE_BOOKIE -> isolate(fault, List.of(bookie), cast.clientMachines(), mode);
            case ISOLATE_CLIENT ->
                isolate(fault, List.of(cast.client(fault.target()).machine()), bookieMachines(), mode);
            case SLOW_PAIR -> slowPair(fault, bookie);
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
        afterwards(fault, () -> world.network().unclog(from, to));
    }

    private void isolate(FaultItem fault, List<String> one, List<String> others, PartitionMode mode) {
        world.network().partition(one, others, mode);
        afterwards(fault, () -> {
            for (String a : one) {
                for (String b : others) {
                    world.network().unclog(a, b);
                    world.network().unclog(b, a);
                }
            }
        });
    }

    private void slowLinks(FaultItem fault, String bookie) {
        LinkQuality slow = new LinkQuality(fault.parameter() * MILLI / 2, fault.parameter() * MILLI / 2, 0);
        cast.clientMachines().forEach(client -> setQuality(client, bookie, slow));
        afterwards(fault, () -> cast.clientMachines().forEach(client -> setQuality(client, bookie, qualityOf(plan))));
    }

    private void slowPair(FaultItem fault, String bookie) {
        String client = cast.client(fault.parameter() % CLIENTS_MAX).machine();
        long mean = fault.parameter() / CLIENTS_MAX * MICRO;
        setQuality(client, bookie, new LinkQuality(mean / 2, mean / 2, 0));
        afterwards(fault, () -> setQuality(client, bookie, qualityOf(plan)));
    }

    private void setQuality(String client, String bookie, LinkQuality quality) {
        world.network().quality(client, bookie, quality);
        world.network().quality(bookie, client, quality);
    }

    /** The network of a plan as it is without faults. */
    public static LinkQuality qualityOf(Plan plan) {
        long mean = plan.knobs().linkMicros() * MICRO;
        return new LinkQuality(mean / 3, mean, 0);
    }

    private void clockFault(FaultItem fault) {
        int place = fault.target();
        String name = place < cluster.bookies()
                ? SimulatedCluster.machineOf(place)
                : cast.client(place - cluster.bookies()).machine();
        world.machine(name).clockRate(fault.parameter() / (double) FULL_RATE_PERCENT);
        afterwards(fault, () -> world.machine(name).clockRate(1));
    }

    private void metadataFault(FaultItem fault) {
        switch (fault.kind()) {
            case METADATA_OUTAGE -> cluster.metadata().outage();
            case METADATA_CUT ->
                cluster.metadata().cutOff(cast.client(fault.parameter()).machine());
            case METADATA_UNKNOWN -> cluster.metadata().unknown((int) fault.parameter());
            default -> {
                cluster.metadata().stale((int) fault.parameter());
                cluster.metadata().lostNotices((int) fault.parameter());
            }
        }
        afterwards(fault, () -> cluster.metadata().heal());
    }

    // ---- the end of the faults ----

    /** Whether everything is to lose power at the end. */
    public boolean hasBlackout() {
        return plan.faults().stream().anyMatch(fault -> fault.kind() == FaultKind.BLACKOUT);
    }

    /** Everything loses power at once. */
    public void blackout() {
        cast.lanes().forEach(lane -> lane.crash(0));
        cast.recoverers().forEach(recoverer -> recoverer.crash(0));
        cast.readers().forEach(reader -> reader.crash(0));
        for (int i = 0; i < cluster.bookies(); i++) {
            cluster.crash(i, 0);
        }
    }

    /** Ends every fault; what was destroyed stays so. Clients that are down stay down until {@link #startClients}. */
    public void heal() {
        isOver = true;
        world.network().heal();
        world.network().quality(qualityOf(plan));
        cluster.metadata().heal();
        for (SimulatedMachine machine : world.machines()) {
            machine.clockRate(1);
            if (machine.isRunning()) {
                machine.crashAtDiskOperation(0, false);
            }
        }
        for (int i = 0; i < cluster.bookies(); i++) {
            cluster.journalOf(i).faults().heal();
            cluster.dataOf(i).faults().heal();
            cluster.up(i);
        }
    }

    /** Starts every client that is down. */
    public void startClients() {
        cast.lanes().stream().filter(lane -> !lane.node().isUp()).forEach(Lane::start);
        cast.recoverers().stream().filter(each -> !each.node().isUp()).forEach(Recoverer::start);
        cast.readers().stream().filter(each -> !each.node().isUp()).forEach(TailReading::start);
    }
}
