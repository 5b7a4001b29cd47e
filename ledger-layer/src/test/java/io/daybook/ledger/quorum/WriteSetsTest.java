// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.daybook.metadata.model.Quorums;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic of write sets, for every triple of quorums up to seven and ids up to the largest. */
final class WriteSetsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void entriesOfASlotAreCountedAsIfOneByOne(int size) {
        for (int copies = 1; copies <= size; copies++) {
            WriteSets sets = new WriteSets(new Quorums(size, copies, 1));
            for (int slot = 0; slot < size; slot++) {
                checkCounts(sets, slot, size);
            }
        }
    }

    private static void checkCounts(WriteSets sets, int slot, int size) {
        for (long first = 0; first < 2L * size; first++) {
            assertThat(sets.countOf(slot, first, first - 1)).isZero();
            long count = 0;
            for (long last = first; last < first + 3L * size; last++) {
                count += sets.holds(slot, last) ? 1 : 0;
                assertThat(sets.countOf(slot, first, last)).isEqualTo(count);
            }
        }
    }

    static Stream<Quorums> allUpToSeven() {
        List<Quorums> all = new ArrayList<>();
        for (int size = 1; size <= 7; size++) {
            for (int write = 1; write <= size; write++) {
                for (int ack = 1; ack <= write; ack++) {
                    all.add(new Quorums(size, write, ack));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("allUpToSeven")
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

    /** P-60: the slots come from the definition, reckoned with numbers that have no limit. */
    @ParameterizedTest
    @MethodSource("allUpToSeven")
    void hugeIdsAreStripedAsTheDefinitionSays(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        BigInteger size = BigInteger.valueOf(quorums.ensembleSize());
        for (long entry : hugeIds()) {
            int expected = 0;
            for (int i = 0; i < quorums.writeQuorum(); i++) {
                int slot = BigInteger.valueOf(entry)
                        .add(BigInteger.valueOf(i))
                        .mod(size)
                        .intValueExact();
                expected |= 1 << slot;
                assertThat(writeSets.slotAt(entry, i))
                        .as("slot %d of entry %d", i, entry)
                        .isEqualTo(slot);
                assertThat(writeSets.holds(slot, entry)).isTrue();
            }
            assertThat(writeSets.slotsOf(entry)).as("entry %d", entry).isEqualTo(expected);
            assertThat(writeSets.isAckQuorum(entry, expected)).isTrue();
            assertThat(writeSets.isAckQuorum(entry, ~expected)).isFalse();
        }
    }

    /** P-60: a run ends at the largest id there is. */
    @ParameterizedTest
    @MethodSource("allUpToSeven")
    void runsOfHugeIdsNeverPassTheLargestId(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        for (long entry : hugeIds()) {
            for (int slot = 0; slot < quorums.ensembleSize(); slot++) {
                long run = writeSets.runOf(slot, entry);

                assertThat(run).isBetween(0L, Long.MAX_VALUE - entry);
                for (long i = 0; i < Math.min(run, 8); i++) {
                    assertThat(writeSets.holds(slot, entry + i)).isTrue();
                }
                boolean atTheEnd = run == Long.MAX_VALUE - entry;
                assertThat(atTheEnd || !writeSets.holds(slot, entry + run)).isTrue();
            }
        }
    }

    /** Each of the borders at which a narrower number would break, and its surroundings. */
    private static long[] hugeIds() {
        LongStream.Builder ids = LongStream.builder();
        for (long border : new long[] {1L << 31, 1L << 32, 1L << 53, 1L << 62, Long.MAX_VALUE}) {
            for (long id = border - 8; id - border <= 8 && id > 0; id++) {
                ids.add(id);
            }
        }
        return ids.build().toArray();
    }

    /** What was told to any ack quorum is known to one of those that answer, when an ack quorum is a majority; and no loss stops readers that does not stop the writer. */
    @ParameterizedTest
    @MethodSource("allUpToSeven")
    void whoCanTellHowFarALedgerIsConfirmedMissesNothingOrIsAsManyAsTheWriterNeeds(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        boolean isMajority = 2 * quorums.ackQuorum() > quorums.writeQuorum();
        for (int answered = 0; answered < 1 << quorums.ensembleSize(); answered++) {
            boolean writerGoesOn = true;
            boolean missesNothing = true;
            for (int entry = 0; entry < quorums.ensembleSize(); entry++) {
                int members = writeSets.slotsOf(entry);
                writerGoesOn &= Integer.bitCount(members & answered) >= quorums.ackQuorum();
                missesNothing &= Integer.bitCount(members & ~answered) < quorums.ackQuorum();
            }

            assertThat(writeSets.canTellConfirmed(answered)).isEqualTo(isMajority ? missesNothing : writerGoesOn);
            assertThat(!writerGoesOn || writeSets.canTellConfirmed(answered)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("allUpToSeven")
    void aRunIsWhatOneSlotKeepsWithoutAGap(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        if (quorums.ensembleSize() == quorums.writeQuorum()) {
            assertThat(writeSets.runOf(0, 7)).isGreaterThan(1L << 40);
            return;
        }
        for (int slot = 0; slot < quorums.ensembleSize(); slot++) {
            for (long entry = 0; entry < 14; entry++) {
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
    @MethodSource("allUpToSeven")
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

    /** Every set of acknowledgements, also of members outside the write set, for every place where an entry can begin: counted by hand. */
    @ParameterizedTest
    @MethodSource("allUpToSeven")
    void anAckQuorumIsEnoughMembersOfTheWriteSetAndOfNothingElse(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        int size = quorums.ensembleSize();
        for (int acked = 0; acked < 1 << size; acked++) {
            for (int entry = 0; entry < size; entry++) {
                int copies = 0;
                for (int i = 0; i < quorums.writeQuorum(); i++) {
                    copies += (acked >> ((entry + i) % size)) & 1;
                }
                boolean enough = copies >= quorums.ackQuorum();
                if (writeSets.isAckQuorum(entry, acked) != enough) {
                    fail("entry %d of %s with acknowledgements of %s", entry, quorums, Integer.toBinaryString(acked));
                }
            }
        }
    }

    /**
     * S-09: every way in which the members of a write set can hold an entry, and every set of those that answer. What is concluded agrees with who holds
     * it: an entry that may have been acknowledged is never concluded to be absent, one that nobody holds never to be present, and when
     * those that answer cover the write set there is always a conclusion.
     */
    @ParameterizedTest
    @MethodSource("allUpToSeven")
    void theConclusionOfAnEntryAgreesWithWhoHoldsIt(Quorums quorums) { // P-04
        WriteSets writeSets = new WriteSets(quorums);
        for (int entry = 0; entry < quorums.ensembleSize(); entry++) {
            int writeSet = writeSets.slotsOf(entry);
            for (int holders = writeSet; holders >= 0; holders = holders == 0 ? -1 : (holders - 1) & writeSet) {
                for (int answering = writeSet;
                        answering >= 0;
                        answering = answering == 0 ? -1 : (answering - 1) & writeSet) {
                    checkConclusion(quorums, writeSet, holders, answering);
                }
            }
        }
    }

    private static void checkConclusion(Quorums quorums, int writeSet, int holders, int answering) {
        EntryVerdict verdict = new EntryVerdict(writeSet, quorums.cover());
        for (int slot = 0; slot < quorums.ensembleSize(); slot++) {
            if ((answering & (1 << slot)) != 0) {
                if ((holders & (1 << slot)) != 0) {
                    verdict.holds(slot);
                } else {
                    verdict.denies(slot);
                }
            }
        }
        boolean mayBeAcked = Integer.bitCount(holders) >= quorums.ackQuorum();
        boolean isCovered = Integer.bitCount(answering) >= quorums.cover();
        boolean wrong = switch (verdict.kind()) {
            case ABSENT -> mayBeAcked || (holders & answering) != 0;
            case PRESENT -> (holders & answering) == 0;
            case OPEN -> isCovered;
            case UNDECIDABLE -> true;
        };
        if (wrong) {
            fail(
                    "%s: %s is concluded of an entry that %s hold when %s answer",
                    quorums, verdict.kind(), Integer.toBinaryString(holders), Integer.toBinaryString(answering));
        }
    }

    /** S-43: a member can be spared if and only if no entry that it keeps needs it. */
    @ParameterizedTest
    @MethodSource("allUpToSeven")
    void aMemberIsSparedWhenTheOthersMakeAnAckQuorumOfItsEntries(Quorums quorums) {
        WriteSets writeSets = new WriteSets(quorums);
        int size = quorums.ensembleSize();
        for (int slot = 0; slot < size; slot++) {
            for (int others = 0; others < 1 << size; others++) {
                boolean isSpared = true;
                for (long entry = 0; entry < size; entry++) {
                    isSpared &= !writeSets.holds(slot, entry) || writeSets.isAckQuorum(entry, others);
                }
                assertThat(writeSets.canSpare(slot, others)).isEqualTo(isSpared);
            }
        }
    }

    @Test
    void acksOutsideTheWriteSetDoNotCount() {
        WriteSets writeSets = new WriteSets(new Quorums(5, 2, 2));

        assertThat(writeSets.isAckQuorum(0, 0b11100)).isFalse();
        assertThat(writeSets.isAckQuorum(0, 0b00011)).isTrue();
    }
}
