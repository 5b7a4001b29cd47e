// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import io.daybook.testkit.cluster.LocalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The code of {@code docs/streams.md}, on real bookies: what stands between {@code guide:} and {@code end} is on the page. */
final class StreamsGuideTest {
    private static LocalCluster cluster;

    private final List<String> processed = new ArrayList<>();

    @BeforeAll
    static void startCluster() {
        cluster = LocalCluster.builder().bookies(3).start();
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    private void process(PositionedRecord record) {
        processed.add(record.payloadText());
    }

    @Test
    void theGuideRuns() {
        String uri = cluster.uri().toString();
        // guide: open
        Namespace namespace = Namespace.open(uri); // such as zk://host:2181/daybook
        LogStream orders = namespace
                .openStream("shop/orders", OpenMode.CREATE_IF_MISSING, StreamOptions.DEFAULT)
                .join();
        // end
        DLSN second = write(orders);
        takeOver(orders);
        read(orders);
        follow(orders);
        watch(namespace);
        ask(orders);
        subscribe(orders);
        truncate(orders, second);
        rename(namespace, second);
        assertThat(orders.status().join().records()).isPresent();
        namespace.close();
    }

    private static DLSN write(LogStream orders) {
        // guide: write
        DLSN last;
        try (LogWriter writer = orders.openWriter().join()) {
            CompletableFuture<DLSN> first = writer.append(LogRecord.of(1, "one pizza"));
            CompletableFuture<DLSN> second = writer.append(LogRecord.of(2, "two pizzas"));
            writer.appendAtomically(List.of(LogRecord.of(3, "cola"), LogRecord.of(3, "ice"))); // both or none
            last = writer.flush().join(); // everything so far is on disks
            assertThat(first.join()).isLessThan(second.join());
        }
        // end
        assertThat(last.slot()).isNotNegative();
        return orders.find(StartPosition.atTransactionId(2))
                .join()
                .orElseThrow()
                .position();
    }

    private static void takeOver(LogStream orders) {
        // guide: takeover
        LogWriter writer = orders.openWriter(WriterOptions.DEFAULT.takingOver()).join();
        long next = writer.lastTransactionId() + 1; // of the last record that is in the stream
        writer.append(LogRecord.of(next, "the bill")).join();
        writer.close();
        // end
        assertThat(next).isEqualTo(4);
    }

    private void read(LogStream orders) {
        // guide: read
        try (LogReader reader = orders.openReader(StartPosition.earliest()).join()) {
            for (PositionedRecord record : reader.drain()) { // up to what is the end now
                process(record);
            }
        }
        // end
        assertThat(processed).containsExactly("one pizza", "two pizzas", "cola", "ice", "the bill");
    }

    private void follow(LogStream orders) {
        processed.clear();
        // guide: follow
        try (LogReader reader =
                orders.openReader(StartPosition.atTransactionId(3)).join()) {
            ReadResult result = reader.nextBatch(100, Duration.ofSeconds(1)).join();
            while (result instanceof ReadResult.Records records) {
                records.list().forEach(this::process);
                result = reader.nextBatch(100, Duration.ofSeconds(1)).join();
            }
            boolean isOver = result instanceof ReadResult.Ended; // otherwise: caught up, and more may come
            assertThat(isOver).isFalse();
        }
        // end
        assertThat(processed).containsExactly("cola", "ice", "the bill");
    }

    /** Takes the first change. */
    private static final class FirstChange implements Flow.Subscriber<Namespace.Change> {
        private final CompletableFuture<Namespace.Change> first = new CompletableFuture<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(1);
        }

        @Override
        public void onNext(Namespace.Change change) {
            first.complete(change);
        }

        @Override
        public void onError(Throwable failure) {
            first.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            first.cancel(false);
        }
    }

    private static void watch(Namespace namespace) {
        FirstChange subscriber = new FirstChange();
        // guide: watch
        Flow.Publisher<Namespace.Change> shops = namespace.watch("shop/", Duration.ofSeconds(10));
        shops.subscribe(subscriber); // PRESENT shop/orders, CREATED shop/bills, DELETED shop/orders …
        // end
        assertThat(subscriber.first.join())
                .isEqualTo(new Namespace.Change(Namespace.Change.Kind.PRESENT, "shop/orders"));
    }

    private static void ask(LogStream orders) {
        // guide: ask
        StreamStatus status = orders.status().join(); // options, owner, segments, first, last, count
        Optional<PositionedRecord> last = orders.lastRecord().join();
        Optional<PositionedRecord> cola =
                orders.find(StartPosition.atTransactionId(3)).join();
        // end
        assertThat(status.records().orElseThrow().count()).isEqualTo(5);
        assertThat(last.orElseThrow().payloadText()).isEqualTo("the bill");
        assertThat(cola.orElseThrow().payloadText()).isEqualTo("cola");
    }

    private void subscribe(LogStream orders) {
        processed.clear();
        // guide: subscribe
        orders.subscriptions().create("billing", StartPosition.earliest()).join();
        try (ExclusiveReader billing =
                orders.subscriptions().openReader("billing", false).join()) {
            for (PositionedRecord record : billing.reader().drain()) {
                process(record);
                billing.commit(record.position()); // done: never delivered to "billing" again
            }
            billing.commit(orders.lastRecord().join().orElseThrow().position()).join(); // after those before
        }
        // end
        assertThat(processed).hasSize(5);
        assertThat(orders.find(StartPosition.subscription("billing")).join()).isEmpty();
    }

    private static void rename(Namespace namespace, DLSN kept) {
        namespace.openStream("shop/bills", OpenMode.CREATE_NEW).join();
        // guide: rename
        Namespace.Renamed renamed =
                namespace.rename("shop/bills", "archive/bills").join();
        DLSN found = renamed.position(kept); // where the record is now that was at this position
        // end
        assertThat(found.segment()).isEqualTo(kept.segment() + renamed.segmentShift());
        assertThat(namespace.list("", "", 10).join().names()).containsExactly("archive/bills", "shop/orders");
    }

    private static void truncate(LogStream orders, DLSN second) {
        // guide: truncate
        orders.truncate(second).join(); // the record there is the first one from now on
        orders.changeOptions(StreamOptions.DEFAULT.withRetention(Duration.ofDays(7), 0))
                .join();
        // end
        assertThat(orders.find(StartPosition.earliest()).join().orElseThrow().payloadText())
                .isEqualTo("two pizzas");
    }
}
