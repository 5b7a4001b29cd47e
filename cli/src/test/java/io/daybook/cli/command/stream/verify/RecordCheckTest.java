// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What contradicts in the records of a stream, or between them and what is noted of its segments, is found and told. */
final class RecordCheckTest {
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
        check.completed(segment(1, 0, 2, 10, 10), false);
        check.completed(segment(2, 2, 1, 11, 11), false);
        check.completed(segment(3, 3, 0, -1, -1), false);

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
        check.completed(segment(1, 0, 3, 10, 12), false);
        check.completed(segment(2, 1, 2, 10, 11), false);
        check.completed(segment(3, 3, 1, 12, 12), false);

        assertThat(check.faults())
                .containsExactly(
                        "segment 1 has 3 records by its metadata and 2 as it was read",
                        "segment 1 has 12 as its last transaction id by its metadata and 10 as it was read",
                        "segment 2 has 2 records by its metadata and 1 as it was read",
                        "segment 2 has 10 as its first transaction id by its metadata and 11 as it was read",
                        "segment 2 has 1 as its first sequence id by its metadata and 2 as it was read",
                        "segment 3 has 1 records by its metadata and 0 as it was read",
                        "segment 3 has 12 as its first transaction id by its metadata and -1 as it was read",
                        "segment 3 has 12 as its last transaction id by its metadata and -1 as it was read");
    }

    @Test
    void ofASegmentWhoseBeginningWasTruncatedOnlyTheEndIsCompared() {
        check.accept(record(1, 1, 1, 11));
        check.completed(segment(1, 0, 2, 10, 11), true);
        assertThat(check.faults()).isEmpty();

        check.completed(segment(1, 0, 3, 10, 12), true);
        assertThat(check.faults()).singleElement().asString().contains("last transaction id");
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
