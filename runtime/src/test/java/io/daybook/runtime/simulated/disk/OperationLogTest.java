// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Disk;
import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Crash-point enumeration on the classic atomic replace: it must leave the old or the new content, and without its syncs it must not. */
final class OperationLogTest {
    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedMachine machine = world.machine("a");
    private final DiskDrive drive = machine.drive("/data");
    private final Disk disk = machine.start().disk("/data");

    private void write(String path, String content, boolean synced) {
        try (DiskFile file = disk.open(path, OpenMode.CREATE_NEW)) {
            file.write(0, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
            if (synced) {
                file.sync();
            }
        }
    }

    private OperationLog replace(boolean synced) {
        disk.createDirectories("d");
        write("d/mark", "old", true);
        disk.syncDirectory("d");
        OperationLog log = drive.recordOperations();
        write("d/mark.new", "new", synced);
        disk.rename("d/mark.new", "d/mark");
        disk.syncDirectory("d");
        return log;
    }

    private static Set<String> contents(OperationLog log) {
        Set<String> contents = new TreeSet<>();
        for (int prefix = 0; prefix <= log.operations().size(); prefix++) {
            for (Survivors survivors :
                    Survivors.variantsOf(log.imageAfter(prefix).unsyncedCount())) {
                byte[] mark = log.imageAfter(prefix, survivors).durableBytes("d/mark");
                contents.add(new String(mark, StandardCharsets.UTF_8));
            }
        }
        return contents;
    }

    @Test
    void everyCrashPointOfASyncedReplaceLeavesTheOldOrTheNewContent() {
        assertThat(contents(replace(true))).containsExactlyInAnyOrder("old", "new");
    }

    @Test
    void replaceWithoutSyncMayLeaveNothingOrZeros() {
        assertThat(contents(replace(false))).containsExactlyInAnyOrder("old", "new", "", "\0\0\0");
    }

    @Test
    void logNamesTheOperationsAndRebuildsThePresentDisk() {
        OperationLog log = replace(true);

        assertThat(log.operations())
                .extracting(operation -> operation.getClass().getSimpleName())
                .containsExactly("Create", "Write", "Persist", "Rename", "SyncDirectory");
        DiskImage last = log.imageAfter(log.operations().size());
        assertThat(last.list("d")).isEqualTo(drive.image().list("d"));
        assertThat(last.durableBytes("d/mark")).isEqualTo(drive.image().durableBytes("d/mark"));
        assertThat(last.unsyncedCount()).isZero();
    }

    @Test
    void prefixOfTheLogIsNotChangedByWhatComesLater() {
        OperationLog log = replace(true);
        int before = log.operations().size();
        disk.delete("d/mark");

        assertThat(log.operations()).hasSize(before + 1);
        assertThat(log.imageAfter(before).list("d")).containsExactly("mark");
        assertThat(log.imageAfter(before + 1, Survivors.all()).list("d")).isEmpty();
        assertThat(log.imageAfter(before + 1, Survivors.none()).list("d")).containsExactly("mark");
    }

    @Test
    void imageOfACrashPointCanBePutIntoAnotherMachine() {
        OperationLog log = replace(true);
        SimulatedMachine other = world.machine("b");
        other.drive("/data").replace(log.imageAfter(2, Survivors.all()));

        assertThat(other.start().disk("/data").list("d")).containsExactly("mark", "mark.new");
    }

    @Test
    void variantsAreAllNoneEachMissingEachAloneAndTheNewestTorn() {
        assertThat(Survivors.variantsOf(3))
                .extracting(Survivors::toString)
                .containsExactly(
                        "none",
                        "all",
                        "last torn",
                        "all but 0",
                        "only 0",
                        "all but 1",
                        "only 1",
                        "all but 2",
                        "only 2");
        assertThat(Survivors.variantsOf(0)).hasSize(1);
    }
}
