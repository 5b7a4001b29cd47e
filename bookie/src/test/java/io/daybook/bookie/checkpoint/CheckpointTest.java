// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.bookie.LogLines;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.Invariants.InvariantViolation;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The mark: it only rises, and a crash at any point leaves an old or the new one (S-24, D13). */
final class CheckpointTest {
    private static final BookieId BOOKIE = new BookieId(1, 2);

    private static final int MARK_BYTES = 52;
    private static final int CAPACITY = 1024 * 1024;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedMachine machine = world.machine("bookie");

    private List<Disk> disks() {
        return disks("/data", "/data-b", "/journal");
    }

    private List<Disk> disks(String... paths) {
        return Stream.of(paths).map(machine.host()::disk).toList();
    }

    private void limit(String path, long bytes) {
        machine.drive(path).quality(DiskQuality.SOLID_STATE.withCapacity(bytes));
    }

    private Mark read() {
        return Objects.requireNonNull(Checkpoint.read(disks(), BOOKIE, JournalCount.ONE))
                .mark(0);
    }

    // P-110
    @Test
    void theMarkNeverGoesBack() {
        machine.start();
        Checkpoint.format(disks(), BOOKIE, JournalCount.ONE);
        Checkpoint checkpoint = Objects.requireNonNull(Checkpoint.read(disks(), BOOKIE, JournalCount.ONE));
        checkpoint.advance(0, new Mark(5, 100, 4, 3));

        assertThatThrownBy(() -> checkpoint.advance(0, new Mark(5, 100, 4, 3))).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> checkpoint.advance(0, new Mark(6, 99, 4, 3))).isInstanceOf(InvariantViolation.class);
        assertThat(read()).isEqualTo(new Mark(5, 100, 4, 3));
    }

    // P-112
    @Test
    void aCrashAtAnyDiskOperationLeavesAMarkThatWasWritten() {
        for (CrashMode mode : CrashMode.values()) {
            boolean crashed = true;
            for (int nth = 1; crashed; nth++) {
                List.of("/data", "/data-b", "/journal").forEach(machine::wipe);
                limit("/data-b", CAPACITY);
                machine.restart();
                Checkpoint.format(disks(), BOOKIE, JournalCount.ONE);
                Checkpoint checkpoint = Objects.requireNonNull(Checkpoint.read(disks(), BOOKIE, JournalCount.ONE));
                checkpoint.advance(0, new Mark(2, 10, 1, 3));
                limit("/data-b", mode == CrashMode.LOSE_ALL ? MARK_BYTES : CAPACITY);
                crashed = crashes(checkpoint, nth);
                machine.crash(mode);
                machine.start();
                assertThat(read()).isIn(new Mark(2, 10, 1, 3), new Mark(3, 20, 2, 3));
                assertThat(crashed || read().incarnation() == 3).isTrue();
            }
        }
    }

    private boolean crashes(Checkpoint checkpoint, int nth) {
        boolean[] done = new boolean[1];
        machine.crashAtDiskOperation(nth, nth % 2 == 0);
        machine.host()
                .newLoop("storage", io.daybook.runtime.Host.LoopKind.STORAGE)
                .execute(() -> {
                    checkpoint.advance(0, new Mark(3, 20, 2, 3));
                    done[0] = true;
                });
        world.runFor(1_000_000_000);
        return !done[0];
    }

    // P-113; S-18 (a), B7
    @Test
    void dataDirectoryWithoutSpaceKeepsNoCopyThatSaysLessThanTheOthers() {
        machine.start();
        Checkpoint.format(disks(), BOOKIE, JournalCount.ONE);
        Checkpoint checkpoint = Objects.requireNonNull(Checkpoint.read(disks(), BOOKIE, JournalCount.ONE));
        limit("/data-b", MARK_BYTES);

        checkpoint.advance(0, new Mark(2, 10, 1, 3));

        assertThat(Checkpoint.read(disks("/data-b"), BOOKIE, JournalCount.ONE)).isNull();
        assertThat(machine.host().disk("/data-b").list("")).isEmpty();
        for (String path : List.of("/data", "/journal")) {
            assertThat(Objects.requireNonNull(Checkpoint.read(disks(path), BOOKIE, JournalCount.ONE))
                            .mark(0))
                    .isEqualTo(new Mark(2, 10, 1, 3));
        }
        limit("/data-b", CAPACITY);
        checkpoint.advance(0, new Mark(3, 20, 2, 3));
        assertThat(Objects.requireNonNull(Checkpoint.read(disks("/data-b"), BOOKIE, JournalCount.ONE))
                        .mark(0))
                .isEqualTo(new Mark(3, 20, 2, 3));
    }

    // S-26, B7
    @Test
    void withoutSpaceInAnyDataDirectoryTheMarkStaysWhereItIs() {
        machine.start();
        Checkpoint.format(disks(), BOOKIE, JournalCount.ONE);
        Checkpoint checkpoint = Objects.requireNonNull(Checkpoint.read(disks(), BOOKIE, JournalCount.ONE));
        checkpoint.advance(0, new Mark(2, 10, 1, 3));
        limit("/data", MARK_BYTES);
        limit("/data-b", MARK_BYTES);

        assertThatThrownBy(() -> checkpoint.advance(0, new Mark(3, 20, 2, 3)))
                .isInstanceOfSatisfying(
                        DiskException.class, full -> assertThat(full.kind()).isEqualTo(DiskException.Kind.FULL));

        assertThat(checkpoint.mark(0)).isEqualTo(new Mark(2, 10, 1, 3));
        for (String path : List.of("/data", "/data-b", "/journal")) {
            assertThat(Objects.requireNonNull(Checkpoint.read(disks(path), BOOKIE, JournalCount.ONE))
                            .mark(0))
                    .isEqualTo(new Mark(2, 10, 1, 3));
        }
    }

    @Test
    void whetherAnotherCopyCountsIsTold() {
        machine.start();
        Checkpoint.format(disks(), BOOKIE, JournalCount.ONE);
        try (LogLines lines = new LogLines()) {
            machine.drive("/data").corrupt("checkpoint", 20, 1);
            read();
            lines.assertSaid("one", "bookie:/data file=checkpoint state=DAMAGED another copy counts");
        }

        machine.drive("/data-b").corrupt("checkpoint", 20, 1);
        machine.drive("/journal").corrupt("checkpoint", 20, 1);
        try (LogLines lines = new LogLines()) {
            assertThat(Checkpoint.read(disks(), BOOKIE, JournalCount.ONE)).isNull();
            assertThat(lines.all())
                    .hasSize(3)
                    .allSatisfy(line -> assertThat(line).contains("no other copy can be used"));
        }
    }

    @Test
    void theMarkOfAnotherBookieIsNotRead() {
        machine.start();
        Checkpoint.format(disks(), new BookieId(8, 8), JournalCount.ONE);

        assertThat(Checkpoint.read(disks(), BOOKIE, JournalCount.ONE)).isNull();
    }
}
