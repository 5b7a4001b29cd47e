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
        followers.get(0).onNext(new PositionedRecord(new DLSN(1, number, 0), number, number, ByteBuffer.wrap(payload)));
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
}
