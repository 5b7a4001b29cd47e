// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S-09: real recoveries from every combination of what each bookie has stored and of which bookies answer. The end that is chosen is compared with what
 * can have been acknowledged, counted by hand.
 */
final class RecoveryEndTest {
    static Stream<Quorums> allWithoutStriping() {
        return IntStream.rangeClosed(1, 5)
                .boxed()
                .flatMap(size -> IntStream.rangeClosed(1, size).mapToObj(ack -> new Quorums(size, size, ack)));
    }

    /** The last entry that a bookie has stored, with all before it that it keeps, and whether it answers. */
    private record Stored(int lastEntryId, boolean answers) {}

    private static List<Stored> kinds(int... lastEntryIds) {
        return IntStream.of(lastEntryIds)
                .boxed()
                .flatMap(last -> Stream.of(new Stored(last, true), new Stored(last, false)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("allWithoutStriping")
    void theEndIsNeverBelowAnAcknowledgedEntryAndAlwaysReached(Quorums quorums) { // P-16, S-01, S-09
        List<Stored> kinds = quorums.ensembleSize() > 3 ? kinds(-1, 0, 1) : kinds(-1, 0, 1, 2);

        // Without striping all bookies are alike: their order makes no difference.
        combine(kinds, quorums.ensembleSize(), true, stored -> new Case(quorums, stored, 0).check(true));
    }

    @ParameterizedTest
    @MethodSource("allWithoutStriping")
    void withoutSpareBookiesRecoveryEndsOrSaysThatBookiesAreMissing(Quorums quorums) { // P-14, S-09
        if (quorums.ensembleSize() <= 3) {
            combine(kinds(-1, 0, 1), quorums.ensembleSize(), true, stored -> new Case(quorums, stored, 0).check(false));
        } else {
            List<Stored> few = List.of(new Stored(-1, true), new Stored(1, true), new Stored(1, false));
            combine(few, quorums.ensembleSize(), true, stored -> new Case(quorums, stored, 0).check(false));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theEndOfAStripedLedgerIsNeverBelowAnAcknowledgedEntry(int ackQuorum) { // S-09
        Quorums quorums = new Quorums(3, 2, ackQuorum);

        combine(kinds(-1, 1, 2), 3, false, stored -> new Case(quorums, stored, 0).check(true));
    }

    /** P-60, P-02: the last fragment begins around a border of the numbers. */
    @ParameterizedTest
    @MethodSource("hugeIds")
    void recoveryWorksAtHugeEntryIds(long firstEntryId) {
        for (Quorums quorums : List.of(new Quorums(3, 3, 2), new Quorums(5, 3, 2))) {
            List<Stored> stored = new ArrayList<>();
            for (int slot = 0; slot < quorums.ensembleSize(); slot++) {
                stored.add(new Stored(4 + slot % 2, true));
            }
            new Case(quorums, stored, firstEntryId).check(true);
        }
    }

    static LongStream hugeIds() {
        return LongStream.of(1L << 31, 1L << 32, 1L << 53, 1L << 60)
                .flatMap(border -> LongStream.of(border - 2, border));
    }

    private static void combine(List<Stored> kinds, int count, boolean anyOrder, Consumer<List<Stored>> each) {
        combine(kinds, new ArrayList<>(), anyOrder ? 0 : -1, count, each);
    }

    /** Calls {@code each} with every choice of {@code left} more kinds, from number {@code from} on when the order makes no difference. */
    private static void combine(
            List<Stored> kinds, List<Stored> chosen, int from, int left, Consumer<List<Stored>> each) {
        if (left == 0) {
            each.accept(List.copyOf(chosen));
            return;
        }
        for (int i = Math.max(0, from); i < kinds.size(); i++) {
            chosen.add(kinds.get(i));
            combine(kinds, chosen, from < 0 ? from : i, left - 1, each);
            chosen.remove(chosen.size() - 1);
        }
    }

    /** One ledger in one state, whose last fragment begins at {@code origin}. */
    private static final class Case {
        private final Quorums quorums;
        private final WriteSets writeSets;
        private final List<Stored> stored;
        private final long origin;
        private final long acknowledged;
        private final StoredLedger ledger;

        Case(Quorums quorums, List<Stored> stored, long origin) {
            this.quorums = quorums;
            this.writeSets = new WriteSets(quorums);
            this.stored = stored;
            this.origin = origin;
            long last = origin - 1;
            while (Integer.bitCount(holders(last + 1)) >= quorums.ackQuorum()) {
                last++;
            }
            this.acknowledged = last;
            this.ledger = new StoredLedger(quorums, origin);
        }

        /** The slots that hold the entry. */
        private int holders(long entryId) {
            int slots = 0;
            for (int slot = 0; slot < stored.size(); slot++) {
                boolean holds = entryId - origin <= stored.get(slot).lastEntryId && writeSets.holds(slot, entryId);
                slots |= holds ? 1 << slot : 0;
            }
            return slots;
        }

        void check(boolean withSpares) {
            int answering = 0;
            for (int slot = 0; slot < stored.size(); slot++) {
                for (long id = origin; id <= origin + stored.get(slot).lastEntryId; id++) {
                    if (writeSets.holds(slot, id)) {
                        ledger.store(slot, id, Math.min(id - 1, acknowledged));
                    }
                }
                if (stored.get(slot).answers) {
                    answering |= 1 << slot;
                    ledger.startMember(slot);
                }
            }
            if (withSpares) {
                ledger.startSpares(quorums.ensembleSize());
            }

            CompletableFuture<LedgerReader> recovery = ledger.recover("first");
            boolean isCovered = writeSets.coversEveryWriteSet(answering);
            if (recovery.isCompletedExceptionally()) {
                assertThat(isCovered && withSpares).as(describe()).isFalse();
                assertThat(Failures.rootOf(
                                recovery.handle((reader, failure) -> failure).join()))
                        .as(describe())
                        .isInstanceOf(LedgerException.NotEnoughBookies.class);
                assertThat(ledger.metadata().state()).as(describe()).isEqualTo(LedgerState.IN_RECOVERY);
                startTheOthers(answering);
                recovery = ledger.recover("second");
            } else {
                assertThat(isCovered).as(describe()).isTrue();
            }
            checkEnd(recovery.join().lastAddConfirmed());
        }

        private void startTheOthers(int answering) {
            for (int slot = 0; slot < stored.size(); slot++) {
                if ((answering & (1 << slot)) == 0) {
                    ledger.startMember(slot);
                }
            }
        }

        private void checkEnd(long end) {
            assertThat(end).as(describe()).isGreaterThanOrEqualTo(acknowledged);
            LedgerMetadata closed = ledger.metadata();
            assertThat(closed.state()).isEqualTo(LedgerState.CLOSED);
            assertThat(closed.lastEntryId()).isEqualTo(end);
            assertThat(closed.lengthBytes()).as(describe()).isEqualTo(ledger.lengthAt(end));
            for (long id = origin; id <= end; id++) {
                assertThat(holders(id)).as("invented: %s", describe()).isNotZero();
                assertThat(ledger.copies(closed, id))
                        .as("copies of %d, %s", id, describe())
                        .isGreaterThanOrEqualTo(quorums.ackQuorum());
            }
            assertThat(ledger.recover("last").join().lastAddConfirmed()).isEqualTo(end);
        }

        private String describe() {
            return quorums + " " + stored;
        }
    }
}
