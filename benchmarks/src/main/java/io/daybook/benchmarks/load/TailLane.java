// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import io.daybook.benchmarks.report.Delivery;
import io.daybook.benchmarks.report.Latency;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogWriter;
import io.daybook.stream.PositionedRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Recorder;

/**
 * Appends records to one new stream, and times when a reader that follows has each: since its append, and since its acknowledgement. The transaction id of a record
 * is its number, so that one that is lost, repeated or in another's place is seen.
 *
 * <p><i>Threading:</i> any thread.
 */
public final class TailLane implements Lane, LoadRun.Edges {
    /** So many records may be appended and not read yet: far more than a run lets be under way. */
    private static final int RECORDS_MAX = 1 << 20;

    private static final Duration DELIVERY_MAX = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 5;
    private static final long LATENCY_NANOS_MAX = Duration.ofMinutes(5).toNanos();

    private final LogWriter writer;
    private final byte[] payload;
    private final ByteBuffer expected;
    private volatile Ending ending = LedgerLane.NOBODY;
    private final AtomicLongArray starts = new AtomicLongArray(RECORDS_MAX);

    /** Of each record under way: when it was acknowledged or read, whichever came first; 0 before. */
    private final AtomicLongArray firstEnds = new AtomicLongArray(RECORDS_MAX);

    private final AtomicLong acknowledged = new AtomicLong();

    /** Of these: how many were read as well. */
    private final AtomicLong delivered = new AtomicLong();

    private final AtomicLong read = new AtomicLong();
    private final AtomicLong misplaced = new AtomicLong();
    private final Recorder sinceAppend = new Recorder(1, LATENCY_NANOS_MAX, 3);
    private final Recorder sinceAcknowledged = new Recorder(1, LATENCY_NANOS_MAX, 3);
    private volatile long fromNanos = System.nanoTime();
    private volatile boolean isCounting;
    private volatile long lastAcknowledged = -1;
    private volatile long lastRead = -1;
    private volatile long sent;

    /** Why nothing more is read; empty while more may be. */
    private volatile String readerEnded = "";

    /** Goes on after what is in the stream, which is nothing, and follows it. Writer and reader are left to their owner. */
    public TailLane(LogWriter writer, LogReader reader, byte[] payload) {
        this.writer = writer;
        this.payload = payload.clone();
        this.expected = ByteBuffer.wrap(this.payload).asReadOnlyBuffer();
        reader.publisher().subscribe(new Follower());
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

    /** One at a time: the numbers are in the order of the appends. */
    @Override
    public synchronized void send(long startNanos) {
        long number = sent;
        if (number - lastRead > RECORDS_MAX) {
            ending.failed(startNanos, new IllegalStateException("the reader is " + RECORDS_MAX + " records behind"));
            return;
        }
        starts.set(slot(number), startNanos);
        firstEnds.set(slot(number), 0);
        sent = number + 1;
        writer.append(LogRecord.of(number, payload)).whenComplete((position, failure) -> {
            if (failure == null) {
                acknowledged(number, System.nanoTime());
                ending.done(startNanos);
            } else {
                ending.failed(startNanos, failure);
            }
        });
    }

    private static int slot(long number) {
        return (int) (number & (RECORDS_MAX - 1));
    }

    /** A record that was read before its writer heard of it has waited for nothing. */
    private void acknowledged(long number, long nowNanos) {
        acknowledged.incrementAndGet();
        lastAcknowledged = number;
        long start = starts.get(slot(number));
        if (firstEnds.getAndSet(slot(number), nowNanos | 1) != 0) {
            delivered.incrementAndGet();
            if (counts(start)) {
                sinceAcknowledged.recordValue(1);
            }
        }
    }

    /** One that is left out displaces only the next one. */
    private void read(PositionedRecord record, long nowNanos) {
        long number = record.transactionId();
        if (number != lastRead + 1 || !record.payload().equals(expected)) {
            misplaced.incrementAndGet();
        }
        read.incrementAndGet();
        if (number > lastRead && number < sent) {
            time(number, nowNanos);
            lastRead = number;
        }
    }

    private void time(long number, long nowNanos) {
        long start = starts.get(slot(number));
        long acknowledgedNanos = firstEnds.getAndSet(slot(number), nowNanos | 1);
        if (acknowledgedNanos != 0) {
            delivered.incrementAndGet();
        }
        if (counts(start)) {
            sinceAppend.recordValue(bounded(nowNanos - start));
            if (acknowledgedNanos != 0) {
                sinceAcknowledged.recordValue(bounded(nowNanos - acknowledgedNanos));
            }
        }
    }

    private boolean counts(long startNanos) {
        return isCounting && startNanos - fromNanos >= 0;
    }

    private static long bounded(long nanos) {
        return Math.max(1, Math.min(nanos, LATENCY_NANOS_MAX));
    }

    /** What is appended from then on counts. */
    @Override
    public void planned(long nanos) {
        fromNanos = nanos;
        isCounting = true;
    }

    @Override
    public void begin() {}

    @Override
    public void end() {}

    /**
     * Waits until the last record that was acknowledged is read, or nothing more will be, within bounds; what came of it. Called while nothing is under way.
     */
    public Delivery delivery() throws InterruptedException {
        long deadline = System.nanoTime() + DELIVERY_MAX.toNanos();
        while (lastRead < lastAcknowledged && readerEnded.isEmpty() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return new Delivery(
                read.get(),
                acknowledged.get() - delivered.get(),
                misplaced.get(),
                lastRead < lastAcknowledged ? readerEnded : "",
                Latency.of(sinceAppend.getIntervalHistogram()),
                Latency.of(sinceAcknowledged.getIntervalHistogram()));
    }

    @Override
    public void close() {}

    /** Takes each record as it comes. */
    private final class Follower implements Flow.Subscriber<PositionedRecord> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(PositionedRecord record) {
            read(record, System.nanoTime());
        }

        @Override
        public void onError(Throwable failure) {
            readerEnded = String.valueOf(failure);
        }

        @Override
        public void onComplete() {
            readerEnded = "the stream ended";
        }
    }
}
