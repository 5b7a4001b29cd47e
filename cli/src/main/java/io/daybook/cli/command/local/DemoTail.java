// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.local;

import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Follows a stream while it is written and digests what it sees, until it has seen as many records as the writer says there are.
 *
 * <p><i>Threading:</i> one thread runs it; {@link #expect} and {@link #outcome} may be called from another.
 */
final class DemoTail implements Runnable {
    private static final int BATCH = 1000;
    private static final Duration WAIT = Duration.ofMillis(200);

    /** After the writer is done; a record that is acknowledged is readable within milliseconds. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LogReader reader;
    private final RunningDigest seen = new RunningDigest();
    private final CompletableFuture<RunningDigest> outcome = new CompletableFuture<>();
    private volatile long expectedCount = Long.MAX_VALUE;
    private DLSN lastPosition = DLSN.BEFORE_ALL;

    DemoTail(LogReader reader) {
        this.reader = reader;
    }

    /** The writer is done and wrote so many. */
    void expect(long recordCount) {
        expectedCount = recordCount;
    }

    /** What it has seen, once that is as much as was expected; fails when the stream is out of order, stalls, or holds more. */
    CompletableFuture<RunningDigest> outcome() {
        return outcome;
    }

    @Override
    public void run() {
        try {
            follow();
            outcome.complete(seen);
        } catch (RuntimeException | Error failure) {
            outcome.completeExceptionally(failure);
        }
    }

    private void follow() {
        long lastProgress = System.nanoTime();
        while (seen.recordCount() < expectedCount) {
            ReadResult result = reader.nextBatch(BATCH, WAIT).join();
            if (result instanceof ReadResult.Records records) {
                records.list().forEach(this::see);
                lastProgress = System.nanoTime();
            } else if (expectedCount < Long.MAX_VALUE && System.nanoTime() - lastProgress > PATIENCE_NANOS) {
                throw new IllegalStateException("the reader has seen " + seen.recordCount() + " of " + expectedCount
                        + " records and nothing more comes");
            }
        }
    }

    private void see(PositionedRecord record) {
        if (record.sequenceId() != seen.recordCount() || record.position().compareTo(lastPosition) <= 0) {
            throw new IllegalStateException("after " + seen.recordCount() + " records, the last at " + lastPosition
                    + ", comes number " + record.sequenceId() + " at " + record.position());
        }
        lastPosition = record.position();
        seen.add(record.payload());
    }
}
