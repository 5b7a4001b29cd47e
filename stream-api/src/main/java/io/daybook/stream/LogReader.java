// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * Reads a stream in order, without a gap and without a repetition, over segments as they are rolled, and goes on as records arrive. Reading calls are answered in the
 * order in which they were made. A reader reads ahead of the calls, until 4 MiB or 100,000 records wait for them. After a failure that is not {@link StreamException#isRetryable} every further call fails the same way.
 */
public interface LogReader extends AutoCloseable {
    /**
     * The stream.
     *
     * @return its name
     */
    String streamName();

    /**
     * The next record, as soon as there is one.
     *
     * @return the record; fails with {@link StreamException.EndOfStream} after the last record of a sealed stream
     */
    CompletableFuture<PositionedRecord> next();

    /**
     * The records that are there, or nothing, or the end. That there is nothing more is told when enough bookies of the last ledger say so: while too few answer, a call whose time is
     * over tries again for 20 seconds, as every reading call does, and then fails with {@link StreamException.Unavailable}; the reader goes on.
     *
     * @param countMax how many at most, 1 or more
     * @param waitMax how long to wait for the first one; zero: not at all
     * @return what was found
     * @throws IllegalArgumentException when the count or the time is outside of its range
     */
    CompletableFuture<ReadResult> nextBatch(int countMax, Duration waitMax);

    /**
     * The records from here to what was the end of the stream when the iteration began, then it ends. Blocks while iterating; refuses to run on an internal thread
     * with {@link IllegalStateException}; throws {@link StreamException}.
     *
     * @return records in order; each iteration goes on where this reader is
     */
    Iterable<PositionedRecord> drain();

    /**
     * All records from here on, as the subscriber asks for them; completes at the end of a sealed stream. One subscriber at a time, and no other reading
     * call meanwhile: what breaks this rule fails with {@link IllegalStateException}, in its future or by {@code onError}. Subscribers are called on an internal thread.
     *
     * @return what is subscribed to
     */
    Flow.Publisher<PositionedRecord> publisher();

    /** Ends calls under way with {@link StreamException.HandleClosed}. Idempotent. */
    @Override
    void close();
}
