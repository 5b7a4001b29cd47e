// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is read ahead is bounded. */
final class RecordBufferTest {
    private static PositionedRecord record(int bytes) {
        return new PositionedRecord(new DLSN(1, 0, 0), 0, 0, ByteBuffer.allocate(bytes));
    }

    @Test
    void roomEndsWithTheBytesAndWithTheRecords() {
        // D-81, D-98
        RecordBuffer large = new RecordBuffer();
        large.addAll(List.of(record((int) RecordBuffer.BYTES_MAX)));
        RecordBuffer many = new RecordBuffer();
        many.addAll(Collections.nCopies(RecordBuffer.COUNT_MAX, record(0)));

        assertThat(large.hasRoom()).isFalse();
        assertThat(many.hasRoom()).isFalse();
        many.drop(RecordBuffer.COUNT_MAX);
        large.clear();
        assertThat(many.hasRoom()).isTrue();
        assertThat(many.isEmpty()).isTrue();
        assertThat(large.hasRoom()).isTrue();
    }

    @Test
    void recordsAreTakenFromTheFrontAsLongAsTheyAreWanted() {
        RecordBuffer buffer = new RecordBuffer();
        buffer.addAll(List.of(record(1), record(2), record(30), record(4)));

        List<PositionedRecord> front =
                buffer.front(10, record -> record.payload().remaining() < 10);

        assertThat(front).hasSize(2);
        assertThat(buffer.front(3, record -> true)).hasSize(3);
        buffer.drop(2);
        assertThat(buffer.peek()).isEqualTo(record(30));
    }
}
