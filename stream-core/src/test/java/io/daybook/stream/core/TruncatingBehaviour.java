// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How streams are truncated and what is asked of them, on any stage. */
abstract class TruncatingBehaviour extends StreamSuite {
    private List<Long> segmentNumbers() {
        return await(stage().metadata().segments(name(), 0, 1000)).items().stream()
                .map(SegmentMetadata::number)
                .toList();
    }

    @Test
    void truncationInsideTheActiveSegmentCountsAtOnce() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 10);

        // S11, S-38, D-118: at once, for every reader, also of another program
        assertThat(await(stream.truncate(positions.get(5)))).isEqualTo(positions.get(5));

        for (LogStream seen : List.of(stream, elsewhere("other"))) {
            assertThat(ids(read(reader(seen, StartPosition.earliest()), 5))).isEqualTo(numbers(6, 10));
            // D-123
            assertThat(ids(read(reader(seen, StartPosition.atTransactionId(2)), 5)))
                    .isEqualTo(numbers(6, 10));
            failureOf(seen.openReader(StartPosition.at(positions.get(4))), StreamException.Truncated.class);
            failureOf(seen.openReader(StartPosition.after(positions.get(3))), StreamException.Truncated.class);
            assertThat(ids(read(reader(seen, StartPosition.after(positions.get(4))), 5)))
                    .isEqualTo(numbers(6, 10));
            assertThat(ids(read(reader(seen, StartPosition.at(positions.get(0)).orEarliest()), 5)))
                    .isEqualTo(numbers(6, 10));
            assertThat(ids(read(
                            reader(seen, StartPosition.after(DLSN.BEFORE_ALL).orEarliest()), 5)))
                    .isEqualTo(numbers(6, 10));
        }
        append(writer, 11, 12);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 7))).isEqualTo(numbers(6, 12));
    }

    @Test
    void truncationNeverGoesBack() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 8);
        await(stream.truncate(positions.get(5)));

        // S11, D-122
        assertThat(await(stream.truncate(positions.get(2)))).isEqualTo(positions.get(5));
        assertThat(await(stream.truncate(DLSN.BEFORE_ALL))).isEqualTo(positions.get(5));

        assertThat(ids(read(reader(stream, StartPosition.earliest()), 3))).isEqualTo(numbers(6, 8));
        assertThat(await(stream.truncate(positions.get(6)))).isEqualTo(positions.get(6));
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 2))).isEqualTo(numbers(7, 8));
    }

    @Test
    void recordsYetToComeAreNotTruncated() {
        LogStream stream = create();
        assertThat(await(stream.truncate(new DLSN(1, 0, 0)))).isEqualTo(new DLSN(1, 0, 0));
        failureOf(stream.truncate(new DLSN(1, 0, 1)), StreamException.PositionBeyondEnd.class);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 3);
        DLSN last = positions.get(2);

        failureOf(
                stream.truncate(new DLSN(last.segment(), last.entry() + 2, 0)),
                StreamException.PositionBeyondEnd.class);
        failureOf(stream.truncate(new DLSN(last.segment() + 1, 0, 0)), StreamException.PositionBeyondEnd.class);

        DLSN behind = new DLSN(last.segment(), last.entry() + 1, 0);
        assertThat(await(stream.truncate(behind))).isEqualTo(behind);
        append(writer, 4, 4);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 1))).containsExactly(4L);
    }

    @Test
    void spaceComesBackByWholeSegmentsAndTheWriterGoesOn() {
        // D-125
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = new ArrayList<>(appendOneByOne(writer, 1, 12));
        long first = positions.get(8).segment();

        await(stream.truncate(positions.get(8)));

        // S7, D-119, D-121: whole segments, oldest first
        assertThat(segmentNumbers()).first().isEqualTo(first);
        for (long id = 13; id <= 15; id++) {
            positions.add(await(writer.append(record(id))));
        }
        List<PositionedRecord> read = read(reader(stream, StartPosition.earliest()), 7);
        assertThat(positions(read)).isEqualTo(positions.subList(8, 15));
        // S2: sequence ids count on
        assertThat(read).extracting(PositionedRecord::sequenceId).isEqualTo(numbers(8, 14));
    }

    @Test
    void streamIsTruncatedToNothingAndWrittenOn() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 5);
        await(writer.closeWriter());
        long next = segmentNumbers().get(segmentNumbers().size() - 1) + 1;

        await(stream.truncate(new DLSN(next, 0, 0)));

        // The newest segment that has records stays, so that the next writer finds where the stream ended.
        assertThat(segmentNumbers()).contains(positions.get(4).segment());
        assertThat(segmentNumbers().get(0)).isEqualTo(positions.get(4).segment());
        assertThat(await(stream.find(StartPosition.earliest()))).isEmpty();
        assertThat(await(stream.lastRecord())).isEmpty();
        LogReader waiting = reader(stream, StartPosition.earliest());
        LogWriter again = writer(stream);
        assertThat(again.lastPosition()).isEqualTo(positions.get(4));
        assertThat(again.lastTransactionId()).isEqualTo(5);
        await(again.append(record(6)));
        List<PositionedRecord> read = read(waiting, 1);
        assertThat(read).extracting(PositionedRecord::sequenceId).containsExactly(5L);
        assertThat(await(stream.status()).records()).hasValueSatisfying(records -> {
            assertThat(records.count()).isEqualTo(1);
            assertThat(records.first()).isEqualTo(records.last());
        });
    }

    @Test
    void openReaderBelowTheTruncationPointIsToldSo() {
        LogStream stream = create(StreamOptions.DEFAULT.withSegmentBounds(Duration.ZERO, 1_000_000));
        LogWriter writer = writer(stream);
        List<DLSN> positions = new ArrayList<>();
        for (long id = 1; id <= 24; id++) {
            positions.add(await(writer.append(LogRecord.of(id, new byte[500_000]))));
        }
        LogReader reader = reader(stream, StartPosition.earliest());
        assertThat(ids(read(reader, 1))).containsExactly(1L);

        await(stream.truncate(positions.get(22)));

        // S-38, D-94: what was read ahead, in order, and then the news; no hole and no hang
        long expected = 2;
        StreamException told = null;
        while (told == null) {
            CompletableFuture<PositionedRecord> next = reader.next();
            try {
                assertThat(await(next).transactionId()).isEqualTo(expected);
                expected++;
            } catch (RuntimeException failure) {
                told = failureOf(next, StreamException.Truncated.class);
            }
        }
        assertThat(expected).isLessThan(23);
        assertThat(told).hasMessageContaining(positions.get(22).toString());
        failureOf(reader.next(), StreamException.Truncated.class);
    }

    @Test
    void readerAtTheTailIsNotDisturbedByTruncation() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        LogReader reader = reader(stream, StartPosition.earliest());

        for (long id = 1; id <= 20; id++) {
            DLSN position = await(writer.append(record(id)));
            assertThat(await(reader.next()).position()).isEqualTo(position);
            await(stream.truncate(position));
        }
        await(writer.append(record(21)));

        assertThat(ids(read(reader, 1))).containsExactly(21L);
    }

    // ---- what is asked of a stream ----

    @Test
    void statusTellsFirstLastAndCount() {
        LogStream stream = create(TINY_SEGMENTS);
        // D-108, D-109, D-116: a stream without records, and with a writer that has none yet
        assertThat(await(stream.status()).records())
                .hasValueSatisfying(records -> assertThat(records.count()).isZero());
        LogWriter writer = writer(stream);
        assertThat(await(stream.status()).records())
                .hasValueSatisfying(records -> assertThat(records.count()).isZero());
        List<DLSN> positions = new ArrayList<>(appendOneByOne(writer, 1, 6));
        positions.addAll(await(writer.appendAtomically(List.of(record(7), record(8), record(9)))));

        StreamStatus status = await(stream.status());
        assertThat(status.firstKept()).isEqualTo(new DLSN(1, 0, 0));
        assertThat(status.records()).hasValueSatisfying(records -> {
            assertThat(records.count()).isEqualTo(9);
            assertThat(records.first()).contains(new StreamStatus.Point(positions.get(0), 0, 1));
            assertThat(records.last()).contains(new StreamStatus.Point(positions.get(8), 8, 9));
        });

        // D-108 differs: the first position is exact also inside a segment and inside an entry
        await(stream.truncate(positions.get(7)));
        status = await(stream.status());
        assertThat(status.firstKept()).isEqualTo(positions.get(7));
        assertThat(status.records()).hasValueSatisfying(records -> {
            assertThat(records.count()).isEqualTo(2);
            assertThat(records.first()).contains(new StreamStatus.Point(positions.get(7), 7, 8));
        });
    }

    @Test
    void lastRecordIsFoundPastSegmentsWithoutRecords() {
        LogStream stream = create();
        assertThat(await(stream.lastRecord())).isEmpty();
        LogWriter writer = writer(stream);
        assertThat(await(stream.lastRecord())).isEmpty();
        List<DLSN> positions = appendOneByOne(writer, 1, 3);

        // D-1, D-110, D-114, D-115
        assertThat(await(stream.lastRecord()))
                .hasValueSatisfying(record -> assertThat(record.position()).isEqualTo(positions.get(2)));
        for (int i = 0; i < 6; i++) {
            writer = writer(stream);
        }
        await(writer.closeWriter());
        assertThat(await(stream.lastRecord())).hasValueSatisfying(record -> {
            assertThat(record.position()).isEqualTo(positions.get(2));
            assertThat(record.payloadText()).isEqualTo("record 3");
        });
    }

    @Test
    void recordsAreFoundByPositionTransactionIdAndTime() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 10, 15);

        // D-111, D-112, D-117
        assertThat(await(stream.find(StartPosition.at(positions.get(2)))))
                .hasValueSatisfying(record -> assertThat(record.position()).isEqualTo(positions.get(2)));
        assertThat(await(stream.find(StartPosition.after(positions.get(2)))))
                .hasValueSatisfying(record -> assertThat(record.position()).isEqualTo(positions.get(3)));
        assertThat(await(stream.find(StartPosition.atTransactionId(14))))
                .hasValueSatisfying(record -> assertThat(record.transactionId()).isEqualTo(14));
        assertThat(await(stream.find(StartPosition.atTransactionId(16)))).isEmpty();
        assertThat(await(stream.find(StartPosition.latest()))).isEmpty();
        assertThat(await(stream.find(StartPosition.after(positions.get(5))))).isEmpty();
        assertThat(await(stream.find(StartPosition.atTime(Instant.EPOCH))))
                .hasValueSatisfying(record -> assertThat(record.position()).isEqualTo(positions.get(0)));
        await(writer.closeWriter());
        assertThat(await(stream.find(StartPosition.atTime(Instant.ofEpochMilli(Long.MAX_VALUE / 2)))))
                .isEmpty();
    }

    @Test
    void optionsAreChangedExceptWhatRecordsObey() {
        // D-143
        LogStream stream = create();
        LogWriter writer = writer(stream);
        append(writer, 1, 2);
        StreamOptions next = StreamOptions.DEFAULT
                .withQuorums(2, 2, 1)
                .withSegmentBounds(Duration.ofMinutes(7), 1_000)
                .withRetention(Duration.ofDays(2), 1L << 33);

        await(stream.changeOptions(next));

        // D-19
        assertThat(await(stream.status()).options()).isEqualTo(next);
        assertThat(await(elsewhere("other").status()).options()).isEqualTo(next);
        append(writer, 3, 4);
        failureOf(
                stream.changeOptions(next.withTransactionIdMode(StreamOptions.TransactionIdMode.STRICT)),
                StreamException.InvalidOptions.class);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 4))).isEqualTo(numbers(1, 4));
    }
}
