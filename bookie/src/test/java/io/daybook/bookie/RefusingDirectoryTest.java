// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.metadata.MetadataStores;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Data directories that refuse writes although they tell of space, as with a quota, of which the space that is told knows nothing. */
final class RefusingDirectoryTest {
    private static final List<String> PATHS = List.of("/data", "/data-b", "/data-c");
    private static final int ENTRIES = 20;

    private final CleanupScene scene = new CleanupScene(72);
    private final SimulatedBookie one = scene.one;

    /** The host, on whose disks of these paths no log finds space. */
    private static Host refusingLogs(Host host, List<String> paths) {
        return overridden(Host.class, host, (method, arguments, result) -> {
            boolean refuses = method.equals("disk") && paths.contains(String.valueOf(arguments[0]));
            return refuses ? overridden(Disk.class, (Disk) result, RefusingDirectoryTest::refuseLog) : result;
        });
    }

    private static Object refuseLog(String method, Object[] arguments, Object result) {
        boolean isNewLog = method.equals("open")
                && arguments[1] == Disk.OpenMode.CREATE_NEW
                && EntryLogFormat.logId(String.valueOf(arguments[0])) != EntryLogFormat.NO_LOG;
        if (isNewLog) {
            ((DiskFile) result).close();
            throw new DiskException(DiskException.Kind.FULL, "the quota is used up", null);
        }
        return result;
    }

    /** What becomes of the result of a call. */
    @FunctionalInterface
    private interface Outcome {
        Object of(String method, Object[] arguments, Object result);
    }

    private static <T> T overridden(Class<T> type, T original, Outcome outcome) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    try {
                        return outcome.of(method.getName(), arguments, method.invoke(original, arguments));
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }

    private CompletableFuture<Bookie> startWith(List<String> refusing) {
        MetadataStores stores = one.stores();
        CompletableFuture<Bookie> starting =
                Bookie.start(one.config, refusingLogs(one.machine.host(), refusing), stores);
        one.until(starting::isDone);
        return starting;
    }

    // S-17, S-18 (a): the directory with most space refuses what compaction writes, round after round.
    @Test
    void compactionGoesOnInAnotherDirectory() {
        one.config = one.config.withDirectories(List.of(SimulatedBookie.JOURNAL), PATHS);
        one.format();
        List<String> refusing = PATHS.subList(0, 2);
        Bookie bookie = startWith(refusing).join();
        scene.createLedgers(5, 6);
        scene.fill(5, 3 * ENTRIES);
        scene.fill(6, 3 * ENTRIES);
        scene.recycleTheJournal();
        scene.metadata().delete(6).join();
        round(bookie, false);
        one.world.runFor(CleanupScene.GRACE_NANOS);

        CleanupReport report = round(bookie, true);

        assertThat(report.lastFailure()).isEmpty();
        assertThat(report.logsRemoved()).isPositive();
        assertThat(report.bytesCopied()).isPositive();
        refusing.forEach(path -> assertThat(one.machine.host().disk(path).list(""))
                .as(path)
                .noneMatch(name -> EntryLogFormat.logId(name) != EntryLogFormat.NO_LOG));
        scene.assertHeld(5, 3 * ENTRIES);
    }

    private CleanupReport round(Bookie bookie, boolean major) {
        CompletableFuture<CleanupReport> round = bookie.cleanUp(major);
        one.until(round::isDone);
        return round.join();
    }

    // S-18 (a), B14
    @Test
    void startGoesOnInAnotherDirectory() {
        one.config = one.config.withDirectories(List.of(SimulatedBookie.JOURNAL), PATHS);
        scene.start();
        scene.createLedgers(5);
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < ENTRIES; i++) {
            writer.add(5, i, CleanupScene.payload(5, i));
        }
        one.until(() -> writer.acknowledged() == ENTRIES);
        one.crash(CrashMode.LOSE_ALL);

        StartTest.assertRefusal(startWith(PATHS), ExitCode.DISK, "the quota is used up");
        one.endSession();

        for (String sound : PATHS) {
            List<String> refusing =
                    PATHS.stream().filter(path -> !path.equals(sound)).toList();
            assertThat(startWith(refusing)).as(sound).isCompleted();
            scene.assertHeld(5, ENTRIES);
            one.crash(CrashMode.LOSE_ALL);
        }
    }
}
