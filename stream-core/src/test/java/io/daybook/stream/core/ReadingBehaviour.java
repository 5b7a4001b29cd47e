// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.segment.HeadEdit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How streams are read, on any stage. */
abstract class ReadingBehaviour extends StreamSuite {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void readerOfAnEmptyStreamWaitsForTheFirstRecord() {
        // D-93
        LogStream stream = create();
        LogReader reader = reader(stream, StartPosition.earliest());
        CompletableFuture<PositionedRecord> first = reader.next();
        assertThat(await(reader(stream, StartPosition.earliest()).nextBatch(5, Duration.ZERO)))
                .isInstanceOf(ReadResult.CaughtUp.class);

        await(writer(stream).append(record(1)));

        assertThat(await(first).transactionId()).isEqualTo(1);
    }

    @Test
    void tailIsFollowedFromSegmentToSegment() {
        // D-74, D-79, D-96
        LogStream stream = create(TINY_SEGMENTS);
        LogReader here = reader(stream, StartPosition.earliest());
        LogReader there = reader(elsewhere("reader"), StartPosition.earliest());
        LogWriter writer = writer(stream);

        // S-37, D-43, D-85: one write, one read
        for (long id = 1; id <= 30; id++) {
            DLSN position = await(writer.append(record(id)));
            assertThat(await(here.next()).position()).isEqualTo(position);
        }

        assertThat(ids(read(there, 30))).isEqualTo(numbers(1, 30));
    }

    @Test
    void emptySegmentsArePassedOver() {
        LogStream stream = create();
        for (long id = 1; id <= 5; id++) {
            writer(stream);
            await(writer(stream).append(record(id)));
            await(writer(stream).closeWriter());
        }

        // D-83, D-84
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 5))).isEqualTo(numbers(1, 5));
    }

    @Test
    void readerGoesOnAcrossATakeOver() {
        // D-97
        LogStream stream = create();
        LogReader reader = reader(stream, StartPosition.earliest());
        LogWriter old = writer(stream);
        append(old, 1, 10);
        assertThat(ids(read(reader, 10))).isEqualTo(numbers(1, 10));
        CompletableFuture<PositionedRecord> next = reader.next();

        LogWriter second = writer(elsewhere("other"));
        await(second.append(record(11)));

        assertThat(await(next).transactionId()).isEqualTo(11);
    }

    @Test
    void resumedReaderBeginsWithTheSuccessor() {
        // D-71, D-75, D-93
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = new ArrayList<>(appendOneByOne(writer, 1, 5));
        positions.addAll(await(writer.appendAtomically(List.of(record(6), record(7), record(8)))));
        positions.addAll(appendOneByOne(writer, 9, 12));

        // S13
        for (int i = 0; i < positions.size() - 1; i++) {
            DLSN position = positions.get(i);
            assertThat(await(reader(stream, StartPosition.after(position)).next())
                            .position())
                    .isEqualTo(positions.get(i + 1));
            assertThat(await(reader(stream, StartPosition.at(position)).next()).position())
                    .isEqualTo(position);
        }
    }

    @Test
    void positionWithoutARecordStartsAtTheNextOne() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 2);

        // D-71
        DLSN beside = new DLSN(1, positions.get(0).entry(), 9);
        assertThat(await(reader(stream, StartPosition.at(beside)).next()).transactionId())
                .isEqualTo(2);
        assertThat(await(reader(stream, StartPosition.at(DLSN.BEFORE_ALL)).next())
                        .transactionId())
                .isEqualTo(1);
        CompletableFuture<PositionedRecord> later =
                reader(stream, StartPosition.after(positions.get(1))).next();
        DLSN third = await(writer.append(record(3)));
        assertThat(await(later).position()).isEqualTo(third);
    }

    @Test
    void latestBeginsBehindWhatIsAcknowledged() {
        // D-87
        LogStream stream = create();
        LogReader fromEmpty = reader(stream, StartPosition.latest());
        LogWriter writer = writer(stream);
        append(writer, 1, 10);

        LogReader latest = reader(stream, StartPosition.latest());
        await(writer.append(record(11)));

        assertThat(await(latest.next()).transactionId()).isEqualTo(11);
        assertThat(await(fromEmpty.next()).transactionId()).isEqualTo(1);
        await(writer.closeWriter());
        LogReader behindAll = reader(stream, StartPosition.latest());
        await(writer(stream).append(record(12)));
        assertThat(await(behindAll.next()).transactionId()).isEqualTo(12);
    }

    @Test
    void transactionIdIsFoundWhereverItIs() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        for (long id = 10; id <= 300; id += 10) {
            await(writer.append(record(id)));
            if (id % 70 == 0) {
                await(writer.append(record(id)));
                writer = writer(stream);
            }
        }

        // D-112, D-113, S13
        for (long id = 0; id <= 300; id += 5) {
            PositionedRecord found =
                    await(reader(stream, StartPosition.atTransactionId(id)).next());
            assertThat(found.transactionId()).isEqualTo(Math.max(10, (id + 9) / 10 * 10));
        }
        PositionedRecord first =
                await(reader(stream, StartPosition.atTransactionId(70)).next());
        assertThat(await(reader(stream, StartPosition.after(first.position())).next())
                        .transactionId())
                .isEqualTo(70);
    }

    @Test
    void transactionIdBeyondTheEndWaitsForIt() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        append(writer, 1, 3);

        CompletableFuture<PositionedRecord> beyond =
                reader(stream, StartPosition.atTransactionId(100)).next();
        append(writer, 99, 101);

        // D-86
        assertThat(await(beyond).transactionId()).isEqualTo(100);
    }

    @Test
    void batchTakesWhatIsThereAndTellsWhenNothingIs() {
        // D-78
        LogStream stream = create();
        LogWriter writer = writer(stream);
        append(writer, 1, 10);
        LogReader reader = reader(stream, StartPosition.earliest());

        List<PositionedRecord> records = new ArrayList<>();
        while (records.size() < 10) {
            // D-72, D-73
            ReadResult result = await(reader.nextBatch(4, LONG));
            assertThat(result).isInstanceOf(ReadResult.Records.class);
            List<PositionedRecord> batch = ((ReadResult.Records) result).list();
            assertThat(batch).hasSizeBetween(1, 4);
            records.addAll(batch);
        }

        assertThat(ids(records)).isEqualTo(numbers(1, 10));
        assertThat(await(reader.nextBatch(4, Duration.ZERO))).isInstanceOf(ReadResult.CaughtUp.class);
        assertThat(await(reader.nextBatch(4, Duration.ofMillis(50)))).isInstanceOf(ReadResult.CaughtUp.class);
        CompletableFuture<ReadResult> waiting = reader.nextBatch(4, LONG);
        CompletableFuture<PositionedRecord> queued = reader.next();
        append(writer, 11, 11);
        await(waiting);
        append(writer, 12, 12);
        assertThat(await(queued).transactionId()).isEqualTo(12);
        assertThatThrownBy(() -> reader.nextBatch(0, LONG)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void caughtUpIsNotSaidWhileSegmentsAreLeft() {
        // D-90
        LogStream stream = create(TINY_SEGMENTS);
        appendOneByOne(writer(stream), 1, 25);
        LogReader reader = reader(stream, StartPosition.earliest());

        // D-88
        List<Long> ids = new ArrayList<>();
        ReadResult result = await(reader.nextBatch(7, Duration.ZERO));
        while (result instanceof ReadResult.Records records) {
            ids.addAll(ids(records.list()));
            result = await(reader.nextBatch(7, Duration.ZERO));
        }

        assertThat(ids).isEqualTo(numbers(1, 25));
        assertThat(result).isInstanceOf(ReadResult.CaughtUp.class);
    }

    @Test
    void sealedStreamEndsAfterItsLastRecord() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        LogReader waiting = reader(stream, StartPosition.latest());
        await(writer.closeWriter());
        CompletableFuture<PositionedRecord> next = waiting.next();

        change(head -> new HeadEdit(head).state(StreamMetadata.State.SEALED).build(new WriteToken(1, 2)));

        // S12, D-49
        failureOf(next, StreamException.EndOfStream.class);
        assertThat(await(waiting.nextBatch(1, LONG))).isInstanceOf(ReadResult.Ended.class);
        LogReader reader = reader(stream, StartPosition.earliest());
        assertThat(ids(read(reader, 3))).isEqualTo(numbers(1, 3));
        failureOf(reader.next(), StreamException.EndOfStream.class);
        failureOf(reader.next(), StreamException.EndOfStream.class);
        failureOf(opening(stream), StreamException.EndOfStream.class);
        assertThat(await(stream.status()).isSealed()).isTrue();
    }

    @Test
    void positionsBelowTheTruncationPointAreRefused() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 6);
        DLSN first = positions.get(3);
        await(writer.closeWriter());

        change(head -> truncatedAt(head, first));

        // S11
        assertThat(await(reader(stream, StartPosition.earliest()).next()).position())
                .isEqualTo(first);
        assertThat(await(reader(stream, StartPosition.atTransactionId(1)).next())
                        .position())
                .isEqualTo(first);
        assertThat(await(reader(stream, StartPosition.at(first)).next()).position())
                .isEqualTo(first);
        StreamException refused =
                failureOf(stream.openReader(StartPosition.at(positions.get(2))), StreamException.Truncated.class);
        assertThat(refused).hasMessageContaining(first.toString());
        failureOf(stream.openReader(StartPosition.after(positions.get(1))), StreamException.Truncated.class);
    }

    private static StreamMetadata truncatedAt(StreamMetadata head, DLSN first) {
        return new StreamMetadata(
                head.name(),
                head.incarnation(),
                head.home(),
                head.state(),
                head.settings(),
                head.epoch(),
                head.originSegmentNumber(),
                head.firstSegmentNumber(),
                head.nextSegmentNumber(),
                first.segment(),
                first.entry(),
                first.slot(),
                head.lastTransactionId(),
                head.owner(),
                head.createdMillis(),
                new WriteToken(3, 4));
    }

    private void change(UnaryOperator<StreamMetadata> edit) {
        Versioned<StreamMetadata> head = await(stage().metadata().read(name()));
        await(stage().metadata()
                .commit(new StreamChange(edit.apply(head.value()), head.version(), List.of(), List.of())));
    }

    @Test
    void readerOfADeletedStreamIsToldSo() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        append(writer, 1, 2);
        LogReader reader = reader(stream, StartPosition.earliest());
        assertThat(ids(read(reader, 2))).isEqualTo(numbers(1, 2));
        CompletableFuture<PositionedRecord> next = reader.next();

        await(namespace().delete(name()));

        // D-89
        failureOf(next, StreamException.StreamNotFound.class);
        failureOf(reader.next(), StreamException.StreamNotFound.class);
        failureOf(stream.openReader(StartPosition.earliest()), StreamException.StreamNotFound.class);
        failureOf(opening(stream), StreamException.StreamNotFound.class);
    }

    @Test
    void readerOfADeletedStreamNeverReadsItsSuccessor() {
        LogStream stream = create();
        await(writer(stream).closeWriter());
        LogReader reader = reader(stream, StartPosition.earliest());
        await(namespace().delete(name()));

        LogWriter second = writer(create());
        await(second.append(record(1)));

        // S14
        failureOf(reader.next(), StreamException.StreamNotFound.class);
    }

    @Test
    void positionsOfADeletedStreamAreRefusedByItsSuccessor() {
        LogStream stream = create(TINY_SEGMENTS);
        List<DLSN> old = appendOneByOne(writer(stream), 1, 5);
        await(namespace().delete(name()));
        create();
        LogStream successor = elsewhere("another program");
        List<DLSN> positions = append(writer(successor), 11, 20);

        // S14: none is taken for one of the new stream, also not when the first one that is left would do
        assertThat(positions).allMatch(position -> old.stream().allMatch(other -> other.compareTo(position) < 0));
        for (DLSN position : old) {
            DLSN read = DLSN.parse(position.toString());
            assertThat(failureOf(successor.openReader(StartPosition.at(read)), StreamException.ForeignPosition.class))
                    .hasMessageContaining(position.toString())
                    .hasMessageContaining(positions.get(0).toString());
            failureOf(successor.openReader(StartPosition.after(read)), StreamException.ForeignPosition.class);
            failureOf(
                    successor.openReader(StartPosition.after(read).orEarliest()),
                    StreamException.ForeignPosition.class);
            failureOf(successor.find(StartPosition.at(read).orEarliest()), StreamException.ForeignPosition.class);
            failureOf(successor.truncate(read), StreamException.ForeignPosition.class);
        }
        assertThat(ids(read(reader(successor, StartPosition.at(positions.get(3))), 2)))
                .containsExactly(14L, 15L);
        assertThat(ids(read(reader(successor, StartPosition.after(DLSN.BEFORE_ALL)), 2)))
                .containsExactly(11L, 12L);
    }

    @Test
    void closingEndsCallsUnderWay() {
        LogStream stream = create();
        LogReader reader = reader(stream, StartPosition.earliest());
        CompletableFuture<PositionedRecord> next = reader.next();
        CompletableFuture<ReadResult> batch = reader.nextBatch(1, LONG);

        reader.close();
        reader.close();

        // D-76
        failureOf(next, StreamException.HandleClosed.class);
        failureOf(batch, StreamException.HandleClosed.class);
        failureOf(reader.next(), StreamException.HandleClosed.class);
    }

    @Test
    void handlesMayBeClosedInsideACallback() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        LogReader reader = reader(stream, StartPosition.earliest());

        // D-101
        await(reader.next().thenAccept(record -> reader.close()));
        failureOf(reader.next(), StreamException.HandleClosed.class);
        await(writer.append(record(4)).thenCompose(position -> writer.closeWriter()));
        failureOf(writer.append(record(5)), StreamException.HandleClosed.class);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 4))).isEqualTo(numbers(1, 4));
    }

    @Test
    void callThatWasTakenBackCostsNoRecord() {
        LogStream stream = create();
        LogReader reader = reader(stream, StartPosition.earliest());
        reader.next().cancel(false);

        append(writer(stream), 1, 2);

        // D-101
        assertThat(ids(read(reader, 2))).isEqualTo(numbers(1, 2));
    }

    @Test
    void manySmallRecordsAreAllThere() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        int count = 100_000;
        CompletableFuture<DLSN> last = new CompletableFuture<>();
        for (long id = 1; id <= count; id++) {
            last = writer.append(record(id));
        }
        await(last);

        LogReader reader = reader(stream, StartPosition.earliest());
        long expected = 1;
        while (expected <= count) {
            ReadResult result = await(reader.nextBatch(5000, LONG));
            for (PositionedRecord record : ((ReadResult.Records) result).list()) {
                assertThat(record.transactionId()).isEqualTo(expected);
                assertThat(record.sequenceId()).isEqualTo(expected - 1);
                expected++;
            }
        }

        assertThat(last).isCompletedWithValue(writer.lastPosition());
    }
}
