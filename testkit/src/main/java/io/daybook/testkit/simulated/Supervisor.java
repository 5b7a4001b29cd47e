// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieFormat;
import io.daybook.bookie.BookieStartException;
import io.daybook.bookie.ExitCode;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.testkit.simulated.SimulatedCluster.Ending;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts the processes of bookies again when they end, as a supervisor of processes does, and does what an operator would when a bookie refuses its disks:
 * one that lacks files of its journal is told to go on, one whose disk rotted is replaced.
 *
 * <p><i>Threading:</i> the thread that drives the world.
 */
final class Supervisor {
    private static final long INTERVAL_NANOS = 100_000_000L;
    /** How a bookie ends whose disk failed a call. A full disk is no reason to end. */
    private static final List<Integer> DISK_FAILED =
            List.of(ExitCode.JOURNAL_FAILED.code(), ExitCode.STORAGE_FAILED.code(), ExitCode.DISK.code());

    private final SimulatedWorld world;
    private final List<Seat> seats;
    private final Function<String, SimulatedMetadataStores> sessions;
    private final Consumer<Seat> wipe;
    private final List<Ending> endings = new ArrayList<>();
    private final List<String> wrongs = new ArrayList<>();

    /** For all {@code seats}, also those that are added later; {@code sessions} opens the metadata for a new process, {@code wipe} empties disks. */
    Supervisor(
            SimulatedWorld world,
            List<Seat> seats,
            Function<String, SimulatedMetadataStores> sessions,
            Consumer<Seat> wipe) {
        this.world = world;
        this.seats = seats;
        this.sessions = sessions;
        this.wipe = wipe;
    }

    /** Why bookies ended or did not start, when nobody made them. */
    List<Ending> endings() {
        return Collections.unmodifiableList(endings);
    }

    /** What bookies did that they must never do. */
    List<String> wrongs() {
        return Collections.unmodifiableList(wrongs);
    }

    /** Looks after the bookies from now on. */
    void begin() {
        world.after(INTERVAL_NANOS, () -> {
            seats.forEach(this::look);
            begin();
        });
    }

    private void look(Seat seat) {
        SimulatedMachine machine = world.machine(seat.machine);
        SimulatedMachine.@Nullable Halt halt = machine.lastHalt();
        if (halt != null && !halt.equals(seat.lastHalt)) {
            seat.lastHalt = halt;
            ended(seat, halt.exitCode(), halt.reason());
        }
        if (machine.isRunning() || !seat.isWanted) {
            seat.lookForDamage(world, wrongs);
            seat.lookForReserve(world);
            return;
        }
        seat.bookie = null;
        if (seat.isBlank) {
            format(seat, machine.start());
        } else {
            start(seat, machine.start());
        }
    }

    private void ended(Seat seat, int exitCode, String reason) {
        boolean hasDiskFailed = DISK_FAILED.contains(exitCode) && seat.answersDiskFailure(world);
        boolean isMixedUp = seat.isMixedUp && exitCode == ExitCode.IDENTITY.code();
        boolean isDue = hasDiskFailed || isMixedUp || seat.isRotten || isStartWithoutSpace(seat, exitCode, reason);
        endings.add(new Ending(seat.machine, exitCode, reason, isDue));
    }

    /** What is in the journal must be moved before a bookie serves: where even the reserve is used up that takes space. One that runs stays up (B14). */
    private boolean isStartWithoutSpace(Seat seat, int exitCode, String reason) {
        return exitCode == ExitCode.DISK.code()
                && reason.startsWith("did not start")
                && reason.contains("no space left")
                && seat.hasNoRoom(world);
    }

    private void format(Seat seat, SimulatedHost host) {
        seat.isFormatting = true;
        seat.begin(world);
        BookieFormat.format(seat.knobs.config(seat.machine), host, sessions.apply(seat.machine))
                .whenComplete((cookie, failure) -> {
                    if (!host.isAlive()) {
                        return;
                    }
                    seat.isFormatting = false;
                    if (failure == null) {
                        seat.bookieId = cookie.bookieId();
                        seat.isBlank = false;
                        seat.isRotten = false;
                    } else if (exitCodeOf(failure) != ExitCode.METADATA.code()) {
                        ended(seat, exitCodeOf(failure), "was not formatted: " + failure.getMessage());
                    }
                    world.after(0, () -> kill(host));
                });
    }

    /** Starts the process of a bookie. */
    void start(Seat seat, SimulatedHost host) {
        seat.begin(world);
        Bookie.start(seat.knobs.config(seat.machine), host, sessions.apply(seat.machine))
                .whenComplete((bookie, failure) -> {
                    if (!host.isAlive()) {
                        return;
                    }
                    if (failure == null) {
                        started(seat, bookie);
                        return;
                    }
                    ended(seat, exitCodeOf(failure), "did not start: " + failure.getMessage());
                    if (seat.lacksJournal
                            && !seat.lacksDirectory
                            && exitCodeOf(failure) == ExitCode.JOURNAL_DAMAGED.code()) {
                        world.after(0, () -> consent(seat, host));
                        return;
                    }
                    boolean givesUp =
                            seat.isRotten && !seat.isMixedUp && exitCodeOf(failure) != ExitCode.METADATA.code();
                    world.after(0, () -> {
                        kill(host);
                        if (givesUp && !seat.isBlank) {
                            world.faults()
                                    .count(
                                            seat.lacksDirectory
                                                    ? BookieSituations.LACKING_REFUSES
                                                    : BookieSituations.ROTTEN_REFUSES);
                            wipe.accept(seat);
                        }
                    });
                });
    }

    /** The operator has a bookie go on without what its journal has lost. */
    private void consent(Seat seat, SimulatedHost host) {
        kill(host);
        if (!seat.lacksJournal) {
            return;
        }
        try {
            seat.acceptDamage(world.machine(seat.machine).start());
            world.faults().count(BookieSituations.DAMAGE_ACCEPTED);
        } catch (DiskException failure) {
            ended(seat, ExitCode.DISK.code(), "could not be told to go on: " + failure.getMessage());
        }
        world.machine(seat.machine).kill();
    }

    private void started(Seat seat, Bookie bookie) {
        seat.bookie = bookie;
        seat.lookForIndex(world);
        if (seat.isMixedUp || seat.lacksDirectory) {
            wrongs.add(seat.machine + " started although its disks are mixed up or one is empty");
        }
        // What was lost had not come into use.
        seat.lacksJournal = false;
    }

    /** Ends a process, unless it is gone already. */
    static void kill(SimulatedHost host) {
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
