// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records as applications write and read them, and results. */
final class RecordsTest {
    @Test
    void readingAPayloadMovesNobodysPosition() {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {9, 1, 2, 3});
        bytes.position(1);
        LogRecord record = new LogRecord(1, bytes);

        record.payload().get(new byte[3]);

        assertThat(record.payload().remaining()).isEqualTo(3);
        assertThat(bytes.position()).isEqualTo(1);
        assertThat(record.payload().isReadOnly()).isTrue();
    }

    @Test
    void negativeTransactionIdIsRefused() {
        assertThatThrownBy(() -> LogRecord.of(-1, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        assertThat(LogRecord.of(0, "x").transactionId()).isZero();
    }

    @Test
    void readRecordGivesItsBytesAgainAndAgain() {
        PositionedRecord record = new PositionedRecord(
                new DLSN(1, 2, 3), 4, 5, LogRecord.of(5, "täglich").payload());

        assertThat(record.payloadText()).isEqualTo("täglich").isEqualTo(record.payloadText());
        assertThat(record.payloadBytes()).isEqualTo(record.payloadBytes()).hasSize(8);
        assertThat(record.payload().isReadOnly()).isTrue();
    }

    @Test
    void resultKeepsItsOwnList() {
        List<PositionedRecord> list = new ArrayList<>();
        ReadResult.Records records = new ReadResult.Records(list);

        list.add(new PositionedRecord(DLSN.BEFORE_ALL, 0, 0, ByteBuffer.allocate(0)));

        assertThat(records.list()).isEmpty();
    }
}
