// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.quorum.EntryVerdict.Kind;
import io.daybook.metadata.model.Quorums;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is concluded of an entry, from every combination of answers. */
final class EntryVerdictTest {
    private static final int HOLDS = 0;
    private static final int DENIES = 1;
    private static final int UNKNOWN = 2;
    private static final int SILENT = 3;

    /** S-09, D3: for every way in which the members can hold, deny, not know and be silent. */
    @ParameterizedTest
    @MethodSource("io.daybook.ledger.quorum.WriteSetsTest#allUpToSeven")
    void absenceIsConcludedOnlyWhenNoAckQuorumCanHoldTheEntry(Quorums quorums) {
        int copies = quorums.writeQuorum();
        int ways = 1 << (2 * copies);
        for (int way = 0; way < ways; way++) {
            EntryVerdict verdict = new EntryVerdict((1 << copies) - 1, quorums.cover());
            int[] counts = new int[4];
            for (int slot = 0; slot < copies; slot++) {
                int answer = (way >> (2 * slot)) & 3;
                counts[answer]++;
                answer(verdict, slot, answer);
            }

            boolean mayBeAcked = copies - counts[DENIES] >= quorums.ackQuorum();
            Kind expected;
            if (counts[HOLDS] > 0) {
                expected = Kind.PRESENT;
            } else if (!mayBeAcked) {
                expected = Kind.ABSENT;
            } else {
                expected = counts[SILENT] == 0 ? Kind.UNDECIDABLE : Kind.OPEN;
            }
            assertThat(verdict.kind()).isEqualTo(expected);
        }
    }

    private static void answer(EntryVerdict verdict, int slot, int answer) {
        switch (answer) {
            case HOLDS -> verdict.holds(slot);
            case DENIES -> verdict.denies(slot);
            case UNKNOWN -> verdict.knowsNothing(slot);
            default -> {}
        }
    }

    @Test
    void thoseThatDidNotKnowAreAskedAgain() {
        EntryVerdict verdict = new EntryVerdict(0b111, 2);
        verdict.denies(0);
        verdict.knowsNothing(1);
        verdict.knowsNothing(2);
        assertThat(verdict.kind()).isEqualTo(Kind.UNDECIDABLE);

        assertThat(verdict.askAgain()).isEqualTo(0b110);

        assertThat(verdict.kind()).isEqualTo(Kind.OPEN);
        verdict.denies(2);
        assertThat(verdict.kind()).isEqualTo(Kind.ABSENT);
    }

    @Test
    void aSlotOutsideTheWriteSetIsRefused() {
        EntryVerdict verdict = new EntryVerdict(0b011, 1);

        assertThatThrownBy(() -> verdict.denies(2)).isInstanceOf(IllegalArgumentException.class);
    }
}
