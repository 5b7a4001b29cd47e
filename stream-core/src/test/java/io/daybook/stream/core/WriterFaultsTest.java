// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.LedgerState;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a writer ends when something fails beside its entries; on simulated loops. */
final class WriterFaultsTest extends StreamSuite {
    private static final StreamOptions STRICT = StreamOptions.DEFAULT.withTransactionIdMode(TransactionIdMode.STRICT);

    private final SimulatedStage world = new SimulatedStage(3);
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

    private List<Long> segmentLedgers(LogStream stream) {
        return await(stream.status()).segments().stream()
                .map(StreamStatus.Segment::ledgerId)
                .toList();
    }

    @Test
    void lookUpWhoseSegmentIsTruncatedMeanwhileIsMadeAgain() {
        LogStream stream = createHere(STRICT.withSegmentBounds(Duration.ZERO, 1));
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 4);
        long before = stores.reads();
        assertThat(await(writer.append(record(1)))).isEqualTo(positions.get(0));
        long heads = 2;
        long listings = stores.reads() - before - heads;
        long firstLedger = segmentLedgers(stream).get(0);

        stores.holdWhatIsListed();
        CompletableFuture<DLSN> resent = writer.append(record(1));
        for (long listing = 1; listing < listings; listing++) {
            pass(Duration.ofMillis(1));
            stores.releaseOneListing();
        }
        pass(Duration.ofMillis(1));
        await(elsewhere("other").truncate(positions.get(3)));
        assertThat(world.ledgers().ids()).doesNotContain(firstLedger);
        stores.releaseListings();

        // S11: gone by right, and no reason for the writer to end
        failureOf(resent, StreamException.TransactionIdOutOfOrder.class);
        append(writer, 5, 5);
    }

    @Test
    void nothingIsAcknowledgedOnceALookUpFailed() {
        // D-30
        LogStream stream = createHere(STRICT);
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        program.ledgers().holdBack(true);
        CompletableFuture<DLSN> inFlight = writer.append(record(10));
        pass(Duration.ofMillis(1));
        stores.away(true);

        CompletableFuture<DLSN> resent = writer.append(record(1));
        pass(Duration.ofSeconds(60));

        // S4: the entry that was in flight is stored after all, and is not told so by a writer that has failed
        assertThat(failureOf(resent, StreamException.WriterFailed.class).outcome())
                .isEqualTo(Outcome.UNKNOWN);
        program.ledgers().holdBack(false);
        assertThat(failureOf(inFlight, StreamException.WriterFailed.class).outcome())
                .isEqualTo(Outcome.UNKNOWN);
        stores.away(false);
        pass(Duration.ofSeconds(1));
        long ledgerId = segmentLedgers(stream).get(0);
        assertThat(world.ledgers().ledger(ledgerId).metadata().state())
                .as("the ledger of a writer that has failed is given back")
                .isEqualTo(LedgerState.CLOSED);
        assertThat(writer(stream).lastTransactionId()).isEqualTo(10);
    }

    @Test
    void flushAndCloseWaitForRecordsThatAreLookedUp() {
        LogStream stream = createHere(STRICT);
        LogWriter writer = writer(stream);
        List<DLSN> stored = append(writer, 1, 3);
        pass(Duration.ofSeconds(1));

        CompletableFuture<DLSN> resent = writer.append(record(2));
        CompletableFuture<DLSN> flush = writer.flush();
        CompletableFuture<Boolean> wasAnswered = flush.thenApply(done -> resent.isDone());
        CompletableFuture<DLSN> late = writer.append(record(3));
        await(writer.closeWriter());

        // S9
        assertThat(await(wasAnswered)).isTrue();
        assertThat(await(resent)).isEqualTo(stored.get(1));
        assertThat(late).isCompletedWithValue(stored.get(2));
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultyStores.Commit.class,
            names = {"DONE_UNKNOWN", "NOT_DONE_UNKNOWN"})
    void rollThatIsOvertakenLeavesNeitherAnOrphanNorAHole(FaultyStores.Commit what) {
        // D-68
        LogStream stream = createHere(TINY_SEGMENTS);
        LogStream rivals = elsewhere("rival");
        LogWriter writer = writer(stream);
        stores.nextCommit(what);
        await(writer.append(record(1)));

        // M2, S7: the answer to the roll is lost, and a rival takes over before the writer looks again
        LogWriter rival = writer(rivals);
        pass(Duration.ofSeconds(5));

        failureOf(writer.append(record(2)), StreamException.WriterFenced.class);
        await(rival.append(record(3)));
        assertThat(world.ledgers().ids()).containsExactlyInAnyOrderElementsOf(segmentLedgers(rivals));
        assertThat(ids(read(reader(rivals, StartPosition.earliest()), 2))).containsExactly(1L, 3L);
    }

    @Test
    void takeOverThatIsOvertakenLeavesNoOrphan() {
        // D-21, D-22
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogStream rivals = elsewhere("rival");
        stores.nextCommit(FaultyStores.Commit.NOT_DONE_UNKNOWN);

        CompletableFuture<LogWriter> opening = opening(stream);
        pass(Duration.ofMillis(20));
        LogWriter rival = writer(rivals);
        LogWriter writer = await(opening);

        failureOf(rival.append(record(1)), StreamException.WriterFenced.class);
        await(writer.append(record(2)));
        pass(Duration.ofSeconds(1));
        assertThat(world.ledgers().ids()).containsExactlyInAnyOrderElementsOf(segmentLedgers(stream));
    }

    @Test
    void streamWithoutBoundsStaysInOneSegmentHoweverOldAndLarge() {
        LogStream stream = createHere(StreamOptions.DEFAULT.withSegmentBounds(Duration.ZERO, 0));
        LogWriter writer = writer(stream);

        // D-39
        for (long id = 1; id <= 30; id++) {
            await(writer.append(LogRecord.of(id, new byte[1_000_000])));
            pass(Duration.ofDays(1));
        }

        assertThat(await(stream.status()).segments()).hasSize(1);
        await(writer.append(record(31)));
    }

    @Test
    void segmentThatGrowsOldIsFollowedThoughNobodyWrites() {
        LogStream stream = createHere(StreamOptions.DEFAULT.withSegmentBounds(Duration.ofSeconds(10), 0));
        LogWriter writer = writer(stream);
        await(writer.append(record(1)));

        pass(Duration.ofSeconds(60));

        // D-44: once, since the new one is empty
        assertThat(await(stream.status()).segments())
                .extracting(StreamStatus.Segment::state)
                .containsExactly("completed", "in-progress");
        await(writer.append(record(2)));
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 2))).containsExactly(1L, 2L);
    }

    @Test
    void rollWhoseAnswerWasLostIsNotDoneTwiceThoughOthersChangedTheHeadSince() {
        LogStream stream = createHere(TINY_SEGMENTS);
        LogStream others = elsewhere("other");
        LogWriter writer = writer(stream);
        stores.nextCommit(FaultyStores.Commit.DONE_UNKNOWN);
        await(writer.append(record(1)));
        pass(Duration.ofMillis(5));

        // M1, M2, S2: the token of the change that was done is gone from the head when the writer looks
        await(others.changeOptions(TINY_SEGMENTS.withRetention(Duration.ofDays(1), 0)));
        pass(Duration.ofSeconds(5));

        await(writer.append(record(2)));
        await(writer(others).append(record(3)));
        assertThat(ids(read(reader(others, StartPosition.earliest()), 3))).isEqualTo(numbers(1, 3));
    }

    @Test
    void sealWhoseAnswerWasLostIsToldThoughOthersChangedTheHeadSince() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogStream others = elsewhere("other");
        LogWriter writer = writer(stream);
        DLSN last = await(writer.append(record(1)));
        stores.nextCommit(FaultyStores.Commit.DONE_UNKNOWN);
        CompletableFuture<DLSN> sealing = writer.seal();
        pass(Duration.ofMillis(5));

        await(others.changeOptions(StreamOptions.DEFAULT.withRetention(Duration.ofDays(1), 0)));

        // S12
        assertThat(await(sealing)).isEqualTo(last);
        failureOf(opening(others), StreamException.EndOfStream.class);
    }

    @Test
    void whatIsTooLittleForABatchLingersThoughALargeRecordCameBeforeIt() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = await(stream.openWriter(WriterOptions.DEFAULT.withBatches(Duration.ofMillis(50), 4096)));

        CompletableFuture<DLSN> large = writer.append(LogRecord.of(1, new byte[8000]));
        CompletableFuture<DLSN> small = writer.append(record(2));
        pass(Duration.ofSeconds(10));

        // V7: nobody calls again
        assertThat(large).isCompleted();
        assertThat(small).isCompleted();
    }

    @Test
    void flushOfNothingDoesNotHurryTheNextRecord() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = await(stream.openWriter(WriterOptions.DEFAULT.withBatches(Duration.ofSeconds(10), 4096)));
        program.ledgers().holdBack(true);
        CompletableFuture<DLSN> first = writer.append(record(1));
        writer.flush();
        pass(Duration.ofMillis(100));
        writer.flush();
        pass(Duration.ofMillis(100));

        CompletableFuture<DLSN> next = writer.append(record(2));
        pass(Duration.ofMillis(100));
        program.ledgers().holdBack(false);
        pass(Duration.ofSeconds(5));

        assertThat(first).isCompleted();
        assertThat(next).as("lingers").isNotDone();
        pass(Duration.ofSeconds(6));
        assertThat(next).isCompleted();
    }

    @Test
    void writerFailsWhenMemoryRunsOutWhileAnEntryIsHandedOver() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        List<DLSN> stored = append(writer, 1, 3);
        program.ledgers().throwFromNowOn(new OutOfMemoryError("no direct memory"));

        CompletableFuture<DLSN> lost = writer.append(record(4));
        CompletableFuture<DLSN> flush = writer.flush();

        // V7, S-41: nothing hangs, and the next writer goes on
        assertThat(failureOf(lost, StreamException.WriterFailed.class).outcome())
                .isEqualTo(Outcome.UNKNOWN);
        failureOf(flush, StreamException.WriterFailed.class);
        failureOf(writer.append(record(5)), StreamException.WriterFailed.class);
        failureOf(writer.closeWriter(), StreamException.WriterFailed.class);
        assertThat(writer(stream).lastPosition()).isEqualTo(stored.get(2));
    }
}
