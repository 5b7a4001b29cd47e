// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.core.segment.HeadEdit;
import io.daybook.stream.core.segment.SegmentEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of calls when bookies, metadata or other programs get in the way; on simulated loops. */
final class FaultsTest extends StreamSuite {
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

    // ---- the writer ----

    @ParameterizedTest
    @EnumSource
    void failedEntryStopsTheWriterAndReSendingStoresOnce(Stored stored) {
        // D-10, D-31
        LogStream stream = createHere(STRICT);
        LogWriter writer = writer(stream);
        DLSN kept = await(writer.append(record(1)));
        program.ledgers().failNextEntry(stored == Stored.YES);

        CompletableFuture<DLSN> second = writer.append(record(2));

        // S-41, D-9, D-146: fail-stop, no hole
        assertThat(failureOf(second, StreamException.WriterFailed.class).outcome())
                .isEqualTo(Outcome.UNKNOWN);
        StreamException refused = failureOf(writer.append(record(3)), StreamException.WriterFailed.class);
        assertThat(refused.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(refused.isRetryable()).isTrue();
        failureOf(writer.flush(), StreamException.WriterFailed.class);
        failureOf(writer.closeWriter(), StreamException.WriterFailed.class);

        assertThat(await(stream.status()).segments().get(0).state()).isEqualTo("in-progress"); // D-30
        LogWriter again = writer(stream);
        assertThat(await(stream.status()).segments().get(0).state()).isEqualTo("completed");
        assertThat(again.lastTransactionId()).isEqualTo(stored == Stored.YES ? 2 : 1);
        // S9
        assertThat(await(again.append(record(1)))).isEqualTo(kept);
        append(again, 2, 3);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 3))).isEqualTo(numbers(1, 3));
    }

    /** Whether the entry of unknown outcome is in the ledger. */
    enum Stored {
        /** It is. */
        YES,
        /** It is not. */
        NO
    }

    @Test
    void whatWasNotHandedToTheLedgerIsSurelyNotStored() {
        // D-25
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        program.ledgers().holdBack(true);
        List<CompletableFuture<DLSN>> outcomes = new ArrayList<>();
        for (long id = 1; id <= 40; id++) {
            outcomes.add(writer.append(record(id)));
            pass(Duration.ofMillis(1));
        }

        // S-42: another program takes over while entries are on their way
        LogWriter next = writer(elsewhere("other"));
        program.ledgers().holdBack(false);
        List<Outcome> told = outcomes.stream()
                .map(outcome ->
                        failureOf(outcome, StreamException.WriterFenced.class).outcome())
                .toList();

        assertThat(told).startsWith(Outcome.UNKNOWN).endsWith(Outcome.FAILED);
        assertThat(told.lastIndexOf(Outcome.UNKNOWN)).isLessThan(told.indexOf(Outcome.FAILED));
        append(next, 100, 101);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 2))).containsExactly(100L, 101L);
    }

    @Test
    void entriesGrowWithTheLoad() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        program.ledgers().holdBack(true);
        List<CompletableFuture<DLSN>> outcomes = new ArrayList<>();
        for (long id = 1; id <= 1000; id++) {
            outcomes.add(writer.append(record(id)));
            pass(Duration.ofMillis(1));
        }

        program.ledgers().holdBack(false);
        List<DLSN> positions = outcomes.stream().map(this::await).toList();

        // Twelve entries were on their way; what waited behind them went into one.
        assertThat(positions.get(999).entry()).isLessThan(20);
        assertThat(positions).isSorted();
    }

    @Test
    void internalThreadIsRefusedWhereItWouldHaveToWait() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        program.ledgers().holdBack(true);
        byte[] payload = new byte[1024 * 1024];
        List<CompletableFuture<DLSN>> outcomes = new ArrayList<>();
        program.loop().execute(() -> {
            for (long id = 1; id <= 100; id++) {
                outcomes.add(writer.append(LogRecord.of(id, payload)));
            }
        });
        pass(Duration.ofSeconds(1));

        // D-15
        List<CompletableFuture<DLSN>> refused = outcomes.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .toList();
        assertThat(refused).hasSizeBetween(80, 86);
        StreamException busy = failureOf(refused.get(0), StreamException.WriterBusy.class);
        assertThat(busy.isRetryable()).isTrue();
        assertThat(busy.outcome()).isEqualTo(Outcome.FAILED);
        program.ledgers().holdBack(false);
        await(writer.flush());
        program.loop().execute(() -> outcomes.add(writer.append(LogRecord.of(200, payload))));
        pass(Duration.ofSeconds(1));
        await(outcomes.get(100));
    }

    @Test
    void segmentIsKeptWhileNoLedgerCanBeMade() {
        // D-45, D-69
        LogStream stream = createHere(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        world.ledgers().refuseCreation(true);

        appendOneByOne(writer, 1, 20);

        // D-41
        assertThat(await(stream.status()).segments()).hasSize(1);
        world.ledgers().refuseCreation(false);
        pass(Duration.ofSeconds(5));
        appendOneByOne(writer, 21, 22);
        assertThat(await(stream.status()).segments()).hasSizeGreaterThan(1);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 22))).isEqualTo(numbers(1, 22));
    }

    @Test
    void oldSegmentIsFollowedByANewOneOnceItHasRecords() {
        LogStream stream = createHere(StreamOptions.DEFAULT.withSegmentBounds(Duration.ofSeconds(10), 0));
        LogWriter writer = writer(stream);
        pass(Duration.ofSeconds(60));
        assertThat(await(stream.status()).segments()).hasSize(1);

        appendOneByOne(writer, 1, 3);
        pass(Duration.ofSeconds(1));

        // D-44
        assertThat(await(stream.status()).segments())
                .extracting(StreamStatus.Segment::state)
                .containsExactly("completed", "in-progress");
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultyStores.Commit.class,
            names = {"DONE_UNKNOWN", "NOT_DONE_UNKNOWN", "UNAVAILABLE"})
    void rollSurvivesALostAnswer(FaultyStores.Commit what) {
        LogStream stream = createHere(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        stores.nextCommit(what);

        // D18, M2
        appendOneByOne(writer, 1, 10);

        assertThat(ids(read(reader(stream, StartPosition.earliest()), 10))).isEqualTo(numbers(1, 10));
        assertThat(await(stream.status()).epoch()).isEqualTo(1);
    }

    @Test
    void rollOutlivesAnOutageOfTheMetadataStore() {
        LogStream stream = createHere(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        appendOneByOne(writer, 1, 2);
        stores.away(true);
        List<CompletableFuture<DLSN>> outcomes = new ArrayList<>();
        for (long id = 3; id <= 10; id++) {
            outcomes.add(writer.append(record(id)));
            pass(Duration.ofMillis(500));
        }

        stores.away(false);
        outcomes.forEach(this::await);

        assertThat(ids(read(reader(stream, StartPosition.earliest()), 10))).isEqualTo(numbers(1, 10));
    }

    @Test
    void outageThatLastsStopsTheWriterAndNothingIsLost() {
        LogStream stream = createHere(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        await(writer.append(record(1)));
        stores.away(true);
        CompletableFuture<DLSN> late = writer.append(record(2));
        pass(Duration.ofSeconds(60));

        CompletableFuture<DLSN> refused = writer.append(record(3));
        failureOf(refused, StreamException.WriterFailed.class);
        stores.away(false);
        LogWriter next = writer(stream);
        append(next, 10, 11);

        List<Long> expected = new ArrayList<>(List.of(1L));
        if (!late.isCompletedExceptionally()) {
            expected.add(2L);
        }
        expected.addAll(List.of(10L, 11L));
        assertThat(ids(read(reader(stream, StartPosition.earliest()), expected.size())))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultyStores.Commit.class,
            names = {"DONE_UNKNOWN", "NOT_DONE_UNKNOWN"})
    void takeOverSurvivesALostAnswer(FaultyStores.Commit what) {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        await(writer(stream).append(record(1)));
        stores.nextCommit(what);

        LogWriter writer = writer(stream);
        await(writer.append(record(2)));

        assertThat(ids(read(reader(stream, StartPosition.earliest()), 2))).isEqualTo(numbers(1, 2));
    }

    @Test
    void manyWhoTakeOverAtOnceLeaveOneWriter() {
        // D-21, D-68
        LogStream stream = createHere(StreamOptions.DEFAULT);
        List<CompletableFuture<LogWriter>> opening = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            opening.add(opening(elsewhere("rival " + i)));
        }
        List<LogWriter> writers = opening.stream().map(this::await).toList();

        List<CompletableFuture<DLSN>> appends = new ArrayList<>();
        writers.forEach(writer -> appends.add(writer.append(record(1))));
        pass(Duration.ofSeconds(5));

        // S5, S7, D-53, D-57: every append had its outcome, and only one writer is left
        assertThat(appends.stream().filter(append -> !append.isCompletedExceptionally()))
                .hasSize(1);
        assertThat(await(stream.status()).segments())
                .filteredOn(segment -> segment.state().equals("in-progress"))
                .hasSize(1);
        assertThat(world.ledgers().ids())
                .as("ledgers of rivals that lost are deleted")
                .hasSameSizeAs(await(stream.status()).segments());
    }

    // ---- the reader ----

    @Test
    void readerFollowsWithoutAnyNotice() {
        LogStream stream = createHere(TINY_SEGMENTS);
        stores.deaf();
        LogReader reader = reader(stream, StartPosition.earliest());
        LogWriter writer = writer(stream);

        // D-80, M4
        for (long id = 1; id <= 10; id++) {
            await(writer.append(record(id)));
            assertThat(await(reader.next()).transactionId()).isEqualTo(id);
            pass(Duration.ofSeconds(2));
        }
    }

    @Test
    void readerTriesAgainUntilBookiesAnswer() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 5);
        world.ledgers().failReads(6);

        assertThat(ids(read(reader(stream, StartPosition.earliest()), 5))).isEqualTo(numbers(1, 5));
    }

    @Test
    void readerIsToldWhenBookiesStayAwayAndGoesOnLater() {
        // D-78
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 5);
        world.ledgers().failReads(Integer.MAX_VALUE);
        LogReader reader = reader(stream, StartPosition.earliest());

        StreamException failure = failureOf(reader.next(), StreamException.Unavailable.class);

        assertThat(failure.isRetryable()).isTrue();
        world.ledgers().failReads(0);
        assertThat(ids(read(reader, 5))).isEqualTo(numbers(1, 5));
    }

    @Test
    void batchIsToldThatNothingIsThereOnceTheMetadataStoreAnswersAgain() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 5);
        LogReader reader = reader(stream, StartPosition.earliest());
        read(reader, 5);
        pass(Duration.ofSeconds(1));

        // V7: nobody appends, so only the end of the outage can bring an answer
        stores.away(true);
        CompletableFuture<ReadResult> batch = reader.nextBatch(4, Duration.ZERO);
        pass(Duration.ofMillis(100));
        stores.away(false);

        assertThat(await(batch)).isInstanceOf(ReadResult.CaughtUp.class);
    }

    @Test
    void segmentsFoundAheadAreNotTakenForTheOneToRead() {
        LogStream stream = createHere(TINY_SEGMENTS);
        appendOneByOne(writer(stream), 1, 8);
        LogReader reader = reader(stream, StartPosition.earliest());
        world.ledgers().waitInVain(1);

        // S-37, D19: the wait ends for nothing while the next segments are known already
        assertThat(ids(read(reader, 8))).isEqualTo(numbers(1, 8));
    }

    @Test
    void damagedRecordIsToldWithItsPositionAfterThoseBefore() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 5);
        long ledgerId = await(stream.status()).segments().get(0).ledgerId();
        world.ledgers().ledger(ledgerId).damage(positions.get(3).entry());
        LogReader reader = reader(stream, StartPosition.earliest());

        List<PositionedRecord> before = read(reader, 3);

        // D-82
        assertThat(ids(before)).isEqualTo(numbers(1, 3));
        assertThat(failureOf(reader.next(), StreamException.Corrupt.class))
                .hasMessageContaining(positions.get(3).toString());
        failureOf(reader.next(), StreamException.Corrupt.class);
        DLSN behind = new DLSN(1, positions.get(3).entry() + 1, 0);
        assertThat(await(reader(stream, StartPosition.at(behind)).next()).transactionId())
                .isEqualTo(5);
    }

    @Test
    void segmentThatTellsOfOtherRecordsThanItHasIsNotPassedOver() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        LogWriter writer = writer(stream);
        append(writer, 1, 5);
        await(writer.closeWriter());
        SegmentMetadata segment =
                await(stage().metadata().segments(name(), 0, 1)).items().get(0);
        SegmentEnd wrong = new SegmentEnd(segment.lastEntryId(), segment.lastSlot(), 1, 5, 6, 0);
        put(wrong.complete(segment, 0));

        LogReader reader = reader(stream, StartPosition.earliest());

        // S2, D-91
        assertThat(ids(read(reader, 5))).isEqualTo(numbers(1, 5));
        assertThat(failureOf(reader.next(), StreamException.Corrupt.class)).hasMessageContaining("6 records");
    }

    private void put(SegmentMetadata segment) {
        Versioned<StreamMetadata> head = await(stage().metadata().read(name()));
        StreamMetadata next = new HeadEdit(head.value()).build(new WriteToken(5, 6));
        await(stage().metadata().commit(new StreamChange(next, head.version(), List.of(segment), List.of())));
    }

    @Test
    void missingSegmentIsNotPassedOver() {
        // D-56
        LogStream stream = createHere(TINY_SEGMENTS);
        appendOneByOne(writer(stream), 1, 9);
        pass(Duration.ofSeconds(1));
        Versioned<StreamMetadata> head = await(stage().metadata().read(name()));
        StreamMetadata next = new HeadEdit(head.value()).build(new WriteToken(5, 6));
        await(stage().metadata().commit(new StreamChange(next, head.version(), List.of(), List.of(2L))));

        // S2, D-95, D-136
        failureOf(
                stream.openReader(StartPosition.earliest()).thenCompose(LogReader::next),
                StreamException.Corrupt.class);
    }

    // ---- deletion ----

    @Test
    void deletionThatWasCutShortIsFinishedByTheNextCall() {
        // D-124
        int segments = 250;
        for (int commits = 0; commits <= 4; commits++) {
            LogStream stream = await(program.namespace().openStream(name(), OpenMode.CREATE_IF_MISSING, TINY_SEGMENTS));
            for (int i = 0; i < segments / 10; i++) {
                appendOneByOne(writer(stream), i * 10L, i * 10L + 9);
            }
            pass(Duration.ofSeconds(1));
            FaultyStores failing = new FaultyStores(world.stores());
            StreamsNamespace deleter =
                    world.program("deleter " + commits, failing).namespace();
            failing.awayAfterCommits(commits);

            CompletableFuture<Void> cutShort = deleter.delete(name());
            pass(Duration.ofSeconds(5));

            // S-40
            if (cutShort.isCompletedExceptionally()) {
                failureOf(cutShort, StreamException.Unavailable.class);
                boolean isMarked = commits > 0;
                assertThat(await(namespace().exists(name()))).isNotEqualTo(isMarked);
                await(namespace().delete(name()));
            }
            assertThat(world.ledgers().ids()).isEmpty();
            failureOf(namespace().delete(name()), StreamException.StreamNotFound.class);
        }
    }

    @Test
    void nameOfAHalfDeletedStreamIsFreedByCreation() {
        LogStream stream = createHere(TINY_SEGMENTS);
        appendOneByOne(writer(stream), 1, 5);
        pass(Duration.ofSeconds(1));
        FaultyStores failing = new FaultyStores(world.stores());
        failing.awayAfterCommits(1);
        failureOf(world.program("deleter", failing).namespace().delete(name()), StreamException.Unavailable.class);

        failureOf(namespace().openStream(name(), OpenMode.MUST_EXIST), StreamException.StreamNotFound.class);
        LogStream again = create();
        await(writer(again).append(record(9)));

        assertThat(ids(read(reader(again, StartPosition.earliest()), 1))).containsExactly(9L);
        assertThat(world.ledgers().ids()).hasSize(1);
    }

    @Test
    void deletionThatWasOvertakenLeavesTheSuccessorAlone() {
        LogStream stream = createHere(StreamOptions.DEFAULT);
        append(writer(stream), 1, 5);
        stores.holdListings();
        CompletableFuture<Void> overtaken = program.namespace().delete(name());
        pass(Duration.ofSeconds(1));

        // S3, S14: another program finishes the deletion, and the name is used again
        await(namespace().delete(name()));
        LogStream successor = create();
        LogWriter writer = writer(successor);
        append(writer, 100, 104);
        stores.releaseListings();
        await(overtaken);

        append(writer, 105, 105);
        assertThat(ids(read(reader(successor, StartPosition.earliest()), 6))).isEqualTo(numbers(100, 105));
    }
}
