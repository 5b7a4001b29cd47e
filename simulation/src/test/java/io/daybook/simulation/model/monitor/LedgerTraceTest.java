// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps of real ledgers against the model: legal ones pass, and each kind of illegal one is told. */
final class LedgerTraceTest {
    private static final BookieId B0 = new BookieId(0, 10);
    private static final BookieId B1 = new BookieId(0, 11);
    private static final BookieId B2 = new BookieId(0, 12);
    private static final BookieId B3 = new BookieId(0, 13);

    private final List<Violation> violations = new ArrayList<>();
    private final LedgerTrace trace = new LedgerTrace(7, violations::add);
    private LedgerMetadata metadata = new LedgerMetadata(
            7,
            Quorums.DEFAULT,
            DigestType.CRC32C,
            LedgerState.OPEN,
            -1,
            0,
            List.of(new Fragment(0, List.of(B0, B1, B2))),
            Map.of(),
            0,
            WriteToken.NONE);

    LedgerTraceTest() {
        trace.created(metadata);
    }

    private void replace(LedgerMetadata next) {
        LedgerMetadata before = metadata;
        metadata = next;
        trace.replaced(before, next);
    }

    private void acknowledge(long entryId, BookieId... bookies) {
        for (BookieId bookie : bookies) {
            trace.stored(bookie, entryId, 1);
        }
        trace.acknowledged(entryId, false);
    }

    private void beginRecovery() {
        replace(metadata.withRecovery(WriteToken.NONE));
        trace.fenced(B0);
        trace.fenced(B1);
    }

    private void close(long end) {
        replace(metadata.withClosed(end, 0, metadata.fragments(), WriteToken.NONE));
    }

    private void assertBroken(String property) {
        assertThat(violations).isNotEmpty();
        assertThat(violations.get(0).check()).isEqualTo("model-step");
        assertThat(violations.get(0).text()).startsWith(property + ": ");
    }

    @Test
    void aWriterThatChangesItsEnsembleAndClosesTakesLegalSteps() {
        acknowledge(0, B0, B1);
        trace.carried(0);
        replace(metadata.withEnsemble(1, List.of(B3, B1, B2), WriteToken.NONE));
        acknowledge(1, B3, B2);
        close(1);

        assertThat(violations).isEmpty();
    }

    @Test
    void aRecoveryThatKeepsAnUnacknowledgedEntryTakesLegalSteps() {
        acknowledge(0, B0, B1);
        trace.stored(B1, 1, 1);
        beginRecovery();
        trace.copied(B0, 1, 1);
        trace.denied(B0, 2);
        trace.denied(B1, 2);
        close(1);

        assertThat(violations).isEmpty();
    }

    @Test
    void anAckWithTooFewCopiesIsTold() { // L2
        acknowledge(0, B0);

        assertBroken("L2");
    }

    @Test
    void anAckOfALedgerThatWaitsForAllCopiesIsToldWhenOneIsMissing() { // D20
        trace.stored(B0, 0, 1);
        trace.stored(B1, 0, 1);
        trace.acknowledged(0, true);

        assertBroken("L2");
    }

    @Test
    void anAckOfALedgerThatWaitsForAllCopiesIsALegalStepWhenAllAreMade() { // D20
        trace.stored(B0, 0, 1);
        trace.stored(B1, 0, 1);
        trace.stored(B2, 0, 1);
        trace.acknowledged(0, true);

        assertThat(violations).isEmpty();
    }

    @Test
    void anAckOfAllCopiesMayComeWhenARecoveryHasReplacedTheBookieOfOne() { // D20
        trace.stored(B0, 0, 1);
        trace.stored(B1, 0, 1);
        trace.stored(B2, 0, 1);
        beginRecovery();
        trace.denied(B0, 1);
        trace.denied(B1, 1);
        LedgerMetadata replaced = metadata.withEnsemble(0, List.of(B0, B1, B3), WriteToken.NONE);
        replace(metadata.withClosed(0, 0, replaced.fragments(), WriteToken.NONE));
        trace.acknowledged(0, true);

        assertThat(violations).isEmpty();
    }

    @Test
    void anAckThatCountsAMemberThatMetadataDoesNotNameIsTold() { // D7, D8
        trace.stored(B0, 0, 1);
        trace.stored(B1, 0, 1);
        replace(metadata.withEnsemble(0, List.of(B3, B1, B2), WriteToken.NONE));
        trace.acknowledged(0, false);

        assertBroken("L2");
    }

    @Test
    void anEnsembleChangeBelowWhatIsAcknowledgedIsTold() { // L9
        acknowledge(0, B0, B1);
        replace(metadata.withEnsemble(0, List.of(B0, B1, B3), WriteToken.NONE));

        assertBroken("L9");
    }

    @Test
    void aClosedEndBelowWhatIsAcknowledgedIsTold() { // L3
        acknowledge(0, B0, B1);
        beginRecovery();
        trace.denied(B0, 0);
        trace.denied(B1, 0);
        violations.clear();
        close(-1);

        assertBroken("L3");
    }

    @Test
    void anAckAfterTheLedgerWasClosedWithoutTheEntryIsTold() { // L3
        beginRecovery();
        trace.denied(B0, 0);
        trace.denied(B1, 0);
        close(-1);
        trace.stored(B2, 0, 1);
        trace.acknowledged(0, false);

        assertBroken("L3");
    }

    @Test
    void anEndOfTooFewDenialsIsTold() { // D3, L5
        beginRecovery();
        trace.denied(B0, 0);
        close(-1);
        assertBroken("L5");
    }

    @Test
    void anEndOfTooFewFencesIsTold() { // L5
        replace(metadata.withRecovery(WriteToken.NONE));
        trace.fenced(B0);
        trace.denied(B0, 0);
        trace.denied(B1, 0);
        close(-1);

        assertBroken("L5");
    }

    @Test
    void anEndWhoseEntriesLackCopiesIsTold() { // D4, L2
        trace.stored(B1, 0, 1);
        beginRecovery();
        trace.denied(B0, 1);
        trace.denied(B2, 1);
        close(0);

        assertBroken("L2");
    }

    @Test
    void aNormalAddAfterADenialIsTold() { // D1, D9, L6
        beginRecovery();
        trace.denied(B1, 3);
        trace.stored(B1, 2, 3);

        assertBroken("L6");
    }

    @Test
    void aBookieThatDeniesWhatItAnsweredForIsTold() { // D9, B6
        trace.stored(B1, 3, 1);
        trace.denied(B1, 3);

        assertBroken("L2");
    }

    @Test
    void anEntryThatIsSentWithOtherBytesIsTold() { // D6, L12
        trace.sent(0, 5);
        trace.sent(1, 6);
        trace.sent(0, 5);
        assertThat(violations).isEmpty();

        trace.sent(0, 6);

        assertBroken("L12");
    }

    @Test
    void aCopyOfALedgerThatIsNotInRecoveryIsTold() { // L5
        trace.copied(B0, 0, 1);

        assertBroken("L5");
    }

    @Test
    void aRecoveryThatBeginsWithOtherFragmentsIsTold() { // D4, L8
        LedgerMetadata changed = metadata.withEnsemble(0, List.of(B3, B1, B2), WriteToken.NONE);
        replace(changed.withRecovery(WriteToken.NONE));

        assertBroken("L8");
    }

    @Test
    void aWriterThatClosesWithOtherFragmentsIsTold() { // L8
        acknowledge(0, B0, B1);
        LedgerMetadata changed = metadata.withEnsemble(1, List.of(B3, B1, B2), WriteToken.NONE);
        replace(metadata.withClosed(0, 0, changed.fragments(), WriteToken.NONE));

        assertBroken("L8");
    }

    @Test
    void anEnsembleChangeThatAlsoChangesWhatIsBelowItIsTold() { // L8
        acknowledge(0, B0, B1);
        LedgerMetadata below = metadata.withEnsemble(0, List.of(B0, B1, B3), WriteToken.NONE);
        replace(below.withEnsemble(1, List.of(B3, B1, B2), WriteToken.NONE));

        assertBroken("L8");
    }

    @Test
    void aConfirmationAboveTheWritersIsTold() { // D6, L10
        acknowledge(0, B0, B1);
        trace.carried(1);

        assertBroken("L10");
    }

    @Test
    void metadataInRecoveryThatIsReplacedIsTold() { // D4, L8
        beginRecovery();
        replace(metadata.withEnsemble(0, List.of(B3, B1, B2), WriteToken.NONE));

        assertBroken("L8");
    }

    @Test
    void anAckOutOfOrderIsTold() { // L1, L2
        trace.stored(B0, 1, 1);
        trace.stored(B1, 1, 1);
        trace.acknowledged(1, false);

        assertBroken("L2");
    }
}
