// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.Quorums;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic of write sets, for every triple of quorums up to five. */
final class WriteSetsTest {
    static Stream<Quorums> allUpToFive() {
        List<Quorums> all = new ArrayList<>();
        for (int size = 1; size <= 5; size++) {
            for (int write = 1; write <= size; write++) {
                for (int ack = 1; ack <= write; ack++) {
                    all.add(new Quorums(size, write, ack));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("allUpToFive")
    void everyEntryHasAsManySlotsAsTheWriteQuorum(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        for (long entry = 0; entry < 20; entry++) {
            assertThat(Integer.bitCount(writeSets.slotsOf(entry))).isEqualTo(quorums.writeQuorum());
            for (int i = 0; i < quorums.writeQuorum(); i++) {
                int slot = writeSets.slotAt(entry, i);
                assertThat(slot).isEqualTo((int) ((entry + i) % quorums.ensembleSize()));
                assertThat(writeSets.holds(slot, entry)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 1, 1L << 31, (1L << 53) + 1, Long.MAX_VALUE - 10})
    void hugeIdsAreStripedLikeSmallOnes(long entry) { // P-60
        WriteSets writeSets = new WriteSets(new Quorums(5, 3, 2));
        long small = entry % 5;

        assertThat(writeSets.slotsOf(entry)).isEqualTo(writeSets.slotsOf(small));
        assertThat(writeSets.slotAt(entry, 2)).isEqualTo(writeSets.slotAt(small, 2));
    }

    @ParameterizedTest
    @MethodSource("allUpToFive")
    void aRunIsWhatOneSlotKeepsWithoutAGap(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        if (quorums.ensembleSize() == quorums.writeQuorum()) {
            assertThat(writeSets.runOf(0, 7)).isGreaterThan(1L << 40);
            return;
        }
        for (int slot = 0; slot < quorums.ensembleSize(); slot++) {
            for (long entry = 0; entry < 10; entry++) {
                long run = writeSets.runOf(slot, entry);
                for (long id = entry; id < entry + run; id++) {
                    assertThat(writeSets.holds(slot, id)).isTrue();
                }
                assertThat(writeSets.holds(slot, entry + run)).isFalse();
            }
        }
    }

    /** S-09, P-04: whatever bookies are fenced, coverage holds if and only if no entry can reach an ack quorum on the others. */
    @ParameterizedTest
    @MethodSource("allUpToFive")
    void coverageMeansThatNoEntryCanBeAcknowledgedByTheRest(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        int all = (1 << quorums.ensembleSize()) - 1;
        for (int fenced = 0; fenced <= all; fenced++) {
            boolean someEntryCanBeAcked = false;
            for (long entry = 0; entry < quorums.ensembleSize(); entry++) {
                someEntryCanBeAcked |= writeSets.isAckQuorum(entry, all & ~fenced);
            }
            assertThat(writeSets.coversEveryWriteSet(fenced)).isEqualTo(!someEntryCanBeAcked);
        }
    }

    @Test
    void acksOutsideTheWriteSetDoNotCount() {
        WriteSets writeSets = new WriteSets(new Quorums(5, 2, 2));

        assertThat(writeSets.isAckQuorum(0, 0b11100)).isFalse();
        assertThat(writeSets.isAckQuorum(0, 0b00011)).isTrue();
    }
}
