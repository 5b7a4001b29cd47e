// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieFormat;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Real bookies on simulated machines, with metadata in memory behind a bad connection. Bookies that end are started again, as a supervisor of
 * processes does it, until they are told to stay down.
 *
 * <p><i>Threading:</i> the thread that drives the world.
 */
public final class SimulatedCluster {
    /** Every cluster of a simulated world has this identity. */
    public static final ClusterId CLUSTER = new ClusterId(0xDA7, 0xB00C);

    static final String MACHINE_PREFIX = "bookie-";

    private static final long SECOND = 1_000_000_000L;

    private final SimulatedWorld world;
    private final MemoryMetadata metadata = new MemoryMetadata();
    private final MemoryMetadataStores direct = new MemoryMetadataStores(metadata);
    private final MetadataConditions conditions;
    private final BookieDisks disks;
    private final LedgerTransitions transitions = new LedgerTransitions();
    private final StreamWatch streamWatch = new StreamWatch();
    private final Map<String, SimulatedMetadataStores> sessions = new TreeMap<>();
    private final List<Seat> seats = new ArrayList<>();
    private final Supervisor supervisor;
    private boolean wasDamaged;
    private final FenceWatch fences = new FenceWatch();
    private final EntryWatch entries = new EntryWatch(this::isMember);

    /** How a bookie ended, or did not start, when nobody made it; {@code isDue} when its disks were mixed up, rotten or had failed, so that it had to. */
    public record Ending(String machine, int exitCode, String reason, boolean isDue) {}

    /** Formats and starts bookies that are all set up in the same way. */
    public SimulatedCluster(SimulatedWorld world, int bookies, BookieKnobs knobs) {
        this(world, bookies, number -> knobs);
    }

    /** Formats and starts the bookies; all have as many directories as the first. */
    public SimulatedCluster(SimulatedWorld world, int bookies, IntFunction<BookieKnobs> knobsOf) {
        this.world = world;
        this.conditions = new MetadataConditions(world);
        this.disks = new BookieDisks(
                world, knobsOf.apply(0).dataDirectories(), knobsOf.apply(0).journalDirectories());
        this.supervisor = new Supervisor(world, seats, this::newSession, this::wipe);
        world.network().watch(fences);
        world.network().watch(entries);
        direct.cluster().initialize(new ClusterInfo(CLUSTER, 0)).join();
        for (int i = 0; i < bookies; i++) {
            String name = machineOf(i);
            BookieKnobs knobs = knobsOf.apply(i);
            SimulatedHost host = world.machine(name).start();
            BookieId id = world.await(BookieFormat.format(knobs.config(name), host, direct), 10 * SECOND)
                    .bookieId();
            seats.add(new Seat(name, id, knobs));
            supervisor.start(seats.get(i), host);
        }
        if (!world.runUntil(() -> seats.stream().allMatch(seat -> seat.bookie != null), 10 * SECOND)) {
            throw new IllegalStateException("the bookies do not start; seed " + world.seed() + ": " + endings());
        }
        supervisor.begin();
    }

    private SimulatedCluster(SimulatedWorld world, SimulatedCluster original) {
        this.world = world;
        this.conditions = new MetadataConditions(world);
        this.disks = original.disks.in(world);
        this.supervisor = new Supervisor(world, seats, this::newSession, this::wipe);
        direct.cluster().initialize(new ClusterInfo(CLUSTER, 0)).join();
        original.direct
                .bookies()
                .cookies()
                .join()
                .forEach(cookie -> direct.bookies().addCookie(cookie).join());
        for (Seat theirs : original.seats) {
            Seat seat = new Seat(theirs.machine, theirs.bookieId, theirs.knobs);
            seat.isDestroyed = theirs.isDestroyed;
            seat.isRotten = theirs.isRotten;
            seat.isWanted = theirs.isWhole();
            seats.add(seat);
            disks.takeAfterPowerLoss(seats.size() - 1, original.disks);
        }
    }

    /**
     * A cluster in another world whose bookies hold what those of this one would still hold if the power failed now and everything was lost that is not
     * durable. Throws {@link IllegalStateException} when a bookie whose disks are sound does not start.
     */
    public SimulatedCluster twinAfterPowerLoss(SimulatedWorld other) {
        SimulatedCluster twin = new SimulatedCluster(other, this);
        List<Seat> alive = twin.seats.stream().filter(seat -> seat.isWanted).toList();
        alive.forEach(
                seat -> twin.supervisor.start(seat, other.machine(seat.machine).start()));
        boolean up =
                other.runUntil(() -> alive.stream().allMatch(seat -> seat.bookie != null || seat.isBlank), 10 * SECOND);
        if (!up) {
            throw new IllegalStateException("bookies do not start: " + twin.endings());
        }
        return twin;
    }

    /** Whether the disks of all bookies are where they belong: otherwise a twin would not start. */
    public boolean hasTwin() {
        return seats.stream().allMatch(seat -> seat.isDestroyed || seat.isWhole());
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

    /** What sees the changes of streams. */
    public StreamWatch streamWatch() {
        return streamWatch;
    }

    /** What is known of the fences of bookies. */
    public FenceWatch fences() {
        return fences;
    }

    /** What is known of the entries of bookies. */
    public EntryWatch entries() {
        return entries;
    }

    /** Whether metadata names the bookie that lives on a machine for some entries of a ledger. */
    private boolean isMember(String machine, long ledgerId) {
        BookieId id = idOf(Integer.parseInt(machine.substring(MACHINE_PREFIX.length())));
        return ledgers()
                .readLatest(ledgerId)
                .handle((read, failure) -> failure == null
                        && read.value().fragments().stream()
                                .anyMatch(fragment -> fragment.ensemble().contains(id)))
                .join();
    }

    /** The ledgers of which a bookie with sound disks has said that they are fenced. */
    public Set<Long> fencedAt(int bookie) {
        Seat seat = seats.get(bookie);
        return seat.isRotten
                ? new TreeSet<>()
                : new TreeSet<>(fences.fencedAt(seat.machine).keySet());
    }

    /** How many bookies there are, whatever became of them. */
    public int bookies() {
        return seats.size();
    }

    /** The machine of a bookie. */
    public static String machineOf(int bookie) {
        return MACHINE_PREFIX + bookie;
    }

    /** The id of the bookie that lives there now. */
    public BookieId idOf(int bookie) {
        return seats.get(bookie).bookieId;
    }

    /** The number of the bookie that has that id now; -1 for none. */
    public int numberOf(BookieId id) {
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).bookieId.equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether what a bookie of that id held may be lost: it was destroyed or formatted anew, or stored bytes rotted. */
    public boolean isDamaged(BookieId id) {
        int number = numberOf(id);
        return number < 0 || seats.get(number).isDestroyed || seats.get(number).isBlank || seats.get(number).isRotten;
    }

    /** Whether the bookie that lived there at first was replaced by another. */
    public boolean isReplaced(int bookie) {
        return seats.get(bookie).isReplaced();
    }

    /** The disks of the bookies. */
    public BookieDisks disks() {
        return disks;
    }

    /** Whether a bookie is up and serves. */
    public boolean isServing(int bookie) {
        Seat seat = seats.get(bookie);
        return seat.bookie != null && world.machine(seat.machine).isRunning();
    }

    /** The process of a bookie that serves; empty while none does. */
    public Optional<SimulatedHost> processOf(int bookie) {
        return isServing(bookie)
                ? Optional.of(world.machine(seats.get(bookie).machine).host())
                : Optional.empty();
    }

    /** Whether anything was ever lost of the disks of a bookie that lives on: it then fences what others write, because it may have forgotten a fence. */
    public boolean wasDamaged() {
        return wasDamaged;
    }

    /** Whether {@link #destroy} was called for it. */
    public boolean isDestroyed(int bookie) {
        return seats.get(bookie).isDestroyed;
    }

    /** Why bookies ended or did not start, when nobody made them. */
    public List<Ending> endings() {
        return List.copyOf(supervisor.endings());
    }

    /** What bookies did that they must never do, such as to start on disks that are not theirs. */
    public List<String> wrongs() {
        return List.copyOf(supervisor.wrongs());
    }

    /** The metadata as a new process on a machine sees it; the session of the process before it ends. */
    public SimulatedMetadataStores newSession(String machine) {
        endSession(machine);
        SimulatedMetadataStores session = new SimulatedMetadataStores(
                new MemoryMetadataStores(metadata), conditions, transitions, streamWatch, machine);
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

    /** The session of a process that lives on ends: its locks, and what it has registered, are gone. After a while the store has another one, and registers it again. */
    public void expireSession(String machine, long afterNanos) {
        SimulatedMetadataStores lost = sessions.get(machine);
        if (lost != null && world.machine(machine).isRunning()) {
            lost.loseSession();
            world.after(afterNanos, lost::regainSession);
        }
    }

    // ---- what happens to bookies ----

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
        if (seat.bookie == null && world.machine(seat.machine).isRunning()) {
            world.faults().count(BookieSituations.ENDED_WHILE_STARTING);
        }
        seat.isWanted = false;
        seat.isFormatting = false;
        seat.bookie = null;
        sessionExpires(seat.machine, sessionNanos);
    }

    /** Asks a bookie that serves to stop in an orderly way; it stays down until {@link #up}. */
    public void stop(int bookie) {
        Seat seat = seats.get(bookie);
        Bookie serving = seat.bookie;
        if (serving == null) {
            return;
        }
        SimulatedHost host = world.machine(seat.machine).host();
        seat.isWanted = false;
        seat.bookie = null;
        serving.close().whenComplete((done, failure) -> world.after(0, () -> Supervisor.kill(host)));
    }

    /** Sets a bookie up in another way from its next start on. */
    public void knobs(int bookie, BookieKnobs next) {
        seats.get(bookie).knobs = next;
    }

    /** Takes a bookie down with everything it holds, for ever. */
    public void destroy(int bookie, long sessionNanos) {
        crash(bookie, sessionNanos);
        Seat seat = seats.get(bookie);
        seat.isDestroyed = true;
        wipe(seat);
    }

    /** Takes a bookie down with everything it holds; {@link #up} formats its empty disks, and another bookie lives there. */
    public void replace(int bookie, long sessionNanos) {
        crash(bookie, sessionNanos);
        wipe(seats.get(bookie));
    }

    private void wipe(Seat seat) {
        disks.wipe(seat.machine);
        fences.forget(seat.machine);
        entries.forget(seat.machine);
        seat.isBlank = true;
        seat.lacksDirectory = false;
        seat.lacksJournal = false;
    }

    /** Takes a bookie down, with all that is in one of its directories, which {@code draw} chooses. It must refuse to start, and is replaced then. */
    public void loseDirectory(int bookie, long draw, long sessionNanos) {
        crash(bookie, sessionNanos);
        Seat seat = seats.get(bookie);
        disks.wipeOne(bookie, draw);
        damaged(seat, true);
        seat.lacksDirectory = true;
    }

    /** Takes two bookies down and puts a disk of each into the other, or two disks of one in each other's place; lasts until {@link #sortOut}. */
    public void mixUp(int one, int other, long sessionNanos) {
        exchangeDisks(one, other, sessionNanos);
        seats.get(one).isMixedUp = true;
        seats.get(other).isMixedUp = true;
    }

    /** Ends {@link #mixUp}. */
    public void sortOut(int one, int other) {
        exchangeDisks(one, other, 0);
        seats.get(one).isMixedUp = false;
        seats.get(other).isMixedUp = false;
    }

    private void exchangeDisks(int one, int other, long sessionNanos) {
        kill(one, sessionNanos);
        kill(other, sessionNanos);
        disks.exchange(one, other);
        up(one);
        up(other);
    }

    /** Whether its disks are where they belong. */
    public boolean isSorted(int bookie) {
        return seats.get(bookie).isWhole();
    }

    /** Flips bits of a stored byte of a bookie that {@code draw} chooses. A bookie that therefore refuses to start is replaced by a new one. */
    public void rot(int bookie, long draw) {
        damaged(seats.get(bookie), disks.rot(bookie, draw));
    }

    private void damaged(Seat seat, boolean isDamaged) {
        seat.isRotten |= isDamaged;
        wasDamaged |= isDamaged;
    }

    /** Takes a bookie down; an entry log of it, an index file or both get lost, as {@code draw} chooses. It stays down until {@link #up}. */
    public void loseLog(int bookie, long draw, long sessionNanos) {
        kill(bookie, sessionNanos);
        Seat seat = seats.get(bookie);
        seat.lost = disks.loseLog(bookie, draw);
        damaged(seat, !seat.lost.isEmpty());
    }

    /**
     * Takes a bookie down; files of one of its journals get lost, as {@code draw} chooses. It stays down until {@link #up}. When it refuses to start without them it
     * is told to go on.
     */
    public void loseJournal(int bookie, long draw, long sessionNanos) {
        kill(bookie, sessionNanos);
        Seat seat = seats.get(bookie);
        seat.lacksJournal = disks.loseJournal(bookie, draw);
        damaged(seat, seat.lacksJournal);
    }

    /** Lets a bookie be started again. */
    public void up(int bookie) {
        Seat seat = seats.get(bookie);
        if (seat.lacksJournal) {
            fences.forgetUnless(seat.machine, ledgerId -> isMember(seat.machine, ledgerId));
        }
        seat.isWanted = !seat.isDestroyed;
    }
}
