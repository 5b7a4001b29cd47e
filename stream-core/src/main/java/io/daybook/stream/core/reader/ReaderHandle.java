// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.reader;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.EventLoop;
import io.daybook.stream.LogReader;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.position.ReadCursor;
import io.daybook.stream.core.segment.InternalThreads;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** The reader as applications hold it: hands calls to the machine on its loop. <i>Threading:</i> any thread. */
public final class ReaderHandle implements LogReader {
    private static final int DRAIN_COUNT = 1000;
    private static final Duration LONG_WAIT = Duration.ofDays(365);

    private final String stream;
    private final EventLoop loop;
    private final InternalThreads internal;
    private final ReaderMachine machine;

    /** Begins to read. On the loop of the environment. */
    public ReaderHandle(
            StreamEnvironment environment, StreamMetadata head, ReadCursor start, InternalThreads internal) {
        this.stream = head.name();
        this.loop = environment.loop();
        this.internal = internal;
        this.machine = new ReaderMachine(environment, head, start);
    }

    /** Runs {@code action}, on the loop, once it is closed. */
    public void whenClosed(Runnable action) {
        machine.closed().thenRun(action);
    }

    /** Hands out no more from now on, and fails with {@code why}, which completes on the loop. On the loop. */
    public void stop(CompletableFuture<StreamException> why) {
        machine.stop(why);
    }

    /** Where it lives. */
    public EventLoop loop() {
        return loop;
    }

    @Override
    public String streamName() {
        return stream;
    }

    @Override
    public CompletableFuture<PositionedRecord> next() {
        CompletableFuture<PositionedRecord> outcome = new CompletableFuture<>();
        loop.execute(() -> machine.request(new ReadRequest.Next(outcome)));
        return outcome;
    }

    @Override
    public CompletableFuture<ReadResult> nextBatch(int countMax, Duration waitMax) {
        if (countMax < 1 || waitMax.isNegative()) {
            throw new IllegalArgumentException(
                    "a batch needs a count of at least 1 and no negative time, not " + countMax + " and " + waitMax);
        }
        ReadRequest.Batch batch = new ReadRequest.Batch(countMax);
        long waitNanos = (waitMax.compareTo(LONG_WAIT) < 0 ? waitMax : LONG_WAIT).toNanos();
        loop.execute(() -> machine.requestWithin(batch, waitNanos));
        return batch.outcome();
    }

    @Override
    public Iterable<PositionedRecord> drain() {
        internal.requireForeign("drain");
        return Drain::new;
    }

    @Override
    public Flow.Publisher<PositionedRecord> publisher() {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "a subscriber is needed");
            loop.execute(() -> machine.subscribe(subscriber));
        };
    }

    @Override
    public void close() {
        loop.execute(machine::close);
    }

    /** One iteration, up to what was the end when it began. */
    private final class Drain implements Iterator<PositionedRecord> {
        private final ReadCursor end;
        private Iterator<PositionedRecord> fetched = Collections.emptyIterator();

        private Drain() {
            CompletableFuture<ReadCursor> found = new CompletableFuture<>();
            loop.execute(() -> machine.end().whenComplete((cursor, failure) -> {
                if (failure != null) {
                    found.completeExceptionally(failure);
                } else {
                    found.complete(cursor);
                }
            }));
            this.end = internal.await(stream, "drain", found);
        }

        @Override
        public boolean hasNext() {
            if (!fetched.hasNext()) {
                CompletableFuture<List<PositionedRecord>> more = new CompletableFuture<>();
                loop.execute(() -> machine.request(new ReadRequest.Before(end, DRAIN_COUNT, more)));
                fetched = internal.await(stream, "drain", more).iterator();
            }
            return fetched.hasNext();
        }

        @Override
        public PositionedRecord next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the end of the iteration was reached");
            }
            return fetched.next();
        }
    }
}
