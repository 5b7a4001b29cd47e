// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import static io.daybook.runtime.simulated.TwoMachines.MILLI;
import static io.daybook.runtime.simulated.TwoMachines.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Disk;
import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Worlds repeat from their seed; processes crash, halt, pause, block and restart on their machine. */
final class SimulatedWorldTest {
    /** What {@link #traffic} of seed 7 gave when it was recorded. Changes with every change of the simulator; must not change between JVMs. */
    private static final long RECORDED_HASH_OF_SEED_7 = -6263506042609918321L;

    private final SimulatedWorld world = new SimulatedWorld(5);
    private final SimulatedMachine machine = world.machine("a");
    private final List<String> events = new ArrayList<>();

    /** Links, timers, files, a clog, a crash and a restart. */
    private static long traffic(long seed) {
        TwoMachines two = new TwoMachines(seed);
        for (int i = 0; i < 50; i++) {
            two.send(two.near, i);
            two.send(two.far, i);
            two.nearLoop.schedule(
                    i * MILLI,
                    () -> two.near.link().send(two.near.link().allocate(4).writeInt(7)));
        }
        two.world.after(20 * MILLI, () -> two.world.network().clog("near", "far"));
        two.world.after(30 * MILLI, two.world.network()::heal);
        two.farLoop.execute(() -> {
            DiskFile file = two.world.machine("far").host().disk("/data").open("a", OpenMode.CREATE_NEW);
            file.write(0, ByteBuffer.allocate(5000));
            two.world.machine("far").host().disk("/data").syncDirectory("");
        });
        two.world.runFor(60 * MILLI);
        two.world.machine("far").restart();
        two.world.runFor(SECOND);
        two.world
                .scheduler()
                .trace()
                .fold(two.world.machine("far").drive("/data").image().durableBytes("a").length);
        return two.world.traceHash();
    }

    @Test
    void oneSeedGivesOneTrace() {
        assertThat(traffic(7)).isEqualTo(traffic(7));
        assertThat(traffic(7)).isEqualTo(RECORDED_HASH_OF_SEED_7);
    }

    @Test
    void everySeedGivesAnotherTrace() {
        Set<Long> hashes = new HashSet<>(
                LongStream.range(0, 40).map(SimulatedWorldTest::traffic).boxed().toList());

        assertThat(hashes).hasSize(40);
    }

    @Test
    void crashInTheMiddleOfATaskEndsEverythingOfTheProcess() {
        SimulatedHost host = machine.start();
        EventLoop loop = host.newLoop("a-0", LoopKind.STORAGE);
        EventLoop other = host.newLoop("a-1", LoopKind.STORAGE);
        Disk disk = host.disk("/data");
        loop.schedule(MILLI, () -> events.add("timer"));
        machine.crashAtDiskOperation(2, false);

        loop.execute(() -> {
            other.execute(() -> events.add("other loop"));
            loop.execute(() -> events.add("next task"));
            loop.atEndOfTurn(() -> events.add("end of turn"));
            DiskFile file = disk.open("a", OpenMode.CREATE_NEW);
            events.add("opened");
            file.write(0, ByteBuffer.allocate(1));
            events.add("written");
        });
        world.runFor(SECOND);

        assertThat(events).startsWith("opened").doesNotContain("written", "next task", "end of turn", "timer");
        assertThat(machine.isRunning()).isFalse();
    }

    @Test
    void crashAfterAnOperationLeavesItsEffect() {
        SimulatedHost host = machine.start();
        EventLoop loop = host.newLoop("a-0", LoopKind.STORAGE);
        loop.execute(() -> {
            Disk disk = host.disk("/data");
            disk.open("a", OpenMode.CREATE_NEW);
            machine.crashAtDiskOperation(1, true);
            disk.syncDirectory("");
            events.add("returned");
        });
        world.runFor(SECOND);

        assertThat(events).isEmpty();
        assertThat(machine.start().disk("/data").exists("a")).isTrue();
    }

    @Test
    void situationCanCrashTheMachineThatReachesIt() {
        EventLoop loop = machine.start().newLoop("a-0", LoopKind.STORAGE);
        SimulatedHost host = machine.host();
        world.faults().crashAt("a", "roll", 2);
        world.faults().plant("D1");

        loop.execute(() -> {
            for (int i = 0; i < 3; i++) {
                host.faults().reached("roll");
                events.add("roll " + i);
            }
        });
        world.runFor(SECOND);

        assertThat(events).containsExactly("roll 0");
        assertThat(world.faults().reached()).containsEntry("roll", 2L);
        assertThat(machine.restart().faults().at("D1")).isTrue();
        assertThat(machine.host().faults().at("D2")).isFalse();
    }

    @Test
    void haltedProcessLeavesWhatItWroteAndReleasesItsLocks() {
        SimulatedHost host = machine.start();
        EventLoop loop = host.newLoop("a-0", LoopKind.STORAGE);
        loop.execute(() -> {
            host.disk("/data").open("a", OpenMode.CREATE_NEW).write(0, ByteBuffer.allocate(3));
            host.disk("/data").lock("");
            host.halt(3, "sync failed");
            events.add("went on");
        });
        world.runFor(SECOND);

        assertThat(events).isEmpty();
        assertThat(machine.lastHalt()).isEqualTo(new SimulatedMachine.Halt(3, "sync failed"));
        Disk after = machine.start().disk("/data");
        assertThat(after.open("a", OpenMode.READ_ONLY).size()).isEqualTo(3);
        after.lock("").close();
    }

    @Test
    void crashReleasesLocksAndAnOldHolderCannotFreeTheNewOnes() {
        Disk.DirectoryLock old = machine.start().disk("/data").lock("");
        machine.crash(CrashMode.LOSE_ALL);
        SimulatedHost again = machine.start();
        again.disk("/data").lock("");

        old.close();

        assertThatThrownBy(() -> again.disk("/data").lock("")).isInstanceOf(DiskException.class);
    }

    @Test
    void whatATaskCausesAfterABlockingCallHappensAfterIt() {
        SimulatedHost host = machine.start();
        machine.drive("/data").quality(new DiskQuality(4096, 1 << 20, 0, 0, 2 * SECOND));
        EventLoop loop = host.newLoop("a-0", LoopKind.STORAGE);
        EventLoop other = host.newLoop("a-1", LoopKind.STORAGE);
        List<Long> times = new ArrayList<>();

        loop.execute(() -> {
            other.execute(() -> times.add(world.nanoTime()));
            host.disk("/data").syncDirectory("");
            other.execute(() -> times.add(world.nanoTime()));
            loop.execute(() -> times.add(world.nanoTime()));
        });
        world.runFor(60 * SECOND);

        assertThat(times).hasSize(3);
        assertThat(times.get(0)).isLessThan(SECOND / 10);
        assertThat(times.get(1)).isGreaterThan(SECOND);
        assertThat(times.get(2)).isGreaterThan(SECOND);
    }

    @Test
    void handedOverTasksKeepTheirOrderWhateverBlocksBetween() {
        SimulatedHost host = machine.start();
        EventLoop loop = host.newLoop("a-0", LoopKind.STORAGE);
        EventLoop other = host.newLoop("a-1", LoopKind.STORAGE);
        List<Integer> order = new ArrayList<>();

        for (int i = 0; i < 300; i++) {
            int number = i;
            loop.execute(() -> {
                other.execute(() -> order.add(2 * number));
                if (number % 3 == 0) {
                    host.disk("/data").syncDirectory("");
                }
                other.execute(() -> order.add(2 * number + 1));
            });
        }
        world.runFor(60 * SECOND);

        assertThat(order).hasSize(600).isSorted();
    }

    @Test
    void pausedProcessRunsItsTimersLate() {
        EventLoop loop = machine.start().newLoop("a-0", LoopKind.NETWORK);
        loop.schedule(10 * MILLI, () -> events.add("timer"));

        machine.pause(5 * SECOND);
        world.runFor(4 * SECOND);
        assertThat(events).isEmpty();
        world.runFor(2 * SECOND);

        assertThat(events).containsExactly("timer");
    }

    @Test
    void timersFollowTheClockOfTheMachine() {
        EventLoop loop = machine.start().newLoop("a-0", LoopKind.NETWORK);
        List<Long> passed = new ArrayList<>();
        loop.execute(() -> {
            long start = loop.nanoTime();
            loop.schedule(10 * SECOND, () -> passed.add(loop.nanoTime() - start));
        });
        world.runFor(SECOND);

        machine.clockRate(0.5);
        world.runFor(12 * SECOND);
        assertThat(passed).isEmpty();
        machine.clockRate(2);
        world.runFor(2 * SECOND);

        assertThat(passed).hasSize(1).allMatch(nanos -> nanos >= 10 * SECOND);
    }

    @Test
    void wallClockMayJumpAndMonotonicTimeDoesNot() {
        EventLoop loop = machine.start().newLoop("a-0", LoopKind.NETWORK);
        long wall = loop.wallMillis();
        long nanos = loop.nanoTime();

        machine.stepWallClock(-3_600_000);

        assertThat(loop.wallMillis()).isEqualTo(wall - 3_600_000);
        assertThat(loop.nanoTime()).isEqualTo(nanos);
    }

    @Test
    void sameNameDrawsTheSameAndEachIncarnationDrawsAnew() {
        long first = machine.start().random().fork("x").nextLong();
        assertThat(machine.host().random().fork("x").nextLong()).isEqualTo(first);
        assertThat(machine.host().random().fork("y").nextLong()).isNotEqualTo(first);

        assertThat(machine.restart().random().fork("x").nextLong()).isNotEqualTo(first);
    }

    @Test
    void failedTaskEndsTheRunUnlessAHandlerIsInstalled() {
        EventLoop loop = machine.start().newLoop("a-0", LoopKind.NETWORK);
        Runnable bug = () -> {
            throw new IllegalStateException("bug");
        };
        loop.execute(bug);
        assertThatThrownBy(() -> world.runFor(SECOND)).hasMessage("bug");

        world.onFailure((on, failure) -> events.add(on.name() + " " + failure.getMessage()));
        loop.execute(bug);
        world.runFor(SECOND);

        assertThat(events).containsExactly("a-0 bug");
    }

    @Test
    void futureThatIsNeverDoneFailsWithTheLastEvents() {
        machine.start().newLoop("a-0", LoopKind.NETWORK).execute(() -> events.add("ran"));

        assertThatThrownBy(() -> world.await(new CompletableFuture<>(), SECOND))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 5")
                .hasMessageContaining("TURN");
        assertThat(world.nanoTime()).isEqualTo(SECOND);
    }

    @Test
    void cancelledTimersDoNotPileUp() {
        EventLoop loop = machine.start().newLoop("a-0", LoopKind.NETWORK);
        for (int i = 0; i < 5000; i++) {
            loop.schedule(3600 * SECOND, () -> events.add("timer")).cancel();
        }
        long before = world.scheduler().trace().events();
        world.runFor(7200 * SECOND);

        assertThat(events).isEmpty();
        assertThat(world.scheduler().trace().events()).isEqualTo(before);
    }

    @Test
    void checksRunAfterEveryEvent() {
        List<Long> times = new ArrayList<>();
        world.afterEachEvent(() -> times.add(world.nanoTime()));
        world.after(MILLI, () -> {});
        world.after(2 * MILLI, () -> {});

        world.runFor(SECOND);

        assertThat(times).containsExactly(MILLI, 2 * MILLI);
    }
}
