// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.reader;

import io.daybook.metadata.Watch;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import io.daybook.stream.core.position.ReadCursor;
import io.daybook.stream.core.position.StreamEnd;
import io.daybook.stream.core.segment.FreshHead;
import io.daybook.stream.core.segment.Retry;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The reader of a stream: reads ahead of the calls, within bounds, and answers them in their order.
 *
 * <p><i>States:</i> see {@link State}. <i>Invariants:</i> S1, S10, S13: every record from the start on is handed out once, in order; what was read before an end or a
 * failure is handed out before that is told. Each call is completed once. <i>Threading:</i> the loop of the environment.
 */
final class ReaderMachine implements SegmentWalk.Sink {
    private enum State {
        /** Hands out records as they come. */
        READING,
        /** The stream is sealed and its last record was read. */
        ENDED,
        /** Hands out no more; why is being looked up. */
        STOPPED,
        /** Nothing more can be read, ever. */
        FAILED,
        /** Closed by its owner. */
        CLOSED
    }

    private final StreamEnvironment environment;
    private final StreamMetadata known;
    private final String stream;
    private final SegmentWalk walk;
    private final Watch watch;
    private final RecordBuffer buffer = new RecordBuffer();
    private final ArrayDeque<ReadRequest> requests = new ArrayDeque<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private State state = State.READING;
    private boolean isServing;
    private boolean isProbing;
    private boolean isLetGo;
    private @Nullable StreamException failure;
    private ReadRequest.@Nullable Batch lastProbed;
    private @Nullable RecordSubscription subscription;

    /** Begins to read at once. On the loop. */
    ReaderMachine(StreamEnvironment environment, StreamMetadata head, ReadCursor start) {
        this.environment = environment;
        this.known = head;
        this.stream = head.name();
        this.walk = new SegmentWalk(environment, head, start, this);
        this.watch =
                environment.metadata().watch(stream, () -> environment.loop().execute(walk::onNotice));
        walk.resume();
    }

    // ---- calls ----

    void request(ReadRequest request) {
        if (state == State.CLOSED) {
            request.outcome().completeExceptionally(closedFailure());
            return;
        }
        if (subscription != null) {
            request.outcome()
                    .completeExceptionally(new IllegalStateException(
                            "the reader of stream '" + stream + "' has a subscriber, which receives its records"));
            return;
        }
        requests.add(request);
        walk.resume();
        serve();
    }

    /** As {@link #request}; nothing more is waited for after so many nanoseconds. */
    void requestWithin(ReadRequest.Batch batch, long waitNanos) {
        if (waitNanos == 0) {
            batch.overdue();
        } else {
            batch.until(environment.loop().schedule(waitNanos, () -> {
                batch.overdue();
                serve();
            }));
            batch.outcome().whenComplete((result, failure) -> answered(batch));
        }
        request(batch);
    }

    /** Whoever completes it, its owner on some thread among them, its timer is not needed any more. */
    private void answered(ReadRequest.Batch batch) {
        if (environment.loop().isInLoop()) {
            batch.answered();
        } else {
            environment.loop().execute(batch::answered);
        }
    }

    /** The position behind what is readable now. */
    CompletableFuture<ReadCursor> end() {
        return Retry.reading(
                        environment,
                        () -> FreshHead.look(
                                environment, known, head -> new StreamEnd(environment, stream).find(head.value())))
                .exceptionallyCompose(
                        cause -> CompletableFuture.failedFuture(StreamFailures.of(stream, "find its end", cause)));
    }

    void subscribe(Flow.Subscriber<? super PositionedRecord> subscriber) {
        boolean isTaken = subscription != null || !requests.isEmpty();
        RecordSubscription next = new RecordSubscription(environment.loop(), subscriber, this);
        if (isTaken) {
            next.refuse(new IllegalStateException(
                    "the reader of stream '" + stream + "' has a subscriber or a reading call under way"));
            return;
        }
        subscription = next;
        next.begin();
        walk.resume();
        serve();
    }

    void cancelled(RecordSubscription ended) {
        if (subscription == ended) {
            subscription = null;
        }
    }

    /** Completes when it is closed. */
    CompletableFuture<Void> closed() {
        return closed;
    }

    void close() {
        if (state == State.CLOSED) {
            return;
        }
        letGo(State.CLOSED);
        failure = closedFailure();
        serve();
        closed.complete(null);
    }

    /** Hands out no more from now on; whoever asks is told {@code why}, when that is known. */
    void stop(CompletableFuture<StreamException> why) {
        if (state == State.CLOSED || state == State.FAILED) {
            return;
        }
        letGo(State.STOPPED);
        why.thenAccept(cause -> {
            if (state == State.STOPPED) {
                state = State.FAILED;
                failure = cause;
                serve();
            }
        });
    }

    /** What was read ahead is dropped, so that nobody is told any more that all before some position was handed out. */
    private void letGo(State next) {
        state = next;
        isLetGo = true;
        walk.close();
        watch.close();
        buffer.clear();
    }

    private StreamException closedFailure() {
        return new StreamException.HandleClosed("the reader of stream '" + stream + "' was closed", Outcome.FAILED);
    }

    // ---- what the walk brings ----

    @Override
    public boolean hasRoom() {
        return buffer.hasRoom();
    }

    @Override
    public void onRecords(List<PositionedRecord> records) {
        buffer.addAll(records);
        lastProbed = null;
        serve();
    }

    @Override
    public void onProgress() {
        lastProbed = null;
        serve();
    }

    @Override
    public void onEnd() {
        state = State.ENDED;
        serve();
    }

    @Override
    public void onFailure(StreamException cause) {
        if (cause.isRetryable()) {
            failWaiting(cause);
        } else {
            state = State.FAILED;
            failure = cause;
            serve();
        }
    }

    /** Those who wait now are told; the next call tries again. */
    private void failWaiting(StreamException cause) {
        List<ReadRequest> told = new ArrayList<>(requests);
        requests.clear();
        told.forEach(request -> request.outcome().completeExceptionally(cause));
        endSubscription(cause);
    }

    // ---- answers ----

    /** Answers what can be answered; calls that answers give rise to are answered by the same loop. */
    void serve() {
        if (isServing) {
            return;
        }
        isServing = true;
        try {
            serveSubscription();
            ReadRequest request = requests.peek();
            while (request != null && answer(request)) {
                requests.poll();
                request = requests.peek();
            }
            if (request instanceof ReadRequest.Batch batch && batch.isOverdue()) {
                probe(batch);
            }
        } finally {
            isServing = false;
        }
        if (state == State.READING) {
            walk.onRoom();
        }
    }

    /** Answers a call if that is possible now. One whose future was completed by its owner, to take it back, gets nothing. */
    private boolean answer(ReadRequest request) {
        if (request.outcome().isDone()) {
            return true;
        }
        if (request instanceof ReadRequest.Before before
                && !isLetGo
                && !walk.isBefore(endSegment(before), endEntry(before))) {
            return answerBefore(before);
        }
        if (buffer.isEmpty()) {
            return state != State.READING && state != State.STOPPED && answerAtEnd(request);
        }
        if (request instanceof ReadRequest.Next next) {
            return answerNext(next);
        }
        if (request instanceof ReadRequest.Batch batch) {
            return answerBatch(batch);
        }
        return request instanceof ReadRequest.Before before && answerBefore(before);
    }

    private boolean answerNext(ReadRequest.Next next) {
        PositionedRecord record = buffer.peek();
        if (record != null && next.outcome().complete(record)) {
            buffer.drop(1);
        }
        return true;
    }

    private boolean answerBatch(ReadRequest.Batch batch) {
        List<PositionedRecord> records = buffer.front(batch.countMax(), record -> true);
        if (batch.outcome().complete(new ReadResult.Records(records))) {
            buffer.drop(records.size());
        }
        return true;
    }

    private static long endSegment(ReadRequest.Before before) {
        return before.end().segment();
    }

    private static long endEntry(ReadRequest.Before before) {
        return before.end().entry() - 1;
    }

    private boolean answerBefore(ReadRequest.Before before) {
        List<PositionedRecord> records = buffer.front(before.countMax(), record -> isBefore(record, before.end()));
        if (before.outcome().complete(records)) {
            buffer.drop(records.size());
        }
        return true;
    }

    private static boolean isBefore(PositionedRecord record, ReadCursor end) {
        long segment = record.position().segment();
        return segment < end.segment()
                || (segment == end.segment() && record.position().entry() < end.entry());
    }

    private boolean answerAtEnd(ReadRequest request) {
        StreamException cause = failure;
        if (cause != null) {
            request.outcome().completeExceptionally(cause);
        } else if (request instanceof ReadRequest.Next next) {
            next.outcome()
                    .completeExceptionally(new StreamException.EndOfStream(
                            "stream '" + stream + "' is sealed and its last record was read"));
        } else if (request instanceof ReadRequest.Batch batch) {
            batch.outcome().complete(new ReadResult.Ended());
        } else if (request instanceof ReadRequest.Before before) {
            before.outcome().complete(List.of());
        }
        return true;
    }

    /** Nothing is there for a call whose time is over: makes sure that there is indeed nothing to read. */
    private void probe(ReadRequest.Batch batch) {
        if (isProbing || lastProbed == batch || state != State.READING) {
            return;
        }
        isProbing = true;
        lastProbed = batch;
        end().whenComplete((end, cause) -> {
            isProbing = false;
            if (buffer.isEmpty() && state == State.READING && requests.peek() == batch) {
                probed(batch, end, cause);
            }
            serve();
        });
    }

    /** The end is known as it was at some moment after the time of the call, or nobody can tell it. What is wrong with the stream for good is for the walk to meet, after all that can be read; a bug it need not meet. */
    private void probed(ReadRequest.Batch batch, @Nullable ReadCursor end, @Nullable Throwable cause) {
        if (end == null) {
            StreamException told = StreamFailures.of(stream, "tell whether there is more to read", cause);
            if (told.isRetryable() || told instanceof StreamException.Bug) {
                requests.poll();
                batch.outcome().completeExceptionally(told);
            } else {
                walk.onNotice();
            }
        } else if (!walk.isBefore(end.segment(), end.entry() - 1)) {
            requests.poll();
            batch.outcome().complete(new ReadResult.CaughtUp());
        }
    }

    // ---- the subscriber ----

    private void serveSubscription() {
        RecordSubscription to = subscription;
        PositionedRecord record = buffer.peek();
        while (to != null && to.hasDemand() && record != null) {
            buffer.drop(1);
            to.deliver(record);
            to = subscription;
            record = buffer.peek();
        }
        if (to != null && buffer.isEmpty() && state != State.READING && state != State.STOPPED) {
            endSubscription(failure);
        }
    }

    private void endSubscription(@Nullable StreamException cause) {
        RecordSubscription to = subscription;
        subscription = null;
        if (to != null) {
            to.end(cause);
        }
    }
}
