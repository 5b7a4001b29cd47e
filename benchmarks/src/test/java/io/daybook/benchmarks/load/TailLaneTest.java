// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.benchmarks.report.Delivery;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogWriter;
import io.daybook.stream.PositionedRecord;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** What is told of a reader that follows, whatever it does. */
final class TailLaneTest {
    private static final byte[] PAYLOAD = {1, 2, 3};

    private final List<CompletableFuture<DLSN>> appends = new ArrayList<>();
    private final List<Flow.Subscriber<? super PositionedRecord>> followers = new ArrayList<>();
    private final TailLane lane = new TailLane(writer(), reader(), PAYLOAD);

    private static <T> T only(Class<T> type, String method, java.util.function.Function<Object[], Object> does) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> {
                    assertThat(called.getName()).isEqualTo(method);
                    return does.apply(given == null ? new Object[0] : given);
                }));
    }

    private LogWriter writer() {
        return only(LogWriter.class, "append", given -> {
            assertThat(((LogRecord) given[0]).transactionId()).isEqualTo(appends.size());
            CompletableFuture<DLSN> append = new CompletableFuture<>();
            appends.add(append);
            return append;
        });
    }

    private LogReader reader() {
        Flow.Publisher<PositionedRecord> publisher = subscriber -> {
            followers.add(subscriber);
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    assertThat(count).isPositive();
                }

                @Override
                public void cancel() {}
            });
        };
        return only(LogReader.class, "publisher", given -> publisher);
    }

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            lane.send(System.nanoTime());
        }
    }

    private void acknowledge(int number) {
        appends.get(number).complete(new DLSN(1, number, 0));
    }

    private void deliver(int number, byte... payload) {
        followers
                .get(0)
                .onNext(new PositionedRecord(
                        new DLSN(1, Math.abs(number), 0), number, number, ByteBuffer.wrap(payload)));
    }

    @Test
    void eachRecordIsTimedOnceWhicheverOfAcknowledgementAndReaderIsFirst() throws InterruptedException {
        lane.planned(System.nanoTime());
        append(2);

        deliver(0, PAYLOAD);
        acknowledge(0);
        acknowledge(1);
        deliver(1, PAYLOAD);

        Delivery delivery = lane.delivery();
        assertThat(delivery.isComplete()).isTrue();
        assertThat(delivery.records()).isEqualTo(2);
        assertThat(delivery.sinceAppendMicros().count()).isEqualTo(2);
        assertThat(delivery.sinceAcknowledgedMicros().count()).isEqualTo(2);
    }

    @Test
    void whatIsAppendedBeforeThePartThatCountsIsReadAndNotTimed() throws InterruptedException {
        append(1);
        lane.planned(System.nanoTime());
        append(1);

        for (int i = 0; i < 2; i++) {
            acknowledge(i);
            deliver(i, PAYLOAD);
        }

        Delivery delivery = lane.delivery();
        assertThat(delivery.records()).isEqualTo(2);
        assertThat(delivery.sinceAppendMicros().count()).isEqualTo(1);
    }

    @Test
    void aRecordThatIsLeftOutOrHasOtherBytesIsSeen() throws InterruptedException {
        append(3);
        deliver(0, (byte) 9);
        deliver(2, PAYLOAD);

        Delivery delivery = lane.delivery();

        assertThat(delivery.misplaced()).isEqualTo(2);
        assertThat(delivery.isComplete()).isFalse();
    }

    @Test
    void aRecordThatIsLostDisplacesNoneThatFollows() throws InterruptedException {
        lane.planned(System.nanoTime());
        append(10);
        for (int i = 0; i < 10; i++) {
            acknowledge(i);
        }
        for (int i = 0; i < 10; i++) {
            if (i != 3) {
                deliver(i, PAYLOAD);
            }
        }

        Delivery delivery = lane.delivery();

        assertThat(delivery.missing()).isEqualTo(1);
        assertThat(delivery.misplaced()).as("the one after it").isEqualTo(1);
        assertThat(delivery.sinceAcknowledgedMicros().count()).isEqualTo(9);
    }

    @Test
    void aRecordThatIsReadTwiceOrWasNeverAppendedIsSeenAndNotTimed() throws InterruptedException {
        lane.planned(System.nanoTime());
        append(2);
        acknowledge(0);
        acknowledge(1);

        for (int number : new int[] {0, 0, 7, -1, 1}) {
            deliver(number, PAYLOAD);
        }

        Delivery delivery = lane.delivery();
        assertThat(delivery.records()).isEqualTo(5);
        assertThat(delivery.missing()).isZero();
        assertThat(delivery.misplaced()).isEqualTo(3);
        assertThat(delivery.sinceAppendMicros().count()).isEqualTo(2);
    }

    @Test
    void aRecordThatIsReadAlthoughItsAppendFailedHidesNoneThatIsMissing() throws InterruptedException {
        append(3);
        acknowledge(0);
        acknowledge(1);
        appends.get(2).completeExceptionally(new IllegalStateException("nobody knows"));
        deliver(0, PAYLOAD);
        deliver(2, PAYLOAD);

        Delivery delivery = lane.delivery();

        assertThat(delivery.records()).isEqualTo(2);
        assertThat(delivery.missing()).isEqualTo(1);
    }

    @Test
    void aReaderThatFailsIsToldWithWhatItDidNotRead() throws InterruptedException {
        append(2);
        acknowledge(0);
        acknowledge(1);
        deliver(0, PAYLOAD);
        followers.get(0).onError(new IllegalStateException("the stream is gone"));

        Delivery delivery = lane.delivery();

        assertThat(delivery.missing()).isEqualTo(1);
        assertThat(delivery.readerFailure()).contains("the stream is gone");
        assertThat(delivery.isComplete()).isFalse();
    }

    @Test
    void aReaderThatFailsAfterTheLastRecordHasGotEverything() throws InterruptedException {
        append(1);
        acknowledge(0);
        deliver(0, PAYLOAD);
        followers.get(0).onError(new IllegalStateException("the stream is gone"));

        assertThat(lane.delivery().isComplete()).isTrue();
    }
}
