// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.reader;

import io.daybook.stream.PositionedRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Records that were read ahead, bounded in bytes and in number. <i>Threading:</i> the loop of the reader. */
final class RecordBuffer {
    /** Bytes read ahead at which reading pauses; one more read may pass it. */
    static final long BYTES_MAX = 4L * 1024 * 1024;

    /** Records read ahead at which reading pauses. */
    static final int COUNT_MAX = 100_000;

    private static final int BYTES_PER_RECORD = 64;

    private final ArrayDeque<PositionedRecord> records = new ArrayDeque<>();
    private long bytes;

    void addAll(List<PositionedRecord> more) {
        for (PositionedRecord record : more) {
            records.add(record);
            bytes += bytesOf(record);
        }
    }

    private static long bytesOf(PositionedRecord record) {
        return (long) record.payload().remaining() + BYTES_PER_RECORD;
    }

    boolean hasRoom() {
        return bytes < BYTES_MAX && records.size() < COUNT_MAX;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    @Nullable
    PositionedRecord peek() {
        return records.peek();
    }

    /** Up to {@code countMax} records from the front, as long as they are wanted. They stay. */
    List<PositionedRecord> front(int countMax, Predicate<PositionedRecord> isWanted) {
        List<PositionedRecord> front = new ArrayList<>(Math.min(countMax, records.size()));
        for (PositionedRecord record : records) {
            if (front.size() == countMax || !isWanted.test(record)) {
                break;
            }
            front.add(record);
        }
        return front;
    }

    /** Removes so many records from the front. */
    void drop(int count) {
        for (int i = 0; i < count; i++) {
            bytes -= bytesOf(records.remove());
        }
    }

    void clear() {
        records.clear();
        bytes = 0;
    }
}
