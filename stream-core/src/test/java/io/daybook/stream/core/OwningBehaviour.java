// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.daybook.stream.StreamOptions.Compression;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may write a stream, and how a stream ends for ever, on any stage. */
abstract class OwningBehaviour extends StreamSuite {
    private static final WriterOptions POLITE = WriterOptions.DEFAULT.failingIfOwned();

    // ---- ownership ----

    @Test
    void streamHasOneOwnerAlsoWithinOneProgram() {
        LogStream stream = create();
        LogWriter owner = await(stream.openWriter(POLITE.withLabel("the first")));
        await(owner.append(record(1)));

        // D-60, D-63, D-103: refused at once, with who owns it and since when
        for (LogStream rivals : List.of(stream, elsewhere("rival"))) {
            StreamException.StreamOwned refused =
                    failureOf(rivals.openWriter(POLITE), StreamException.StreamOwned.class);
            assertThat(refused)
                    .hasMessageContaining("owned by the first")
                    .hasMessageContaining("since " + refused.since());
            assertThat(refused.owner()).startsWith("the first");
            assertThat(refused.since()).isBetween(Instant.EPOCH, Instant.now().plusSeconds(60));
            assertThat(refused.isRetryable()).isTrue();
        }

        await(owner.append(record(2)));
        await(owner.closeWriter());
        LogWriter next = await(elsewhere("next").openWriter(POLITE));
        await(next.append(record(3)));
        assertThat(await(stream.status()).owner()).isNotEmpty();
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 3))).isEqualTo(numbers(1, 3));
    }

    @Test
    void streamIsFreeForEverybodyOnceItsWriterIsClosed() {
        LogStream stream = create();
        List<LogStream> programs = List.of(stream, elsewhere("another"), elsewhere("a third"));

        for (int round = 1; round <= 10; round++) {
            LogWriter owner = await(programs.get(round % 3).openWriter(POLITE));
            await(owner.append(record(round)));
            await(owner.closeWriter());
        }
        LogWriter last = await(stream.openWriter(POLITE));
        await(last.seal());

        failureOf(programs.get(1).openWriter(POLITE), StreamException.EndOfStream.class);
    }

    @Test
    void whoWaitsIsNextWhenTheOwnerEnds() {
        LogStream stream = create();
        LogWriter owner = await(stream.openWriter());
        await(owner.append(record(1)));
        CompletableFuture<LogWriter> waiting = elsewhere("rival").openWriter(WriterOptions.DEFAULT);
        failureOf(stream.openWriter(POLITE), StreamException.StreamOwned.class);
        assertThat(waiting).isNotDone();
        CompletableFuture<DLSN> last = owner.append(record(2));

        await(owner.closeWriter());

        // D-62
        LogWriter next = await(waiting);
        assertThat(last).isCompletedWithValue(next.lastPosition());
        await(next.append(record(3)));
    }

    @Test
    void whoWaitsIsRefusedAtTheDeadline() {
        LogStream stream = create();
        LogWriter owner = await(stream.openWriter());

        // D-63
        failureOf(
                stream.openWriter(WriterOptions.DEFAULT.waitingFor(Duration.ofMillis(50))),
                StreamException.StreamOwned.class);
        failureOf(
                stream.openWriter(WriterOptions.DEFAULT.waitingFor(Duration.ZERO)), StreamException.StreamOwned.class);

        await(owner.append(record(1)));
        await(owner.closeWriter());
        await(stream.openWriter(WriterOptions.DEFAULT.waitingFor(Duration.ZERO)));
    }

    @Test
    void ownerThatIsTakenOverHearsOfItThoughItIsIdle() {
        LogStream stream = create();
        LogWriter owner = await(stream.openWriter());
        await(owner.append(record(1)));

        LogWriter next = writer(elsewhere("rival"));
        await(next.append(record(2)));

        // D-60
        failureOf(owner.append(record(3)), StreamException.WriterFenced.class);
        failureOf(elsewhere("third").openWriter(POLITE), StreamException.StreamOwned.class);
        await(next.append(record(4)));
    }

    @Test
    void openingThatFailsLeavesTheStreamFree() {
        LogStream stream = create();
        await(await(stream.openWriter()).seal());

        // D-54: a lock that was kept would refuse the second one as owned
        for (int i = 0; i < 3; i++) {
            failureOf(stream.openWriter(POLITE), StreamException.EndOfStream.class);
        }
        await(namespace().delete(name()));
        failureOf(stream.openWriter(POLITE), StreamException.StreamNotFound.class);
        await(create().openWriter(POLITE));
    }

    @Test
    void closingTheNamespaceFreesItsStreams() {
        create();
        StreamsNamespace other = stage().namespace("other");
        LogWriter owner =
                await(await(other.openStream(name(), OpenMode.MUST_EXIST)).openWriter());
        await(owner.append(record(1)));

        await(other.shutdown());

        await(elsewhere("third").openWriter());
    }

    // ---- the end of a stream ----

    @Test
    void sealedStreamEndsForEverybody() {
        LogStream stream = create();
        LogReader reader = reader(stream, StartPosition.earliest());
        LogWriter writer = await(stream.openWriter());
        CompletableFuture<DLSN> last = writer.append(record(3));

        CompletableFuture<DLSN> sealed = writer.seal();
        CompletableFuture<DLSN> late = writer.append(record(4));

        // S12, D-47, D-49, D-50
        assertThat(await(sealed)).isEqualTo(await(last));
        failureOf(late, StreamException.EndOfStream.class);
        failureOf(writer.append(record(5)), StreamException.EndOfStream.class);
        assertThat(await(writer.seal())).isEqualTo(await(last));
        await(writer.closeWriter());
        for (LogStream everybodys : List.of(stream, elsewhere("other"))) {
            failureOf(everybodys.openWriter(), StreamException.EndOfStream.class);
            failureOf(opening(everybodys), StreamException.EndOfStream.class);
        }
        assertThat(ids(read(reader, 1))).containsExactly(3L);
        failureOf(reader.next(), StreamException.EndOfStream.class);
        failureOf(reader.next(), StreamException.EndOfStream.class);
        StreamStatus status = await(stream.status());
        assertThat(status.isSealed()).isTrue();
        assertThat(status.segments()).extracting(StreamStatus.Segment::state).containsOnly("completed");
    }

    @Test
    void emptyStreamCanBeSealedAndSoCanOneWhoseNewestSegmentIsEmpty() {
        // D-48, D-51
        LogStream empty = create();
        assertThat(await(await(empty.openWriter()).seal())).isEqualTo(DLSN.BEFORE_ALL);
        failureOf(reader(empty, StartPosition.earliest()).next(), StreamException.EndOfStream.class);
        await(namespace().delete(name()));

        LogStream stream = create(TINY_SEGMENTS);
        DLSN last = DLSN.BEFORE_ALL;
        for (long id = 1; id <= 3; id++) {
            LogWriter writer = await(stream.openWriter());
            last = await(writer.append(record(id)));
            await(writer.closeWriter());
        }
        assertThat(await(await(stream.openWriter()).seal())).isEqualTo(last);
        LogReader reader = reader(stream, StartPosition.earliest());
        assertThat(ids(read(reader, 3))).isEqualTo(numbers(1, 3));
        failureOf(reader.next(), StreamException.EndOfStream.class);
    }

    @Test
    void writerThatWasTakenOverOrClosedCannotSeal() {
        // D-26
        LogStream stream = create();
        LogWriter old = writer(stream);
        await(old.append(record(1)));
        LogWriter next = writer(elsewhere("rival"));

        failureOf(old.seal(), StreamException.WriterFenced.class);
        await(next.append(record(2)));
        await(next.closeWriter());
        failureOf(next.seal(), StreamException.HandleClosed.class);

        assertThat(await(stream.status()).isSealed()).isFalse();
        await(writer(stream).append(record(3)));
    }

    // ---- batches ----

    @Test
    void lingeringRecordsGoTogetherAndFlushSendsThem() {
        // D-6
        LogStream stream = create(StreamOptions.DEFAULT);
        LogWriter writer = await(stream.openWriter(
                WriterOptions.DEFAULT.withBatches(Duration.ofHours(1), WriterOptions.BATCH_BYTES_MIN)));
        CompletableFuture<DLSN> first = writer.append(record(1));
        CompletableFuture<DLSN> second = writer.append(record(2));

        // D-17: the linger bounds the number of entries; flush, close and a full batch do not wait for it
        await(writer.flush());
        assertThat(await(second).entry()).isEqualTo(await(first).entry());
        List<CompletableFuture<DLSN>> full = new ArrayList<>();
        for (long id = 3; id <= 103; id++) {
            full.add(writer.append(record(id)));
        }
        await(full.get(0));
        await(writer.closeWriter());
        assertThat(full).allMatch(CompletableFuture::isDone);
        assertThat(await(full.get(100)).entry()).isLessThanOrEqualTo(2 + 101 * 40 / WriterOptions.BATCH_BYTES_MIN);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 103))).isEqualTo(numbers(1, 103));
    }

    @Test
    void lingeringRecordIsSentInTheEnd() {
        LogWriter writer = await(create().openWriter(WriterOptions.DEFAULT.withBatches(Duration.ofMillis(20), 1024)));

        CompletableFuture<DLSN> first = writer.append(record(1));
        CompletableFuture<DLSN> second = writer.append(record(2));

        assertThat(await(second).entry()).isEqualTo(await(first).entry());
    }

    @ParameterizedTest
    @EnumSource
    void compressedRecordsAreReadAsTheyWereAppended(Compression compression) {
        LogStream stream = create(TINY_SEGMENTS.withCompression(compression));
        String words = "the same words over and over, ".repeat(2000);
        LogWriter writer = writer(stream);
        for (long id = 1; id <= 5; id++) {
            await(writer.append(LogRecord.of(id, words + id)));
        }
        await(writer.closeWriter());

        // D-144
        List<PositionedRecord> records = read(reader(stream, StartPosition.earliest()), 5);
        assertThat(records)
                .allSatisfy(record -> assertThat(record.payloadText()).isEqualTo(words + record.transactionId()));
        assertThat(ids(read(reader(stream, StartPosition.atTransactionId(3)), 1)))
                .containsExactly(3L);
        long stored = await(stream.status()).segments().stream()
                .mapToLong(segment -> segment.payloadBytes().orElse(0L))
                .sum();
        assertThat(stored < words.length()).isEqualTo(compression != Compression.NONE);
    }
}
