// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.record.RecordBytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One append call on its way: a record, or several that are stored as one. Completed exactly once, on the loop. */
abstract sealed class PendingAppend {
    private final List<RecordBytes> records;
    private final int bytes;

    private PendingAppend(List<RecordBytes> records) {
        this.records = records;
        int sum = 0;
        for (RecordBytes record : records) {
            sum += record.encodedBytesMax();
        }
        this.bytes = sum;
    }

    /** What is stored; at least one. */
    List<RecordBytes> records() {
        return records;
    }

    /** Bytes in an entry, at most. */
    int bytes() {
        return bytes;
    }

    long firstTransactionId() {
        return records.get(0).transactionId();
    }

    long lastTransactionId() {
        return records.get(records.size() - 1).transactionId();
    }

    /** The position of one of the records, once it is known; fails as the call does. */
    abstract CompletableFuture<DLSN> positionOf(int index);

    abstract void succeeded(List<DLSN> positions);

    abstract void failed(StreamException failure);

    /** Stored in this entry, from this slot on. */
    void stored(long segment, long entryId, int firstSlot) {
        if (records.size() == 1) {
            succeeded(List.of(new DLSN(segment, entryId, firstSlot)));
            return;
        }
        List<DLSN> positions = new ArrayList<>(records.size());
        for (int i = 0; i < records.size(); i++) {
            positions.add(new DLSN(segment, entryId, firstSlot + i));
        }
        succeeded(Collections.unmodifiableList(positions));
    }

    /** One record. */
    static final class Single extends PendingAppend {
        private final CompletableFuture<DLSN> outcome = new CompletableFuture<>();

        Single(RecordBytes record) {
            super(List.of(record));
        }

        CompletableFuture<DLSN> outcome() {
            return outcome;
        }

        @Override
        CompletableFuture<DLSN> positionOf(int index) {
            return outcome;
        }

        @Override
        void succeeded(List<DLSN> positions) {
            outcome.complete(positions.get(0));
        }

        @Override
        void failed(StreamException failure) {
            outcome.completeExceptionally(failure);
        }
    }

    /** Several records, all or none. */
    static final class Atomic extends PendingAppend {
        private final CompletableFuture<List<DLSN>> outcome = new CompletableFuture<>();

        Atomic(List<RecordBytes> records) {
            super(records);
        }

        CompletableFuture<List<DLSN>> outcome() {
            return outcome;
        }

        @Override
        CompletableFuture<DLSN> positionOf(int index) {
            return outcome.thenApply(positions -> positions.get(index));
        }

        @Override
        void succeeded(List<DLSN> positions) {
            outcome.complete(positions);
        }

        @Override
        void failed(StreamException failure) {
            outcome.completeExceptionally(failure);
        }
    }
}
