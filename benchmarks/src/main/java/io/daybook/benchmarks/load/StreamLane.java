// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import io.daybook.stream.LogRecord;
import io.daybook.stream.LogWriter;

/**
 * Appends records to one stream, all with the same bytes and the same transaction id.
 *
 * <p><i>Threading:</i> any thread. Requests made on the stream's own thread must stay below what a writer lets be in flight.
 */
public final class StreamLane implements Lane {
    private final LogWriter writer;
    private final byte[] payload;
    private volatile Ending ending = LedgerLane.NOBODY;
    private final long transactionId;

    /** Goes on after the last record of the stream. */
    public StreamLane(LogWriter writer, byte[] payload) {
        this.writer = writer;
        this.payload = payload;
        transactionId = Math.max(0, writer.lastTransactionId());
    }

    @Override
    public void reportTo(Ending next) {
        ending = next;
    }

    @Override
    public void send(long[] startNanos, int count) {
        for (int i = 0; i < count; i++) {
            send(startNanos[i]);
        }
    }

    @Override
    public void send(long startNanos) {
        writer.append(LogRecord.of(transactionId, payload)).whenComplete((position, failure) -> {
            if (failure == null) {
                ending.done(startNanos);
            } else {
                ending.failed(startNanos, failure);
            }
        });
    }

    /** The writer is left to its owner. */
    @Override
    public void close() {}
}
