// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieFormat;
import io.daybook.bookie.BookieStartException;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.Survivors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Real bookies on simulated machines, with metadata in memory behind a bad connection. Bookies that end are started again, as a supervisor of
 * processes does it, until they are told to stay down.
 *
 * <p><i>Threading:</i> the thread that drives the world.
 */
public final class SimulatedCluster {
    /** Every cluster of a simulated world has this identity. */
    public static final ClusterId CLUSTER = new ClusterId(0xDA7, 0xB00C);

    static final String JOURNAL = "journal";
    static final String DATA = "data";

    private static final long SECOND = 1_000_000_000L;
    private static final long SUPERVISION_NANOS = SECOND / 10;

    private final SimulatedWorld world;
    private final BookieKnobs knobs;
    private final MemoryMetadata metadata = new MemoryMetadata();
    private final MemoryMetadataStores direct = new MemoryMetadataStores(metadata);
    private final MetadataConditions conditions;
    private final LedgerTransitions transitions = new LedgerTransitions();
    private final Map<String, SimulatedMetadataStores> sessions = new TreeMap<>();
    private final List<Seat> seats = new ArrayList<>();
    private final List<Ending> endings = new ArrayList<>();

    /** How a bookie ended, or did not start, when nobody made it. */
    public record Ending(String machine, int exitCode, String reason) {}

    private static final class Seat {
        private final String machine;
        private final BookieId bookieId;
        private SimulatedMachine.@Nullable Halt lastHalt;
        private boolean isWanted = true;
        private boolean isStarted;
        private boolean isDestroyed;

        private Seat(String machine, BookieId bookieId) {
            this.machine = machine;
            this.bookieId = bookieId;
        }
    }

    /** Formats and starts the bookies. */
    public SimulatedCluster(SimulatedWorld world, int bookies, BookieKnobs knobs) {
        this.world = world;
        this.knobs = knobs;
        this.conditions = new MetadataConditions(world);
        direct.cluster().initialize(new ClusterInfo(CLUSTER, 0)).join();
        for (int i = 0; i < bookies; i++) {
            String name = machineOf(i);
            SimulatedHost host = world.machine(name).start();
            BookieId id = world.await(BookieFormat.format(knobs.config(name), host, direct), 10 * SECOND)
                    .bookieId();
            seats.add(new Seat(name, id));
            start(seats.get(i), host);
        }
        if (!world.runUntil(() -> seats.stream().allMatch(seat -> seat.isStarted), 10 * SECOND)) {
            throw new IllegalStateException("the bookies do not start; seed " + world.seed() + ": " + endings);
        }
        supervise();
    }

    private SimulatedCluster(SimulatedWorld world, SimulatedCluster original) {
        this.world = world;
        this.knobs = original.knobs;
        this.conditions = new MetadataConditions(world);
        direct.cluster().initialize(new ClusterInfo(CLUSTER, 0)).join();
        original.direct
                .bookies()
                .cookies()
                .join()
                .forEach(cookie -> direct.bookies().addCookie(cookie).join());
        for (int i = 0; i < original.seats.size(); i++) {
            Seat theirs = original.seats.get(i);
            Seat seat = new Seat(theirs.machine, theirs.bookieId);
            seat.isDestroyed = theirs.isDestroyed;
            seat.isWanted = !theirs.isDestroyed;
            seats.add(seat);
            for (String root : List.of(JOURNAL, DATA)) {
                DiskDrive drive = world.machine(seat.machine).drive(root);
                drive.replace(
                        original.world.machine(seat.machine).drive(root).image().copy());
                drive.crash(Survivors.none());
            }
        }
    }

    /**
     * A cluster in another world whose bookies hold what those of this one would still hold if the power failed now and everything was lost that is not
     * durable. Throws {@link IllegalStateException} when one of them does not start.
     */
    public SimulatedCluster twinAfterPowerLoss(SimulatedWorld other) {
        SimulatedCluster twin = new SimulatedCluster(other, this);
        List<Seat> alive = twin.seats.stream().filter(seat -> seat.isWanted).toList();
        alive.forEach(seat -> twin.start(seat, other.machine(seat.machine).start()));
        if (!other.runUntil(() -> alive.stream().allMatch(seat -> seat.isStarted), 10 * SECOND)) {
            throw new IllegalStateException("bookies do not start: " + twin.endings);
        }
        return twin;
    }

    /** The world it is in. */
    public SimulatedWorld world() {
        return world;
    }

    /** How the metadata store works. */
    public MetadataConditions metadata() {
        return conditions;
    }

    /** The ledgers as they really are, without delay. */
    public LedgerMetadataStore ledgers() {
        return direct.ledgers();
    }

    /** What watches the changes of ledgers. */
    public LedgerTransitions transitions() {
        return transitions;
    }

    /** How many bookies there are, whatever became of them. */
    public int bookies() {
        return seats.size();
    }

    /** The machine of a bookie. */
    public static String machineOf(int bookie) {
        return "bookie-" + bookie;
    }

    /** The id of a bookie. */
    public BookieId idOf(int bookie) {
        return seats.get(bookie).bookieId;
    }

    /** The number of the bookie with that id; -1 for none. */
    public int numberOf(BookieId id) {
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).bookieId.equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /** The disks of a bookie, also before there is one. */
    public static List<DiskDrive> drivesOf(SimulatedWorld world, int bookie) {
        SimulatedMachine machine = world.machine(machineOf(bookie));
        return List.of(machine.drive(JOURNAL), machine.drive(DATA));
    }

    /** The disk of a bookie's journal. */
    public DiskDrive journalOf(int bookie) {
        return world.machine(machineOf(bookie)).drive(JOURNAL);
    }

    /** The disk of a bookie's entries and index. */
    public DiskDrive dataOf(int bookie) {
        return world.machine(machineOf(bookie)).drive(DATA);
    }

    /** Whether a bookie is up and serves. */
    public boolean isServing(int bookie) {
        Seat seat = seats.get(bookie);
        return seat.isStarted && world.machine(seat.machine).isRunning();
    }

    /** Whether {@link #destroy} was called for it. */
    public boolean isDestroyed(int bookie) {
        return seats.get(bookie).isDestroyed;
    }

    /** Why bookies ended or did not start, when nobody made them. */
    public List<Ending> endings() {
        return List.copyOf(endings);
    }

    /** The metadata as a new process on a machine sees it; the session of the process before it ends. */
    public SimulatedMetadataStores newSession(String machine) {
        endSession(machine);
        SimulatedMetadataStores session =
                new SimulatedMetadataStores(new MemoryMetadataStores(metadata), conditions, transitions, machine);
        sessions.put(machine, session);
        return session;
    }

    private void endSession(String machine) {
        SimulatedMetadataStores ended = sessions.remove(machine);
        if (ended != null) {
            ended.close();
        }
    }

    /** Forgets a process that is gone: its session ends after a while. */
    public void sessionExpires(String machine, long afterNanos) {
        SimulatedMetadataStores lost = sessions.get(machine);
        world.after(afterNanos, () -> {
            if (lost != null && sessions.get(machine) == lost) {
                endSession(machine);
            }
        });
    }

    /** Ends a bookie by a loss of power; it stays down until {@link #up}. Its session lasts for another while. */
    public void crash(int bookie, long sessionNanos) {
        Seat seat = seats.get(bookie);
        down(seat, sessionNanos);
        world.machine(seat.machine).crash();
    }

    /** Ends the process of a bookie; it stays down until {@link #up}. */
    public void kill(int bookie, long sessionNanos) {
        Seat seat = seats.get(bookie);
        down(seat, sessionNanos);
        world.machine(seat.machine).kill();
    }

    private void down(Seat seat, long sessionNanos) {
        seat.isWanted = false;
        seat.isStarted = false;
        sessionExpires(seat.machine, sessionNanos);
    }

    /** Takes a bookie down with everything it holds, for ever. */
    public void destroy(int bookie, long sessionNanos) {
        crash(bookie, sessionNanos);
        Seat seat = seats.get(bookie);
        seat.isDestroyed = true;
        world.machine(seat.machine).wipe(JOURNAL);
        world.machine(seat.machine).wipe(DATA);
    }

    /** Lets a bookie be started again. */
    public void up(int bookie) {
        Seat seat = seats.get(bookie);
        seat.isWanted = !seat.isDestroyed;
    }

    private void supervise() {
        world.after(SUPERVISION_NANOS, () -> {
            seats.forEach(this::look);
            supervise();
        });
    }

    private void look(Seat seat) {
        SimulatedMachine machine = world.machine(seat.machine);
        SimulatedMachine.@Nullable Halt halt = machine.lastHalt();
        if (halt != null && !halt.equals(seat.lastHalt)) {
            seat.lastHalt = halt;
            endings.add(new Ending(seat.machine, halt.exitCode(), halt.reason()));
        }
        if (machine.isRunning() || !seat.isWanted) {
            return;
        }
        seat.isStarted = false;
        start(seat, machine.start());
    }

    private void start(Seat seat, SimulatedHost host) {
        Bookie.start(knobs.config(seat.machine), host, newSession(seat.machine)).whenComplete((bookie, failure) -> {
            if (!host.isAlive()) {
                return;
            }
            if (failure == null) {
                seat.isStarted = true;
            } else {
                endings.add(new Ending(seat.machine, exitCodeOf(failure), "did not start: " + failure.getMessage()));
                world.after(0, () -> kill(host));
            }
        });
    }

    private static void kill(SimulatedHost host) {
        if (host.isAlive()) {
            host.machine().kill();
        }
    }

    private static int exitCodeOf(Throwable failure) {
        return failure instanceof BookieStartException refusal
                ? refusal.exitCode().code()
                : -1;
    }
}
