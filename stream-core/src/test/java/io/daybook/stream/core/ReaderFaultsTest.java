// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** What becomes of readers when subscribers, metadata or news get in the way; on simulated loops. */
final class ReaderFaultsTest extends StreamSuite {
    private final SimulatedStage world = new SimulatedStage(5);
    private final FaultyStores stores = new FaultyStores(world.stores());
    private final SimulatedStage.Program program = world.program("faulty", stores);

    @Override
    Stage newStage() {
        return world;
    }

    private LogStream createHere(StreamOptions options) {
        return await(program.namespace().openStream(name(), OpenMode.CREATE_NEW, options));
    }

    private void pass(Duration time) {
        world.world().runFor(time.toNanos());
    }

    @Test
    void readersThatComeAndGoLeaveNothingBehindAndIdleOnesAskForLittle() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 3);
        LogReader idle = reader(stream, StartPosition.latest());
        CompletableFuture<PositionedRecord> next = idle.next();
        pass(Duration.ofSeconds(1));
        int watches = stores.openWatches();

        // S-45
        for (int i = 0; i < 10_000; i++) {
            LogReader reader = reader(stream, StartPosition.earliest());
            reader.nextBatch(10, Duration.ofMillis(100));
            reader.close();
        }
        pass(Duration.ofSeconds(1));

        assertThat(stores.openWatches()).isEqualTo(watches);
        assertThat(next).isNotDone();
        long before = stores.reads();
        pass(Duration.ofHours(1));
        assertThat(stores.reads() - before).as("reads of metadata in an hour").isLessThanOrEqualTo(2 * 60);
        assertThat(next).isNotDone();
    }

    // ---- subscribers ----

    /** Throws at a given call. */
    private static final class Thrower implements Flow.Subscriber<PositionedRecord> {
        private final String throwsAt;
        private final List<Long> ids = new ArrayList<>();

        private Thrower(String throwsAt) {
            this.throwsAt = throwsAt;
        }

        private void at(String call) {
            if (throwsAt.equals(call)) {
                throw new IllegalStateException("the subscriber fails at " + call);
            }
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
            at("onSubscribe");
        }

        @Override
        public void onNext(PositionedRecord record) {
            ids.add(record.transactionId());
            if (record.transactionId() == 3) {
                at("onNext");
            }
        }

        @Override
        public void onError(Throwable failure) {
            at("onError");
        }

        @Override
        public void onComplete() {}
    }

    @Test
    void subscriberThatThrowsIsLetGoAndItsReaderGoesOn() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 10);
        LogReader reader = reader(stream, StartPosition.earliest());
        Thrower thrower = new Thrower("onNext");

        reader.publisher().subscribe(thrower);
        pass(Duration.ofSeconds(5));

        assertThat(thrower.ids).containsExactly(1L, 2L, 3L);
        assertThat(ids(read(reader, 7))).isEqualTo(numbers(4, 10));
    }

    @Test
    void subscriberThatThrowsWhenItIsWelcomedIsLetGo() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 5);
        LogReader reader = reader(stream, StartPosition.earliest());

        reader.publisher().subscribe(new Thrower("onSubscribe"));
        pass(Duration.ofSeconds(1));

        assertThat(ids(read(reader, 5))).isEqualTo(numbers(1, 5));
    }

    @Test
    void subscriberThatThrowsWhenItIsToldOfTheEndHurtsNobody() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogReader reader = reader(stream, StartPosition.earliest());
        reader.publisher().subscribe(new Thrower("onError"));
        LogReader other = reader(stream, StartPosition.earliest());
        pass(Duration.ofMillis(10));

        reader.close();
        append(writer(stream), 1, 2);

        failureOf(reader.next(), StreamException.HandleClosed.class);
        assertThat(ids(read(other, 2))).isEqualTo(numbers(1, 2));
    }

    // ---- metadata ----

    @Test
    void pageFromWhichEverythingWasRemovedDoesNotEndAListing() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 3);
        append(writer(stream), 4, 6);
        stores.emptyPageNext();

        append(writer(stream), 7, 9);

        // S2: the new writer counts on from the segments before
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 9))).isEqualTo(numbers(1, 9));
        stores.emptyPageNext();
        assertThat(await(reader(stream, StartPosition.latest()).nextBatch(1, Duration.ZERO)))
                .isInstanceOf(ReadResult.CaughtUp.class);
        stores.emptyPageNext();
        assertThat(await(reader(stream, StartPosition.atTransactionId(5)).next())
                        .transactionId())
                .isEqualTo(5);
    }

    @Test
    void lookUpThatFailsForgetsNoSegmentThatWasKnownBefore() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        for (long first = 1; first <= 7; first += 3) {
            LogWriter writer = writer(stream);
            append(writer, first, first + 2);
            await(writer.closeWriter());
        }
        LogStream elsewhere = elsewhere("rival");

        // The reader knows all three segments and is not through the first when it is told of a change that it cannot
        // read.
        world.ledgers().failReads(6);
        LogReader reader = reader(stream, StartPosition.earliest());
        pass(Duration.ofMillis(1));
        stores.away(true);
        writer(elsewhere);
        pass(Duration.ofSeconds(5));

        // S2, D-75
        assertThat(ids(read(reader, 9))).isEqualTo(numbers(1, 9));
        stores.away(false);
        append(writer(elsewhere), 10, 10);
        assertThat(ids(read(reader, 1))).containsExactly(10L);
    }

    @Test
    void batchWhoseTimeIsOverIsAnsweredSoonAfterTheMetadataStoreIsBack() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        await(writer.closeWriter());
        LogReader reader = reader(stream, StartPosition.earliest());
        read(reader, 3);
        pass(Duration.ofMinutes(10));

        stores.away(true);
        CompletableFuture<ReadResult> batch = reader.nextBatch(10, Duration.ofMillis(100));
        pass(Duration.ofSeconds(1));
        assertThat(batch).isNotDone();
        stores.away(false);
        pass(Duration.ofSeconds(2));

        // V7: however rarely an idle reader looks for a next segment by itself
        assertThat(batch).isCompletedWithValueMatching(result -> result instanceof ReadResult.CaughtUp);
    }

    @Test
    void readerThatKnowsWhereToBeginNeedsNoMoreBookiesThanOneThatReads() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 5);
        world.ledgers().fewAnswer(true);

        // S13
        assertThat(ids(read(reader(stream, StartPosition.atTransactionId(3)), 3)))
                .isEqualTo(numbers(3, 5));
    }

    @Test
    void endIsNotTakenFromFewerBookiesThanCanKnowIt() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        append(writer, 1, 5);
        world.ledgers().fewAnswer(true);

        StreamException failure =
                failureOf(stream.openReader(StartPosition.latest()), StreamException.Unavailable.class);

        assertThat(failure.isRetryable()).isTrue();
        world.ledgers().fewAnswer(false);
        CompletableFuture<PositionedRecord> next =
                reader(stream, StartPosition.latest()).next();
        append(writer, 6, 6);
        assertThat(await(next).transactionId()).isEqualTo(6);
    }

    @Test
    void batchWhoseTimeIsOverIsToldOfABugThatKeepsTheEndFromBeingFound() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        append(writer, 1, 5);
        LogReader reader = reader(stream, StartPosition.earliest());
        read(reader, 5);
        world.ledgers().breakConfirmed(true);

        CompletableFuture<ReadResult> batch = reader.nextBatch(10, Duration.ofSeconds(1));

        // V7: the reader itself may never meet it
        failureOf(batch, StreamException.Bug.class);
        append(writer, 6, 6);
        assertThat(await(reader.next()).transactionId()).isEqualTo(6);
    }

    @Test
    void batchWhoseTimeIsOverIsToldThatNobodyKnowsWhetherThereIsMore() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        append(writer, 1, 5);
        LogReader reader = reader(stream, StartPosition.earliest());
        read(reader, 5);
        world.ledgers().fewAnswer(true);

        CompletableFuture<ReadResult> batch = reader.nextBatch(10, Duration.ofSeconds(1));
        CompletableFuture<PositionedRecord> next = reader.next();

        // D-78: unavailable is neither caught up nor silence
        failureOf(batch, StreamException.Unavailable.class);
        world.ledgers().fewAnswer(false);
        append(writer, 6, 6);
        assertThat(await(next).transactionId()).isEqualTo(6);
        assertThat(await(reader.nextBatch(10, Duration.ofSeconds(1)))).isInstanceOf(ReadResult.CaughtUp.class);
    }

    @Test
    void batchOfAStreamThatWasDeletedIsToldSoWhenItsTimeIsOver() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        append(writer, 1, 5);
        await(writer.closeWriter());
        LogReader reader = reader(stream, StartPosition.earliest());
        read(reader, 5);
        stores.deaf();
        world.world().runFor(Duration.ofMinutes(10).toNanos());
        CompletableFuture<ReadResult> batch = reader.nextBatch(10, Duration.ofSeconds(1));

        await(namespace().delete(name()));
        world.world().runFor(Duration.ofSeconds(2).toNanos());

        assertThat(batch).isCompletedExceptionally();
        failureOf(batch, StreamException.StreamNotFound.class);
        failureOf(reader.next(), StreamException.StreamNotFound.class);
    }

    @Test
    void readerWhoseListingIsOvertakenNeverReadsTheSuccessor() {
        // D-89
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 5);
        stores.holdListings();
        LogReader reader = reader(stream, StartPosition.earliest());
        CompletableFuture<PositionedRecord> next = reader.next();
        pass(Duration.ofSeconds(1));

        // S14: the look-up began in the old stream and ends in the new one
        await(namespace().delete(name()));
        LogStream successor = create();
        append(writer(successor), 100, 104);
        stores.releaseListings();

        failureOf(next, StreamException.StreamNotFound.class);
        failureOf(reader.next(), StreamException.StreamNotFound.class);
    }

    @Test
    void readerIsOpenedAgainAndAgainAndLosesNothing() {
        LogStream stream = createHere(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        Random random = new Random(5);
        List<Long> seen = new ArrayList<>();
        StartPosition start = StartPosition.earliest();
        long next = 1;

        // D-75, D-92, S13
        while (seen.size() < 60) {
            for (int more = random.nextInt(5); more > 0 && next <= 60; more--) {
                await(writer.append(record(next++)));
            }
            world.ledgers().failReads(random.nextInt(3));
            LogReader reader = reader(stream, start);
            for (int count = random.nextInt(4); count > 0 && seen.size() < next - 1; count--) {
                PositionedRecord record = await(reader.next());
                seen.add(record.transactionId());
                start = StartPosition.after(record.position());
            }
            reader.close();
        }

        assertThat(seen).isEqualTo(numbers(1, 60));
    }

    // ---- the end ----

    @Test
    void endIsFoundBehindEverythingAcknowledgedHoweverLateTheNewsIs() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        world.ledgers().newsUpTo(-1);
        for (long id = 1; id <= 6; id++) {
            await(writer.append(LogRecord.of(id, new byte[700_000])));
        }

        CompletableFuture<LogReader> latest = stream.openReader(StartPosition.latest());
        pass(Duration.ofMillis(20));
        world.ledgers().newsUpTo(1);
        await(writer.append(LogRecord.of(7, new byte[700_000])));
        pass(Duration.ofMillis(20));
        world.ledgers().newsUpTo(Long.MAX_VALUE);
        await(writer.append(record(8)));

        assertThat(await(await(latest).next()).transactionId()).isGreaterThan(6);
    }

    // ---- timers ----

    @Test
    void batchThatIsAnsweredLeavesNoTimerBehind() {
        CountingLoop loop = new CountingLoop(program.loop());
        StreamsNamespace counted = StreamsNamespace.open(
                new MemoryLedgerClient(world.ledgers(), loop),
                stores,
                world.world().machine("counted").start(),
                "counted");
        LogStream stream = await(counted.openStream(
                name(), OpenMode.CREATE_NEW, StreamOptions.DEFAULT.withSegmentBounds(Duration.ZERO, 0)));
        LogReader reader = reader(stream, StartPosition.earliest());
        await(reader.nextBatch(1, Duration.ZERO));
        long before = loop.armed(Duration.ofHours(1));

        List<CompletableFuture<ReadResult>> batches = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            batches.add(reader.nextBatch(10, Duration.ofHours(2)));
        }
        pass(Duration.ofMillis(1));
        assertThat(loop.armed(Duration.ofHours(1))).isEqualTo(before + 5);
        // One is taken back by its owner, one is answered, the rest end with the reader.
        batches.get(0).cancel(false);
        append(writer(stream), 1, 1);
        await(batches.get(1));
        reader.close();
        CompletableFuture<ReadResult> refused = reader.nextBatch(10, Duration.ofHours(2));
        pass(Duration.ofMillis(10));

        failureOf(batches.get(4), StreamException.HandleClosed.class);
        failureOf(refused, StreamException.HandleClosed.class);
        assertThat(loop.armed(Duration.ofHours(1))).isEqualTo(before);
    }

    // ---- idle readers ----

    @Test
    void idleReadersCostNextToNoMetadataRequests() {
        LogStream open = createHere(StreamOptions.DEFAULT);
        append(writer(open), 1, 3);
        List<LogReader> readers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            readers.add(reader(open, StartPosition.earliest()));
            read(readers.get(i), 3);
        }
        pass(Duration.ofMinutes(2));
        long before = stores.reads();

        pass(Duration.ofHours(1));

        // S-45: a reader that waits in an open segment
        long perReaderAndHour = (stores.reads() - before) / readers.size();
        assertThat(perReaderAndHour).isBetween(1L, 90L);
        await(writer(open).append(record(4)));
        for (LogReader reader : readers) {
            assertThat(ids(read(reader, 1))).containsExactly(4L);
        }
    }

    @Test
    void idleReadersOfAStreamWithoutWriterCostNextToNoMetadataRequests() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        await(writer.closeWriter());
        LogReader reader = reader(stream, StartPosition.earliest());
        read(reader, 3);
        CompletableFuture<PositionedRecord> next = reader.next();
        pass(Duration.ofMinutes(5));
        long before = stores.reads();

        pass(Duration.ofHours(1));

        // S-45: a reader that waits for the next segment
        assertThat(stores.reads() - before).isBetween(1L, 90L);
        await(writer(stream).append(record(4)));
        assertThat(await(next).transactionId()).isEqualTo(4);
    }
}
