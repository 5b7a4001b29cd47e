// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import io.daybook.stream.StreamStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How streams are created, written and taken over, on any stage. */
abstract class WritingBehaviour extends StreamSuite {
    @Test
    void recordsAreReadAsTheyWereAppended() {
        // D-34
        LogStream stream = create();
        LogWriter writer = writer(stream);

        List<DLSN> positions = append(writer, 1, 100);

        List<PositionedRecord> records = read(reader(stream, StartPosition.earliest()), 100);
        // D-1, S3
        assertThat(positions).isSorted().doesNotHaveDuplicates();
        assertThat(positions(records)).isEqualTo(positions);
        assertThat(ids(records)).isEqualTo(numbers(1, 100));
        assertThat(records)
                .extracting(PositionedRecord::payloadText)
                .startsWith("record 1")
                .endsWith("record 100");
        assertThat(records).extracting(PositionedRecord::sequenceId).isEqualTo(numbers(0, 99));
    }

    @Test
    void emptyPayloadIsARecord() {
        LogStream stream = create();

        await(writer(stream).append(LogRecord.of(7, "")));

        // D-3
        PositionedRecord record = await(reader(stream, StartPosition.earliest()).next());
        assertThat(record.payloadBytes()).isEmpty();
        assertThat(record.transactionId()).isEqualTo(7);
    }

    @Test
    void writerKnowsTheLastRecordWhenItsAppendCompletes() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        assertThat(writer.lastPosition()).isEqualTo(DLSN.BEFORE_ALL);
        assertThat(writer.lastTransactionId()).isEqualTo(-1);

        DLSN position = await(writer.append(record(5)));

        // D-4: and so does whoever opens it next
        assertThat(writer.lastPosition()).isEqualTo(position);
        assertThat(writer.lastTransactionId()).isEqualTo(5);
        LogWriter next = writer(elsewhere("other"));
        assertThat(next.lastPosition()).isEqualTo(position);
        assertThat(next.lastTransactionId()).isEqualTo(5);
    }

    @Test
    void batchIsStoredAsOne() {
        // D-8
        LogStream stream = create();
        LogWriter writer = writer(stream);

        CompletableFuture<DLSN> before = writer.append(record(1));
        List<DLSN> positions = await(writer.appendAtomically(List.of(record(2), record(3), record(4))));

        // D-11
        assertThat(await(before)).isLessThan(positions.get(0));
        assertThat(positions)
                .extracting(DLSN::entry)
                .containsOnly(positions.get(0).entry());
        assertThat(positions)
                .extracting(DLSN::slot)
                .containsExactly(
                        positions.get(0).slot(),
                        positions.get(0).slot() + 1,
                        positions.get(0).slot() + 2);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 4))).isEqualTo(numbers(1, 4));
        assertThat(await(writer.appendAtomically(List.of()))).isEmpty();
        // D-14: told apart by their slots alone
        List<DLSN> shared = await(writer.appendAtomically(List.of(record(5), record(5), record(5))));
        List<PositionedRecord> read = read(reader(stream, StartPosition.atTransactionId(5)), 3);
        assertThat(ids(read)).containsExactly(5L, 5L, 5L);
        assertThat(positions(read)).isEqualTo(shared).doesNotHaveDuplicates();
    }

    @Test
    void largestRecordIsStoredAndALargerOneIsRefusedWithoutHarm() {
        // D-12
        LogStream stream = create();
        LogWriter writer = writer(stream);
        byte[] largest = new byte[LogRecord.PAYLOAD_BYTES_MAX];
        largest[largest.length - 1] = 42;

        DLSN position = await(writer.append(LogRecord.of(1, largest)));
        CompletableFuture<DLSN> tooLarge = writer.append(LogRecord.of(2, new byte[largest.length + 1]));
        CompletableFuture<List<DLSN>> tooLargeTogether =
                writer.appendAtomically(List.of(LogRecord.of(2, largest), LogRecord.of(3, "x")));

        // D-5, D-7
        assertThat(failureOf(tooLarge, StreamException.RecordTooLarge.class)).hasMessageContaining("2097152");
        failureOf(tooLargeTogether, StreamException.RecordTooLarge.class);
        await(writer.append(record(2)));
        List<PositionedRecord> records = read(reader(stream, StartPosition.earliest()), 2);
        assertThat(records.get(0).position()).isEqualTo(position);
        assertThat(records.get(0).payloadBytes()).isEqualTo(largest);
        assertThat(ids(records)).containsExactly(1L, 2L);
        // D-6: two that do not fit into one entry stand in two
        CompletableFuture<DLSN> third = writer.append(LogRecord.of(3, largest));
        CompletableFuture<DLSN> fourth = writer.append(LogRecord.of(4, largest));
        assertThat(await(fourth).entry()).isEqualTo(await(third).entry() + 1);
    }

    @Test
    void callerMayReuseItsBuffer() {
        LogStream stream = create();
        byte[] bytes = "first".getBytes(StandardCharsets.UTF_8);

        CompletableFuture<DLSN> append = writer(stream).append(LogRecord.of(1, bytes));
        bytes[0] = 'X';
        await(append);

        assertThat(await(reader(stream, StartPosition.earliest()).next()).payloadText())
                .isEqualTo("first");
    }

    @Test
    void flushWaitsForEveryAppendBefore() {
        LogWriter writer = writer(create());
        assertThat(await(writer.flush())).isEqualTo(DLSN.BEFORE_ALL);

        CompletableFuture<DLSN> append = writer.append(record(1));
        DLSN flushed = await(writer.flush());

        assertThat(append).isDone();
        assertThat(flushed).isEqualTo(await(append));
    }

    @Test
    void closingCompletesTheSegment() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        CompletableFuture<DLSN> append = writer.append(record(1));

        await(writer.closeWriter());

        // D-23
        assertThat(append).isDone();
        assertThat(await(stream.status()).segments())
                .extracting(StreamStatus.Segment::state)
                .containsExactly("completed");
        await(writer.closeWriter());
        StreamException refused = failureOf(writer.append(record(2)), StreamException.HandleClosed.class);
        assertThat(refused.outcome()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void takeOverKeepsEveryAcknowledgedRecordAndFencesTheOldWriter() {
        // D-26, D-34
        LogStream stream = create();
        LogWriter old = writer(stream);
        List<DLSN> first = append(old, 1, 50);

        LogWriter next = writer(elsewhere("other"));
        // D-52, S-42
        StreamException refused = failureOf(old.append(record(51)), StreamException.WriterFenced.class);
        List<DLSN> second = append(next, 60, 70);

        assertThat(refused.isRetryable()).isFalse();
        assertThat(failureOf(old.append(record(52)), StreamException.WriterFenced.class)
                        .outcome())
                .isEqualTo(Outcome.FAILED);
        failureOf(old.closeWriter(), StreamException.WriterFenced.class);
        List<PositionedRecord> records = read(reader(stream, StartPosition.earliest()), 61);
        assertThat(positions(records).subList(0, 50)).isEqualTo(first);
        assertThat(positions(records).subList(50, 61)).isEqualTo(second);
        assertThat(records).extracting(PositionedRecord::sequenceId).isEqualTo(numbers(0, 60));
    }

    @Test
    void twoWritersOfOneProgramExcludeEachOther() {
        LogStream stream = create();
        LogWriter old = writer(stream);
        LogWriter next = writer(stream);

        failureOf(old.append(record(1)), StreamException.WriterFenced.class);
        await(next.append(record(1)));

        assertThat(ids(read(reader(stream, StartPosition.earliest()), 1))).containsExactly(1L);
    }

    @Test
    void writersThatLeftNoRecordStopNobody() {
        // D-55
        LogStream stream = create();
        await(writer(stream).append(record(3)));

        // S-39: five writers open and are gone before their first record
        for (int i = 0; i < 5; i++) {
            writer(stream);
        }
        LogWriter last = writer(stream);
        assertThat(last.lastTransactionId()).isEqualTo(3);
        await(last.append(record(4)));

        assertThat(ids(read(reader(stream, StartPosition.earliest()), 2))).containsExactly(3L, 4L);
        assertThat(await(stream.status()).segments())
                .extracting(StreamStatus.Segment::number)
                .isEqualTo(numbers(1, 7));
    }

    @Test
    void rollingLosesNothingAndKeepsTheOrder() {
        // D-33
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);

        List<DLSN> oneByOne = appendOneByOne(writer, 1, 20);
        List<DLSN> together = append(writer, 21, 200);

        // D-1, D-40, D-42
        List<PositionedRecord> records = read(reader(stream, StartPosition.earliest()), 200);
        assertThat(positions(records).subList(0, 20)).isEqualTo(oneByOne);
        assertThat(positions(records).subList(20, 200)).isEqualTo(together);
        assertThat(ids(records)).isEqualTo(numbers(1, 200));
        List<StreamStatus.Segment> segments = await(stream.status()).segments();
        assertThat(segments).hasSizeGreaterThan(3);
        assertThat(segments.subList(0, segments.size() - 1))
                .extracting(StreamStatus.Segment::state)
                .containsOnly("completed");
        await(writer.closeWriter());
        assertThat(await(stream.status()).segments().stream()
                        .mapToLong(segment -> segment.recordCount().orElse(-1L))
                        .sum())
                .isEqualTo(200);
        for (SegmentMetadata segment :
                await(stage().metadata().segments(name(), 0, 1000)).items()) {
            positions(records).stream()
                    .filter(position -> position.segment() == segment.number())
                    .max(DLSN::compareTo)
                    .ifPresent(last -> assertThat(last)
                            .isEqualTo(new DLSN(segment.number(), segment.lastEntryId(), segment.lastSlot())));
        }
    }

    @Test
    void twoStreamsThatRollAndAreTakenOverAreReadOnceAndInOrder() {
        LogStream first = create(TINY_SEGMENTS);
        LogStream second = await(namespace().openStream("second/" + name(), OpenMode.CREATE_NEW, TINY_SEGMENTS));
        LogReader follower = reader(second, StartPosition.earliest());
        List<DLSN> positions = new ArrayList<>();

        // D-46: every round takes over from the writer before, which is not closed
        for (int round = 0; round < 4; round++) {
            positions.addAll(append(writer(first), 10 * round + 1, 10 * round + 10));
            appendOneByOne(writer(second), 10 * round + 1, 10 * round + 10);
        }
        await(first.truncate(positions.get(20)));

        assertThat(ids(read(follower, 40))).isEqualTo(numbers(1, 40));
        assertThat(ids(read(reader(second, StartPosition.earliest()), 40))).isEqualTo(numbers(1, 40));
        assertThat(ids(read(reader(first, StartPosition.earliest()), 20))).isEqualTo(numbers(21, 40));
    }

    @Test
    void transactionIdsNeverFall() {
        LogWriter writer = writer(create());
        await(writer.append(record(5)));

        // D-32
        await(writer.append(record(5)));
        StreamException refused = failureOf(writer.append(record(4)), StreamException.TransactionIdOutOfOrder.class);
        failureOf(
                writer.appendAtomically(List.of(record(7), record(6))), StreamException.TransactionIdOutOfOrder.class);
        await(writer.append(record(1000)));

        assertThat(refused).hasMessageContaining("4").hasMessageContaining("5");
    }

    @Test
    void strictStreamStoresARecordOnceHoweverOftenItIsSent() {
        LogStream stream = create(StreamOptions.DEFAULT.withTransactionIdMode(TransactionIdMode.STRICT));
        LogWriter old = writer(stream);
        List<DLSN> stored = append(old, 1, 10);
        List<DLSN> batch = await(old.appendAtomically(List.of(record(20), record(21))));

        LogWriter writer = writer(stream);
        // S9
        assertThat(append(writer, 1, 10)).isEqualTo(stored);
        assertThat(await(writer.appendAtomically(List.of(record(20), record(21)))))
                .isEqualTo(batch);
        CompletableFuture<DLSN> onItsWay = writer.append(record(30));
        CompletableFuture<DLSN> again = writer.append(record(30));
        assertThat(await(again)).isEqualTo(await(onItsWay));
        assertThat(await(writer.append(record(30)))).isEqualTo(await(onItsWay));

        failureOf(writer.append(record(15)), StreamException.TransactionIdOutOfOrder.class);
        failureOf(
                writer.appendAtomically(List.of(record(30), record(31))),
                StreamException.TransactionIdOutOfOrder.class);
        await(writer.append(record(31)));
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 14)))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 20L, 21L, 30L, 31L);
    }

    @Test
    void strictStreamFindsWhatEarlierSegmentsHold() {
        LogStream stream = create(TINY_SEGMENTS.withTransactionIdMode(TransactionIdMode.STRICT));
        LogWriter writer = writer(stream);

        List<DLSN> stored = appendOneByOne(writer, 1, 30);

        assertThat(appendOneByOne(writer, 1, 30)).isEqualTo(stored);
    }

    @Test
    void openModesDecideAboutWhatExists() {
        // D-116, D-126
        failureOf(namespace().openStream(name(), OpenMode.MUST_EXIST), StreamException.StreamNotFound.class);
        assertThat(await(namespace().exists(name()))).isFalse();

        await(namespace().openStream(name(), OpenMode.CREATE_IF_MISSING));

        assertThat(await(namespace().exists(name()))).isTrue();
        await(namespace().openStream(name(), OpenMode.CREATE_IF_MISSING));
        await(namespace().openStream(name(), OpenMode.MUST_EXIST));
        failureOf(namespace().openStream(name(), OpenMode.CREATE_NEW), StreamException.StreamExists.class);
        assertThat(await(namespace().list(name(), "", 10)).names()).containsExactly(name());
    }

    @Test
    void illegalNamesAreRefused() {
        // D-116, D-126
        // D-127
        for (String illegal : List.of("", "/a", "a/", "a//b", "-a", "a b", "ä", "a\u0000", "x".repeat(256))) {
            failureOf(namespace().openStream(illegal, OpenMode.CREATE_NEW), StreamException.InvalidName.class);
            failureOf(namespace().delete(illegal), StreamException.InvalidName.class);
        }
        assertThatThrownBy(() -> namespace().list("", "", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deletedStreamIsGoneAndItsNameIsFree() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter old = writer(stream);
        appendOneByOne(old, 10, 15);

        await(namespace().delete(name()));

        // S-40, S14
        assertThat(await(namespace().exists(name()))).isFalse();
        failureOf(namespace().delete(name()), StreamException.StreamNotFound.class);
        failureOf(old.append(record(20)), StreamException.class);
        LogStream again = create();
        await(writer(again).append(record(1)));
        LogReader reader = reader(again, StartPosition.earliest());
        assertThat(ids(read(reader, 1))).containsExactly(1L);
    }
}
