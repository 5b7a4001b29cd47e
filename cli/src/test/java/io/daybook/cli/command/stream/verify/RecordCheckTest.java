// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamSettings.TransactionIdMode;
import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What contradicts in the records of a stream, or between them and what is noted of its segments, is found and told. */
final class RecordCheckTest {
    private static final DLSN ALL = new DLSN(0, 0, 0);
    private static final DLSN CUT = new DLSN(1, 1, 0);

    private final RecordCheck check = new RecordCheck(TransactionIdMode.NON_DECREASING);

    private static PositionedRecord record(long segment, long entry, long sequenceId, long transactionId) {
        return new PositionedRecord(new DLSN(segment, entry, 0), sequenceId, transactionId, ByteBuffer.allocate(0));
    }

    private static SegmentMetadata segment(
            long number, long firstSequenceId, long recordCount, long firstTransactionId, long lastTransactionId) {
        return new SegmentMetadata(
                number,
                number + 100,
                SegmentMetadata.State.COMPLETED,
                firstTransactionId,
                lastTransactionId,
                recordCount,
                firstSequenceId,
                recordCount - 1,
                0,
                1,
                0,
                0,
                0);
    }

    private void readTwoSegments() {
        check.accept(record(1, 0, 0, 10));
        check.accept(record(1, 1, 1, 10));
        check.accept(record(2, 0, 2, 11));
    }

    @Test
    void recordsThatFollowEachOtherAsTheMetadataTellsContradictNothing() {
        readTwoSegments();
        check.completed(segment(1, 0, 2, 10, 10), ALL);
        check.completed(segment(2, 2, 1, 11, 11), ALL);
        check.completed(segment(3, 3, 0, -1, -1), ALL);

        assertThat(check.faults()).isEmpty();
        assertThat(check.count()).isEqualTo(3);
    }

    @Test
    void aRecordThatIsMissingBetweenTwoIsFoundByTheirSequenceIds() {
        check.accept(record(1, 0, 0, 10));
        check.accept(record(1, 2, 2, 12));

        assertThat(check.faults()).singleElement().asString().contains("1:2:0", "sequence id 2", "1:0:0");
    }

    @Test
    void aRecordThatIsReadTwiceIsFoundByItsPosition() {
        check.accept(record(1, 0, 0, 10));
        check.accept(record(1, 0, 1, 10));

        assertThat(check.faults()).containsExactly("record 1:0:0 was read after 1:0:0");
    }

    @Test
    void transactionIdsRiseAsTheStreamDemands() {
        RecordCheck strict = new RecordCheck(TransactionIdMode.STRICT);
        for (RecordCheck each : new RecordCheck[] {check, strict}) {
            each.accept(record(1, 0, 0, 10));
            each.accept(record(1, 1, 1, 10));
        }
        check.accept(record(1, 2, 2, 9));

        assertThat(check.faults()).singleElement().asString().contains("1:2:0", "transaction id 9");
        assertThat(strict.faults()).singleElement().asString().contains("1:1:0", "transaction id 10");
    }

    @Test
    void aSegmentOfWhichRecordsAreMissingAtEitherEndIsFoundByItsMetadata() {
        readTwoSegments();
        check.completed(segment(1, 0, 3, 10, 12), ALL);
        check.completed(segment(2, 1, 2, 10, 11), ALL);
        check.completed(segment(3, 3, 1, 12, 12), ALL);

        assertThat(check.faults())
                .containsExactly(
                        "segment 1 has 3 records by its metadata and 2 as it was read",
                        "segment 1 has 12 as its last transaction id by its metadata and 10 as it was read",
                        "segment 1 ends at 1:2:0 by its metadata and at 1:1:0 as it was read",
                        "segment 2 has 2 records by its metadata and 1 as it was read",
                        "segment 2 has 10 as its first transaction id by its metadata and 11 as it was read",
                        "segment 2 has 1 as its first sequence id by its metadata and 2 as it was read",
                        "segment 2 ends at 2:1:0 by its metadata and at 2:0:0 as it was read",
                        "segment 3 has 1 records by its metadata and 0 as it was read",
                        "segment 3 has 12 as its first transaction id by its metadata and -1 as it was read",
                        "segment 3 has 12 as its last transaction id by its metadata and -1 as it was read",
                        "segment 3 ends at 3:0:0 by its metadata and at 0:0:0 as it was read");
    }

    @Test
    void ofASegmentWhoseBeginningWasTruncatedTheEndIsCompared() {
        check.accept(record(1, 1, 1, 11));
        check.completed(segment(1, 0, 2, 10, 11), CUT);
        assertThat(check.faults()).isEmpty();

        check.completed(segment(1, 0, 3, 10, 11), CUT);
        assertThat(check.faults()).singleElement().asString().contains("ends at 1:2:0");
    }

    @Test
    void ofASegmentThatIsTruncatedInPartSomethingIsLeftUnlessNothingStandsBehind() {
        check.completed(segment(1, 0, 1, 10, 10), CUT);
        assertThat(check.faults()).isEmpty();

        check.completed(segment(1, 0, 2, 10, 11), CUT);
        assertThat(check.faults()).hasSize(2).last().asString().contains("ends at 1:1:0");
    }

    @Test
    void whatWasTruncatedWhileItWasReadIsForgotten() {
        readTwoSegments();
        check.anew();
        check.accept(record(3, 0, 5, 12));
        check.completed(segment(3, 5, 1, 12, 12), ALL);

        assertThat(check.faults()).isEmpty();
        assertThat(check.count()).isOne();
    }

    @Test
    void aRecordThatWasReadBehindTheCopiesThatWereLookedAtIsAFault() {
        readTwoSegments();
        check.lookedAt(segment(1, 0, 2, 10, 10), 1);
        check.lookedAt(segment(3, 0, 2, 10, 10), -1);
        assertThat(check.faults()).isEmpty();

        check.lookedAt(segment(1, 0, 2, 10, 10), 0);
        assertThat(check.faults()).singleElement().asString().contains("segment 1", "entry 1", "entry 0");
    }

    @Test
    void manyFaultsAreCountedAndTheFirstOnesTold() {
        for (int i = 0; i < 300; i++) {
            check.accept(record(1, i, 2L * i, 10));
        }

        assertThat(check.faultCount()).isEqualTo(299);
        assertThat(check.faults()).hasSize(100);
    }
}
