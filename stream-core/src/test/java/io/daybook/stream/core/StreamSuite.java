// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** What the suites of stream behaviour share: a stage, a stream of their own and short words for what they do with it. */
abstract class StreamSuite {
    /** Every segment is followed by the next one after its first entry. */
    static final StreamOptions TINY_SEGMENTS = StreamOptions.DEFAULT.withSegmentBounds(Duration.ZERO, 1);

    private Stage stage;
    private StreamsNamespace namespace;
    private String name;

    abstract Stage newStage();

    @BeforeEach
    void openStage(TestInfo test) {
        stage = newStage();
        namespace = stage.namespace("program");
        name = nameFor(test);
    }

    /** The same in every run: names share buckets by their checksums, and with them the beginning of their segment numbers. */
    private static String nameFor(TestInfo test) {
        return test.getTestClass().orElseThrow().getSimpleName()
                + '-'
                + Integer.toHexString(
                        (test.getTestMethod().orElseThrow().getName() + test.getDisplayName()).hashCode());
    }

    @AfterEach
    void closeStage() {
        stage.close();
    }

    Stage stage() {
        return stage;
    }

    StreamsNamespace namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    <T> T await(CompletableFuture<T> outcome) {
        return stage.await(outcome);
    }

    <T extends StreamException> T failureOf(CompletableFuture<?> outcome, Class<T> type) {
        Throwable failure = Failures.rootOf(catchThrowable(() -> await(outcome)));
        assertThat(failure).isInstanceOf(type);
        return type.cast(failure);
    }

    LogStream create(StreamOptions options) {
        return await(namespace.openStream(name, OpenMode.CREATE_NEW, options));
    }

    LogStream create() {
        return create(StreamOptions.DEFAULT);
    }

    /** The stream as a further program sees it. */
    LogStream elsewhere(String label) {
        return await(stage.namespace(label).openStream(name, OpenMode.MUST_EXIST));
    }

    /** A writer that takes the stream over from whoever owns it. */
    LogWriter writer(LogStream stream) {
        return await(opening(stream));
    }

    static CompletableFuture<LogWriter> opening(LogStream stream) {
        return stream.openWriter(WriterOptions.DEFAULT.takingOver());
    }

    LogReader reader(LogStream stream, StartPosition start) {
        return await(stream.openReader(start));
    }

    static LogRecord record(long transactionId) {
        return LogRecord.of(transactionId, "record " + transactionId);
    }

    /** Appends records with these transaction ids, all at once. */
    List<DLSN> append(LogWriter writer, long first, long last) {
        List<CompletableFuture<DLSN>> outcomes = new ArrayList<>();
        for (long id = first; id <= last; id++) {
            outcomes.add(writer.append(record(id)));
        }
        return outcomes.stream().map(this::await).toList();
    }

    /** Appends records one by one, each after the one before was acknowledged. */
    List<DLSN> appendOneByOne(LogWriter writer, long first, long last) {
        List<DLSN> positions = new ArrayList<>();
        for (long id = first; id <= last; id++) {
            positions.add(await(writer.append(record(id))));
        }
        return positions;
    }

    List<PositionedRecord> read(LogReader reader, int count) {
        List<PositionedRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(await(reader.next()));
        }
        return records;
    }

    static List<Long> ids(List<PositionedRecord> records) {
        return records.stream().map(PositionedRecord::transactionId).toList();
    }

    static List<DLSN> positions(List<PositionedRecord> records) {
        return records.stream().map(PositionedRecord::position).toList();
    }

    static List<Long> numbers(long first, long last) {
        List<Long> numbers = new ArrayList<>();
        for (long number = first; number <= last; number++) {
            numbers.add(number);
        }
        return numbers;
    }
}
