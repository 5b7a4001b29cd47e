// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.faults;

import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.runtime.simulated.network.LinkQuality;
import io.daybook.simulation.plan.FaultItem;
import io.daybook.simulation.plan.FaultItem.Anchor;
import io.daybook.simulation.plan.FaultKind;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.Plan.Knobs;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Lane;
import io.daybook.simulation.workload.Recoverer;
import io.daybook.testkit.simulated.BookieKnobs;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the faults of a plan happen at their times, and ends them. */
public final class FaultDriver {
    static final long MICRO = 1_000;
    static final long MILLI = 1_000_000;
    static final long SESSION_NANOS = 700 * MILLI;
    private static final int FULL_RATE_PERCENT = 100;

    private final Plan plan;
    private final Cast cast;
    private final SimulatedWorld world;
    private final SimulatedCluster cluster;
    private final BookieFaults bookieFaults;
    private final NetworkFaults networkFaults;
    private final Map<Integer, List<Runnable>> onEnsembleChange = new TreeMap<>();
    private final SortedMap<String, Long> happened = new TreeMap<>();
    private int ensembleChanges;
    private boolean isOver;

    /** For one run. */
    public FaultDriver(Plan plan, Cast cast) {
        this.plan = plan;
        this.cast = cast;
        this.world = cast.stage().world();
        this.cluster = cast.stage().cluster();
        this.bookieFaults = new BookieFaults(this, cluster, plan);
        this.networkFaults = new NetworkFaults(this, cast, plan);
    }

    /** Sets every fault of the plan, from now on; a blackout waits for {@link #blackout}. */
    public void begin() {
        for (FaultItem fault : plan.faults()) {
            Runnable begin = () -> world.after(fault.atMicros() * MICRO, () -> {
                if (!isOver) {
                    happened.merge(fault.kind().name(), 1L, Long::sum);
                    happen(fault);
                }
            });
            await(fault.anchor(), begin);
        }
        cluster.transitions().onEnsembleChange(ledgerId -> ensembleChanged());
    }

    /** How many faults of each kind happened so far. */
    public SortedMap<String, Long> happened() {
        return happened;
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
                    STOP_BOOKIE,
                    RESTART_BOOKIE,
                    DESTROY_BOOKIE,
                    REPLACE_BOOKIE,
                    LOSE_DIRECTORY,
                    ROT,
                    MIX_UP_DISKS,
                    FILL_DISK,
                    SLOW_DISK,
                    STALL_DISK,
                    STUCK_COMMITS,
                    FAIL_COMMIT,
                    FAIL_SYNC,
                    FAIL_WRITE,
                    LOSE_LOG,
                    LOSE_JOURNAL,
                    FAIL_READ -> bookieFaults.happen(fault);
            case CRASH_WRITER, PAUSE_WRITER, CRASH_RECOVERER, PAUSE_RECOVERER, CRASH_CLIENT, RECOVER ->
                clientFault(fault);
            case RESET,
                    CLOG_TO_BOOKIE,
                    CLOG_FROM_BOOKIE,
                    ISOLATE_BOOKIE,
                    ISOLATE_CLIENT,
                    HALF_OPEN,
                    SLOW_LINKS,
                    NARROW_LINKS,
                    SLOW_PAIR -> networkFaults.happen(fault);
            case CLOCK_RATE -> clockFault(fault);
            case METADATA_OUTAGE, METADATA_CUT, METADATA_UNKNOWN, METADATA_STALE, METADATA_LISTINGS ->
                metadataFault(fault);
            case EXPIRE_SESSION -> cluster.expireSession(machineOf(fault.target()), fault.forMicros() * MICRO);
            case METADATA_CUT_BOOKIE -> cutOff(SimulatedCluster.machineOf(fault.target() % cluster.bookies()), fault);
            case METADATA_CUT_CLIENT -> cutOff(cast.anyClient(fault.parameter()).machine(), fault);
            case BLACKOUT, LEAVE_BEHIND -> {}
        }
    }

    /** Runs {@code end} when the time of a fault is over, unless all faults have ended before. */
    void afterwards(FaultItem fault, Runnable end) {
        world.after(fault.forMicros() * MICRO, () -> {
            if (!isOver) {
                end.run();
            }
        });
    }

    // ---- clients ----

    private void clientFault(FaultItem fault) {
        Lane lane = cast.lanes().get(fault.target() % cast.lanes().size());
        Recoverer recoverer =
                cast.recoverers().get(fault.target() % cast.recoverers().size());
        switch (fault.kind()) {
            case CRASH_WRITER -> crash(lane.node(), fault);
            case CRASH_RECOVERER -> crash(recoverer.node(), fault);
            case CRASH_CLIENT -> crash(cast.anyClient(fault.parameter()), fault);
            case PAUSE_WRITER -> pause(lane.node(), fault);
            case PAUSE_RECOVERER -> pause(recoverer.node(), fault);
            default -> recover(lane, fault);
        }
    }

    private void crash(ClientNode node, FaultItem fault) {
        if (node.isUp()) {
            node.crash(SESSION_NANOS);
            afterwards(fault, node::start);
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

    // ---- clocks, metadata ----

    private void clockFault(FaultItem fault) {
        int place = fault.target();
        String name = place < cluster.bookies()
                ? SimulatedCluster.machineOf(place)
                : cast.client(place - cluster.bookies()).machine();
        world.machine(name).clockRate(fault.parameter() / (double) FULL_RATE_PERCENT);
        afterwards(fault, () -> world.machine(name).clockRate(1));
    }

    /** A bookie, or any client. */
    private String machineOf(int place) {
        return place < cluster.bookies()
                ? SimulatedCluster.machineOf(place)
                : cast.anyClient(place - cluster.bookies()).machine();
    }

    private void cutOff(String machine, FaultItem fault) {
        long nanos = fault.forMicros() * MICRO;
        cluster.metadata().cutOff(machine);
        world.after(SESSION_NANOS, () -> {
            if (!isOver && nanos > SESSION_NANOS) {
                cluster.expireSession(machine, nanos - SESSION_NANOS);
            }
        });
        afterwards(fault, () -> cluster.metadata().heal());
    }

    private void metadataFault(FaultItem fault) {
        switch (fault.kind()) {
            case METADATA_OUTAGE -> cluster.metadata().outage();
            case METADATA_CUT ->
                cluster.metadata().cutOff(cast.client(fault.parameter()).machine());
            case METADATA_UNKNOWN -> cluster.metadata().unknown((int) fault.parameter());
            case METADATA_LISTINGS -> cluster.metadata().incompleteListings((int) fault.parameter());
            default -> {
                cluster.metadata().stale((int) fault.parameter());
                cluster.metadata().lostNotices((int) fault.parameter());
            }
        }
        afterwards(fault, () -> cluster.metadata().heal());
    }

    /** The network of a plan as it is without faults. */
    public static LinkQuality qualityOf(Plan plan) {
        long mean = plan.knobs().linkMicros() * MICRO;
        return new LinkQuality(mean / 3, mean, 0);
    }

    /** A bookie of a plan as it is set up at first. */
    public static BookieKnobs bookieOf(Plan plan, int number) {
        Knobs knobs = plan.knobs();
        return BookieFaults.knobs(knobs, knobs.slabBytes(), knobs.flushMillis())
                .withRack(plan.spread().labelOf(number));
    }

    /** The disks of a plan as they are without faults. */
    public static DiskQuality diskOf(Plan plan) {
        return BookieFaults.quality(plan.knobs());
    }

    // ---- the end of the faults ----

    /** Whether everything is to lose power at the end. */
    public boolean hasBlackout() {
        return plan.has(FaultKind.BLACKOUT);
    }

    /** Everything loses power at once. */
    public void blackout() {
        happened.merge(FaultKind.BLACKOUT.name(), 1L, Long::sum);
        cast.nodes().forEach(node -> node.crash(0));
        for (int i = 0; i < cluster.bookies(); i++) {
            cluster.crash(i, 0);
        }
    }

    /** Ends every fault; what was destroyed stays so. Clients that are down stay down until {@link #startClients}. */
    public void heal() {
        isOver = true;
        cast.stage().heal();
        world.network().heal();
        world.network().quality(qualityOf(plan));
        cluster.metadata().heal();
        for (SimulatedMachine machine : world.machines()) {
            machine.clockRate(1);
            if (machine.isRunning()) {
                machine.crashAtDiskOperation(0, false);
            }
        }
        bookieFaults.heal();
        plan.faults().stream()
                .filter(fault -> fault.kind() == FaultKind.LEAVE_BEHIND)
                .forEach(fault -> bookieFaults.leaveBehind(fault.target() % cluster.bookies()));
    }

    /** Starts every client that is down. */
    public void startClients() {
        cast.nodes().forEach(ClientNode::start);
    }
}
