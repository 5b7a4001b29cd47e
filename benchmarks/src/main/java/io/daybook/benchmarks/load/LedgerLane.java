// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Appends to one ledger, with the same bytes each time, without memory taken for a request.
 *
 * <p><i>Threading:</i> its state belongs to the writer's loop; requests from elsewhere are made there, a batch in one task.
 */
public final class LedgerLane implements Lane, LedgerWriter.AppendListener {
    static final Ending NOBODY = new Ending() {
        @Override
        public void done(long startNanos) {}

        @Override
        public void failed(long startNanos, Throwable why) {}
    };

    private final LedgerWriter writer;
    private final EventLoop loop;
    private final ByteBuf payload;
    private volatile Ending ending = NOBODY;

    /** A ring of the start times of the appends under way: they end in order. */
    private long[] starts = new long[1024];

    private int first;
    private int size;

    /** Consumes {@code payload}. */
    public LedgerLane(LedgerWriter writer, ByteBuf payload) {
        this.writer = writer;
        this.payload = payload;
        loop = writer.loop();
    }

    @Override
    public void reportTo(Ending next) {
        ending = next;
    }

    @Override
    public void send(long[] startNanos, int count) {
        if (loop.isInLoop()) {
            append(startNanos, count);
        } else {
            long[] copy = Arrays.copyOf(startNanos, count);
            loop.execute(() -> append(copy, count));
        }
    }

    @Override
    public void send(long startNanos) {
        if (loop.isInLoop()) {
            append(startNanos);
        } else {
            loop.execute(() -> append(startNanos));
        }
    }

    private void append(long[] startNanos, int count) {
        for (int i = 0; i < count; i++) {
            append(startNanos[i]);
        }
    }

    private void append(long startNanos) {
        push(startNanos);
        writer.append(payload.retainedDuplicate(), this);
    }

    private void push(long start) {
        if (size == starts.length) {
            long[] larger = new long[2 * size];
            for (int i = 0; i < size; i++) {
                larger[i] = starts[(first + i) & (size - 1)];
            }
            starts = larger;
            first = 0;
        }
        starts[(first + size) & (starts.length - 1)] = start;
        size++;
    }

    private long pop() {
        long start = starts[first];
        first = (first + 1) & (starts.length - 1);
        size--;
        return start;
    }

    @Override
    public void appended(long entryId) {
        ending.done(pop());
    }

    @Override
    public void failed(LedgerException failure) {
        ending.failed(pop(), failure);
    }

    /** The writer is left to its owner. */
    @Override
    public void close() {
        payload.release();
    }
}
