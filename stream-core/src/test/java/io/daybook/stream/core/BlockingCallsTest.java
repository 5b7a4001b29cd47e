// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The calls that block, and those that flow, on real loops. */
final class BlockingCallsTest extends StreamSuite {
    @Override
    Stage newStage() {
        return new MemoryStage();
    }

    private static List<Long> drain(LogReader reader) {
        List<Long> ids = new ArrayList<>();
        for (PositionedRecord record : reader.drain()) {
            ids.add(record.transactionId());
        }
        return ids;
    }

    @Test
    void drainReadsWhatIsThereAndEnds() {
        LogStream stream = create(TINY_SEGMENTS);
        try (LogWriter writer = writer(stream)) {
            for (long id = 1; id <= 2500; id++) {
                writer.append(record(id));
            }
            writer.flush().join();
            LogReader reader = reader(stream, StartPosition.earliest());

            assertThat(drain(reader)).isEqualTo(numbers(1, 2500));
            assertThat(drain(reader)).isEmpty();
            writer.appendAndWait(record(2501));
            assertThat(drain(reader)).containsExactly(2501L);
        }
        assertThat(drain(reader(stream, StartPosition.after(new DLSN(1, 0, 0)))))
                .isNotEmpty();
    }

    @Test
    void drainOfASubscriptionThatWasTakenFailsAndDoesNotEndAsIfAllWereRead() {
        LogStream stream = create();
        append(writer(stream), 1, 3);
        await(stream.subscriptions().create("s", StartPosition.earliest()));
        LogReader reader = await(stream.subscriptions().openReader("s", false)).reader();
        assertThat(drain(reader)).isEqualTo(numbers(1, 3));
        CompletableFuture<PositionedRecord> pending = reader.next();

        await(elsewhere("rival").subscriptions().openReader("s", true));

        failureOf(pending, StreamException.SubscriptionChanged.class);
        assertThatThrownBy(() -> drain(reader)).isInstanceOf(StreamException.SubscriptionChanged.class);
    }

    @Test
    void drainSeesARecordThatWasAcknowledgedThisVeryMoment() {
        LogStream stream = create();
        try (LogWriter writer = writer(stream)) {
            for (long id = 1; id <= 200; id++) {
                writer.appendAndWait(record(id));
                assertThat(drain(reader(stream, StartPosition.earliest()))).hasSize((int) id);
            }
        }
    }

    @Test
    void drainOfAnEmptyStreamEndsAtOnce() {
        LogStream stream = create();

        Iterator<PositionedRecord> records =
                reader(stream, StartPosition.earliest()).drain().iterator();

        assertThat(records.hasNext()).isFalse();
        assertThatThrownBy(records::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void blockingCallsRefuseToRunWhereFuturesComplete() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        LogReader reader = reader(stream, StartPosition.earliest());

        // Asked before there is a record: else the future may be complete already, and this thread would run what
        // follows.
        CompletableFuture<List<Throwable>> refusals = reader.next()
                .thenApply(first -> List.of(
                        catchThrowable(() -> writer.appendAndWait(record(2))),
                        catchThrowable(writer::close),
                        catchThrowable(reader::drain),
                        catchThrowable(namespace()::close)));
        await(writer.append(record(1)));

        assertThat(await(refusals))
                .hasSize(4)
                .allSatisfy(refusal -> assertThat(refusal)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("internal thread"));
        assertThat(writer.appendAndWait(record(2))).isGreaterThan(DLSN.BEFORE_ALL);
    }

    @Test
    void blockingTwinThrowsWhatTheCallFailsWith() {
        LogWriter writer = writer(create());
        writer.appendAndWait(record(5));

        assertThatThrownBy(() -> writer.appendAndWait(record(4)))
                .isInstanceOf(StreamException.TransactionIdOutOfOrder.class);
    }

    @Test
    void callersAreHeldBackWhileTooMuchIsInFlightAndLoseNothing() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        MemoryStage stage = (MemoryStage) stage();
        stage.holdBack(true);
        AtomicInteger taken = new AtomicInteger();
        CompletableFuture<DLSN> last = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            byte[] payload = new byte[1024 * 1024];
            for (long id = 1; id < 100; id++) {
                writer.append(LogRecord.of(id, payload));
                taken.incrementAndGet();
            }
            writer.append(LogRecord.of(100, payload)).thenAccept(last::complete).exceptionally(failure -> {
                last.completeExceptionally(failure);
                return null;
            });
        });
        caller.start();
        while (caller.getState() != Thread.State.WAITING && caller.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }

        // D-15, D-16: 16 MiB in flight, as much that the loop has yet to see, and the one that goes beyond
        assertThat(taken.get()).isLessThanOrEqualTo(33);
        stage.holdBack(false);
        await(last);
        assertThat(drain(reader(stream, StartPosition.earliest()))).isEqualTo(numbers(1, 100));
    }

    @Test
    void callerThatIsHeldBackCanBeInterrupted() throws InterruptedException {
        LogWriter writer = writer(create());
        MemoryStage stage = (MemoryStage) stage();
        stage.holdBack(true);
        CompletableFuture<StreamException> refused = new CompletableFuture<>();
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            byte[] payload = new byte[1024 * 1024];
            long id = 1;
            while (!refused.isDone()) {
                writer.append(LogRecord.of(id++, payload)).exceptionally(failure -> {
                    refused.complete((StreamException) Failures.rootOf(failure));
                    return DLSN.BEFORE_ALL;
                });
            }
            stillInterrupted.set(Thread.currentThread().isInterrupted());
        });
        caller.start();
        while (caller.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        caller.interrupt();
        caller.join();

        assertThat(await(refused))
                .isInstanceOf(StreamException.WriterBusy.class)
                .hasMessageContaining("interrupted");
        assertThat(stillInterrupted).isTrue();
        stage.holdBack(false);
        await(writer.flush());

        // D-16: the record that was refused takes up no room, so 16 of them are taken again
        stage.holdBack(true);
        await(CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 16; i++) {
                writer.append(LogRecord.of(1000 + i, new byte[1024 * 1024]));
            }
        }));
        stage.holdBack(false);
        await(writer.flush());
    }

    @Test
    void manyThreadsAppendInOneOrder() throws InterruptedException {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int first = i * 1000;
            threads.add(new Thread(() -> {
                for (int number = first; number < first + 1000; number++) {
                    writer.append(LogRecord.of(0, Integer.toString(number)));
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        await(writer.flush());

        List<Integer> numbers = new ArrayList<>();
        reader(stream, StartPosition.earliest())
                .drain()
                .forEach(record -> numbers.add(Integer.parseInt(record.payloadText())));
        assertThat(numbers).hasSize(4000).doesNotHaveDuplicates();
        for (int i = 0; i < 4; i++) {
            int thread = i;
            // S4 for each caller
            assertThat(numbers.stream().filter(number -> number / 1000 == thread))
                    .isSorted();
        }
    }

    @Test
    void closedNamespaceRefusesEverythingAndHasClosedItsWriters() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        LogReader reader = reader(stream, StartPosition.earliest());
        await(writer.append(record(1)));

        namespace().close();
        namespace().close();

        // D-129
        failureOf(namespace().exists(name()), StreamException.HandleClosed.class);
        failureOf(opening(stream), StreamException.HandleClosed.class);
        failureOf(reader.next(), StreamException.HandleClosed.class);
        failureOf(writer.append(record(2)), StreamException.HandleClosed.class);
        assertThat(await(elsewhere("other").status()).segments())
                .singleElement()
                .satisfies(segment -> assertThat(segment.state()).isEqualTo("completed"));
    }

    /** Takes records and what else it is told; asks for as many as a test says. */
    private static final class Recorder implements Flow.Subscriber<PositionedRecord> {
        private final List<Long> ids = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Flow.Subscription> subscribed = new CompletableFuture<>();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private final Semaphore received = new Semaphore(0);

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscribed.complete(subscription);
        }

        @Override
        public void onNext(PositionedRecord record) {
            ids.add(record.transactionId());
            received.release();
        }

        @Override
        public void onError(Throwable failure) {
            ended.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            ended.complete(null);
        }
    }

    @Test
    void subscriberGetsWhatItAskedForAndNoMore() throws InterruptedException {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        append(writer, 1, 10);
        LogReader reader = reader(stream, StartPosition.earliest());
        Recorder recorder = new Recorder();
        reader.publisher().subscribe(recorder);
        Flow.Subscription subscription = await(recorder.subscribed);

        subscription.request(3);
        recorder.received.acquire(3);

        assertThat(recorder.ids).containsExactly(1L, 2L, 3L);
        assertThatThrownBy(() -> await(reader.next())).hasRootCauseInstanceOf(IllegalStateException.class);
        Recorder second = new Recorder();
        reader.publisher().subscribe(second);
        assertThatThrownBy(() -> await(second.ended)).hasRootCauseInstanceOf(IllegalStateException.class);
        subscription.request(Long.MAX_VALUE);
        recorder.received.acquire(7);
        append(writer, 11, 12);
        recorder.received.acquire(2);
        assertThat(recorder.ids).isEqualTo(numbers(1, 12));
        subscription.cancel();
        append(writer, 13, 13);
        assertThat(await(reader.next()).transactionId()).isEqualTo(13);
    }

    @Test
    void subscriberThatAsksForNothingIsToldSo() {
        LogStream stream = create();
        Recorder recorder = new Recorder();
        reader(stream, StartPosition.earliest()).publisher().subscribe(recorder);

        await(recorder.subscribed).request(0);

        assertThatThrownBy(() -> await(recorder.ended)).hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void subscriberHearsOfTheEndOfItsReader() {
        LogStream stream = create();
        Recorder recorder = new Recorder();
        LogReader reader = reader(stream, StartPosition.earliest());
        reader.publisher().subscribe(recorder);
        await(recorder.subscribed);

        reader.close();

        failureOf(recorder.ended, StreamException.HandleClosed.class);
    }
}
