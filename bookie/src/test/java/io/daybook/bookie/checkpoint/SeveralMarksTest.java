// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.Invariants.InvariantViolation;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The marks of several journals are a vector, and what belongs to which journal never changes (S-19, D13). */
final class SeveralMarksTest {
    private static final BookieId BOOKIE = new BookieId(1, 2);
    private static final JournalCount TWO = new JournalCount(2);

    private final SimulatedMachine machine = new SimulatedWorld(1).machine("bookie");

    @BeforeEach
    void format() {
        machine.start();
        Checkpoint.format(disks("/data", "/journal", "/journal-b"), BOOKIE, TWO);
    }

    private List<Disk> disks(String... paths) {
        return Stream.of(paths).map(machine.host()::disk).toList();
    }

    private static Checkpoint read(List<Disk> disks) {
        return Objects.requireNonNull(Checkpoint.read(disks, BOOKIE, TWO));
    }

    @Test
    void copyThatSaysMoreOfAnyJournalCounts() {
        read(disks("/data")).advance(1, new Mark(7, 40, 5, 3));

        assertThat(read(disks("/journal", "/data", "/journal-b")).marks())
                .containsExactly(new Mark(2, 1, 0, 0), new Mark(7, 40, 5, 3));
        assertThat(read(disks("/data", "/journal", "/journal-b")).marks())
                .containsExactly(new Mark(2, 1, 0, 0), new Mark(7, 40, 5, 3));
    }

    // Taking the furthest of each would be a mark that no bookie wrote.
    @Test
    void copiesOfWhichEachSaysMoreOfAnotherJournalAreNotJoined() {
        read(disks("/data")).advance(1, new Mark(7, 40, 5, 3));
        read(disks("/journal")).advance(0, new Mark(4, 30, 2, 3));

        assertThat(Checkpoint.read(disks("/data", "/journal", "/journal-b"), BOOKIE, TWO))
                .isNull();
    }

    @Test
    void markIsRaisedOnlyByItsOwnJournal() {
        Checkpoint checkpoint = read(disks("/data"));

        assertThatThrownBy(() -> checkpoint.advance(0, new Mark(7, 40, 5, 3))).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> checkpoint.advanceAll(List.of(new Mark(4, 2, 2, 3), new Mark(1, 1, 0, 0))))
                .isInstanceOf(InvariantViolation.class);
        assertThat(read(disks("/data")).marks()).containsExactly(new Mark(2, 1, 0, 0), new Mark(1, 1, 0, 0));
    }

    // Another mix would take up what is said of a ledger in another journal than the one that holds what was said
    // before.
    @Test
    void ledgersBelongToTheJournalsThatTheyAlwaysBelongedTo() {
        long[] ledgers = {0, 1, 2, 3, 4, 5, 6, 7, 1000, 1L << 48 | 1, Long.MAX_VALUE};

        assertThat(LongStream.of(ledgers).mapToInt(TWO::ofLedger)).containsExactly(0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0);
        assertThat(LongStream.of(ledgers).mapToInt(new JournalCount(3)::ofLedger))
                .containsExactly(0, 2, 0, 2, 2, 1, 0, 1, 0, 0, 1);
        assertThat(LongStream.of(ledgers).mapToInt(JournalCount.ONE::ofLedger)).containsOnly(0);
    }
}
