// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.daybook.bookie.LogLines;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What cannot be found out about a directory is no reason to fail (S-18). */
final class SpaceWatchTest {
    private static final int SLAB_BYTES = 32 * 1024;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedHost host = world.machine("bookie").start();

    /** The disk, on which {@code before} happens whenever the reserve is opened. */
    private static Disk whenReserveIsOpened(Disk disk, Runnable before) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("open") && Reserve.NAME.equals(arguments[0])) {
                        before.run();
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    private Disk journalWithReserve() {
        Disk journal = host.disk("/journal");
        try (DiskFile reserve = journal.open(Reserve.NAME, Disk.OpenMode.CREATE_NEW)) {
            reserve.write(0, ByteBuffer.allocate(SLAB_BYTES));
            reserve.sync();
        }
        journal.syncDirectory("");
        return journal;
    }

    private SpaceWatch watch(Disk journal) {
        world.machine("bookie").drive("/data-b").quality(DiskQuality.SOLID_STATE.withCapacity(4 * 1024 * 1024));
        world.machine("bookie").drive("/data-a").quality(DiskQuality.SOLID_STATE.withCapacity(2 * 1024 * 1024));
        DataDisks data = new DataDisks(List.of(host.disk("/data-a"), host.disk("/data-b")));
        return new SpaceWatch(data, List.of(journal), new SpaceConfig(1), SLAB_BYTES);
    }

    // Cleanup gives reserves up on its own loop.
    @Test
    void aReserveThatIsGivenUpWhileItIsLookedAtIsOneThatIsLacking() {
        Disk journal = journalWithReserve();
        SpaceWatch watch = watch(whenReserveIsOpened(journal, () -> journal.delete(Reserve.NAME)));

        assertThatCode(watch::look).doesNotThrowAnyException();
        assertThat(journal.exists(Reserve.NAME)).isFalse();
    }

    @Test
    void aDirectoryThatFillsUpIsToldBeforeItIsFullAlsoWhenTheOthersHaveRoom() {
        SpaceWatch watch = watch(host.disk("/journal"));
        watch.look();
        Disk filling = host.disk("/data-a");
        try (LogLines lines = new LogLines();
                DiskFile file = filling.open("ballast", Disk.OpenMode.CREATE_NEW)) {
            file.write(0, ByteBuffer.allocate((int) filling.usableBytes("") - 3 * SLAB_BYTES));

            Space space = watch.look();

            assertThat(space.level()).isEqualTo(Space.Level.ROOMY);
            assertThat(space.data().get(0).level()).isEqualTo(Space.Level.LOW);
            lines.assertSaid("low", "WARN path=bookie:/data-a", "space=LOW");
        }
    }

    /** A watch over a directory of which nobody can tell what exists there while {@code isAway}. */
    private SpaceWatch flakyWatch(Disk data, boolean[] isAway) {
        Disk flaky = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (isAway[0] && method.getName().equals("exists")) {
                        throw new DiskException(DiskException.Kind.IO, "the device is away", null);
                    }
                    return method.invoke(data, arguments);
                });
        return new SpaceWatch(
                new DataDisks(List.of(flaky)), List.of(host.disk("/journal")), new SpaceConfig(1), SLAB_BYTES);
    }

    @Test
    void anOperatorsReadOnlyIsTakenToBeWantedUntilItCouldBeRead() {
        boolean[] isAway = {true};
        SpaceWatch watch = flakyWatch(host.disk("/data-a"), isAway);

        assertThat(watch.look().forcedReadOnly()).isTrue();

        isAway[0] = false;
        assertThat(watch.look().forcedReadOnly()).isFalse();
        isAway[0] = true;
        assertThat(watch.look().forcedReadOnly()).isFalse();
    }

    @Test
    void anOperatorsReadOnlyStaysWhileItCannotBeRead() {
        Disk data = host.disk("/data-a");
        ReadOnlyFlag.set(data, true);
        boolean[] isAway = new boolean[1];
        SpaceWatch watch = flakyWatch(data, isAway);
        assertThat(watch.look().forcedReadOnly()).isTrue();

        isAway[0] = true;
        assertThat(watch.look().forcedReadOnly()).isTrue();

        isAway[0] = false;
        ReadOnlyFlag.set(data, false);
        assertThat(watch.look().forcedReadOnly()).isFalse();
    }

    @Test
    void theNextLogFindsAPlaceAlsoWhenTheReserveCannotBeRead() {
        SpaceWatch watch = watch(whenReserveIsOpened(journalWithReserve(), () -> {
            throw new DiskException(DiskException.Kind.IO, "open of the reserve: denied", null);
        }));

        assertThat(watch.roomiest().usableBytes("")).isGreaterThan(3 * 1024 * 1024);
    }

    // B14: without files that it may open, a bookie knows all the same that its devices are full.
    @Test
    void aFullDeviceIsToldAlsoWhenNoReserveCanBeRead() {
        SpaceWatch watch = watch(whenReserveIsOpened(journalWithReserve(), () -> {
            throw new DiskException(DiskException.Kind.IO, "open of the reserve: too many open files", null);
        }));
        for (String path : List.of("/data-a", "/data-b")) {
            Disk filled = host.disk(path);
            try (DiskFile file = filled.open("ballast", Disk.OpenMode.CREATE_NEW)) {
                file.write(0, ByteBuffer.allocate((int) filled.usableBytes("")));
            }
        }

        Space space = watch.look();

        assertThat(space.level()).isEqualTo(Space.Level.FULL);
        assertThat(space.fullDirectories()).isEqualTo(2);
    }

    // S-26: an operator who wants less to be kept back gets the space.
    @Test
    void aReserveThatWasMeantToBeLargerGivesTheRestBack() {
        EventLoop loop = host.newLoop("storage", Host.LoopKind.STORAGE);
        for (int slabs = 2; slabs >= 0; slabs--) {
            DataDisks data = new DataDisks(List.of(host.disk("/data")));
            SpaceWatch watch = new SpaceWatch(data, List.of(host.disk("/journal")), new SpaceConfig(slabs), SLAB_BYTES);

            watch.start(loop, loop, space -> {});
            world.runFor(TimeUnit.SECONDS.toNanos(3));

            assertThat(held("/data")).isEqualTo((long) slabs * SLAB_BYTES);
            assertThat(held("/journal")).isEqualTo((long) slabs * SLAB_BYTES);
            watch.stop();
        }
    }

    private long held(String path) {
        Disk disk = host.disk(path);
        if (!disk.exists(Reserve.NAME)) {
            return 0;
        }
        try (DiskFile reserve = disk.open(Reserve.NAME, Disk.OpenMode.READ_ONLY)) {
            return reserve.size();
        }
    }
}
