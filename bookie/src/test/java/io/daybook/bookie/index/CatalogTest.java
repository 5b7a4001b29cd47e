// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.bookie.LogLines;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskFaults;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which logs count, in two copies (B12). */
final class CatalogTest {
    private static final BookieId BOOKIE = new BookieId(1, 2);

    private final SimulatedMachine machine = new SimulatedWorld(1).machine("bookie");

    private List<Disk> disks() {
        if (!machine.isRunning()) {
            machine.start();
        }
        return List.of(machine.host().disk("/data"), machine.host().disk("/journal"));
    }

    private Catalog read() {
        return Catalog.read(disks(), BOOKIE, JournalCount.ONE);
    }

    @Test
    void itIsReadAsItWasWritten() {
        assertThat(read().state()).isEqualTo(Catalog.State.ABSENT);
        read().replace(List.of(7), List.of(3, 7, Integer.MIN_VALUE + 1), false);

        Catalog again = read();

        assertThat(again.state()).isEqualTo(Catalog.State.READ);
        assertThat(again.newestFlushed()).containsExactly(7);
        assertThat(again.logIds()).containsExactly(3, 7, Integer.MIN_VALUE + 1);
        assertThat(again.isIncomplete()).isFalse();
    }

    @Test
    void whetherAnotherCopyCountsIsTold() {
        read().replace(List.of(7), List.of(3), false);
        try (LogLines lines = new LogLines()) {
            machine.drive("/data").corrupt(Catalog.NAME, 20, 1);
            read();
            lines.assertSaid("one", "bookie:/data file=catalog state=DAMAGED another copy counts");
        }

        machine.drive("/journal").corrupt(Catalog.NAME, 20, 1);
        try (LogLines lines = new LogLines()) {
            assertThat(read().state()).isEqualTo(Catalog.State.DAMAGED);
            assertThat(lines.all())
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains("no other copy can be used"));
        }
    }

    @Test
    void thatLogsWereLostIsNotForgotten() {
        read().replace(List.of(7), List.of(3), true);
        read().replace(List.of(8), List.of(3, 8), false);

        assertThat(read().isIncomplete()).isTrue();
    }

    @Test
    void theCatalogOfAnotherBookieIsNotTakenForThisOnes() {
        read().replace(List.of(7), List.of(3), false);

        assertThat(Catalog.read(disks(), new BookieId(1, 3), JournalCount.ONE).state())
                .isEqualTo(Catalog.State.DAMAGED);
    }

    // B6: one that is written and cannot be read again would count as damaged for ever.
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void itHoldsAsManyLogsAsCanBeReadAgain(int journals) {
        JournalCount count = new JournalCount(journals);
        List<Integer> newest = Collections.nCopies(journals, 7);
        int logsMax = Catalog.NUMBERS_MAX - (journals == 1 ? 0 : journals);
        List<Integer> logs = IntStream.rangeClosed(1, logsMax).boxed().toList();
        Catalog.read(disks(), BOOKIE, count).replace(newest, logs, false);

        Catalog again = Catalog.read(disks(), BOOKIE, count);

        assertThat(again.state()).isEqualTo(Catalog.State.READ);
        assertThat(again.logIds()).hasSize(logsMax);
        List<Integer> more = IntStream.rangeClosed(1, logsMax + 1).boxed().toList();
        assertThatThrownBy(() -> again.replace(newest, more, false)).hasMessageContaining("more than " + logsMax);
    }

    // A replacement that stopped half way took effect: the copies must agree before anything is removed.
    @Test
    void copiesThatDifferAreMadeToAgree() {
        read().replace(List.of(7), List.of(3), false);
        machine.drive("/journal").faults().failOnce(DiskFaults.Call.SYNC, Catalog.NAME);
        assertThatThrownBy(() -> read().replace(List.of(8), List.of(8), false)).isInstanceOf(DiskException.class);
        machine.crash(CrashMode.LOSE_ALL);

        read().agree();
        machine.drive("/data").corrupt(Catalog.NAME, 20, 1);

        assertThat(read().logIds()).containsExactly(8);
    }

    @Test
    void aReplacementThatFailedIsOvertakenByTheNextOne() {
        Catalog catalog = read();
        catalog.replace(List.of(7), List.of(3), false);
        machine.drive("/journal").faults().failOnce(DiskFaults.Call.SYNC, Catalog.NAME);
        assertThatThrownBy(() -> catalog.replace(List.of(8), List.of(8), false)).isInstanceOf(DiskException.class);

        catalog.replace(List.of(9), List.of(9), false);

        machine.crash(CrashMode.LOSE_ALL);
        assertThat(read().logIds()).containsExactly(9);
    }
}
