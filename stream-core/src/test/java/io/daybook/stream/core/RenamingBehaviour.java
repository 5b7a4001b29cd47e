// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.StreamNames;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace.Renamed;
import io.daybook.stream.OpenMode;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Streams that get another name, on any stage (D-133, S14). */
abstract class RenamingBehaviour extends StreamSuite {
    private static final WriterOptions POLITE = WriterOptions.DEFAULT.failingIfOwned();

    private int openers;

    private String newName() {
        return "renamed/" + name();
    }

    private Renamed rename(String from, String to) {
        return await(namespace().rename(from, to));
    }

    private LogStream open(String name) {
        return await(stage().namespace("opener " + ++openers).openStream(name, OpenMode.MUST_EXIST));
    }

    private static List<DLSN> moved(Renamed renamed, List<DLSN> positions) {
        return positions.stream().map(renamed::position).toList();
    }

    @Test
    void recordsOptionsAndTransactionIdsGoAlong() {
        StreamOptions options = TINY_SEGMENTS
                .withTransactionIdMode(StreamOptions.TransactionIdMode.STRICT)
                .withRetention(Duration.ofDays(3), 0);
        LogStream stream = create(options);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 4);
        await(writer.closeWriter());
        StreamStatus before = await(stream.status());

        Renamed renamed = rename(name(), newName());

        // D-133: moved with its data
        assertThat(renamed.name()).isEqualTo(newName());
        LogStream there = open(newName());
        StreamStatus after = await(there.status());
        assertThat(after.options()).isEqualTo(options);
        assertThat(after.created()).isEqualTo(before.created());
        assertThat(after.epoch()).isGreaterThan(before.epoch());
        assertThat(positions(read(reader(there, StartPosition.earliest()), 4))).isEqualTo(moved(renamed, positions));
        LogWriter next = writer(there);
        assertThat(next.lastTransactionId()).isEqualTo(4);
        assertThat(next.lastPosition()).isEqualTo(renamed.position(positions.get(3)));
        // STRICT: a record that is sent again is where it is now.
        assertThat(await(next.append(record(3)))).isEqualTo(renamed.position(positions.get(2)));
        await(next.append(record(5)));
        assertThat(ids(read(reader(there, StartPosition.after(renamed.position(positions.get(1)))), 3)))
                .isEqualTo(numbers(3, 5));
    }

    @Test
    void ownerIsLeftAloneUnlessItIsToBeTakenOver() {
        LogStream stream = create();
        LogWriter owner = await(stream.openWriter(POLITE.withLabel("the owner")));
        List<DLSN> positions = appendOneByOne(owner, 1, 3);

        // D-133: as opening a writer does
        StreamException.StreamOwned refused =
                failureOf(namespace().rename(name(), newName(), POLITE), StreamException.StreamOwned.class);
        assertThat(refused).hasMessageContaining("owned by the owner").hasMessageContaining("since");
        await(owner.append(record(4)));

        Renamed renamed = await(namespace().rename(name(), newName(), POLITE.takingOver()));

        // S6: what was acknowledged is there, and the old owner acknowledges nothing any more
        assertThat(failureOf(owner.append(record(5)), StreamException.class).isRetryable())
                .isFalse();
        LogStream there = open(newName());
        LogWriter next = writer(there);
        await(next.append(record(6)));
        assertThat(ids(read(reader(there, StartPosition.earliest()), 5))).containsExactly(1L, 2L, 3L, 4L, 6L);
        assertThat(await(there.find(StartPosition.at(renamed.position(positions.get(2))))))
                .hasValueSatisfying(found -> assertThat(found.transactionId()).isEqualTo(3));
        // Who opens it again under the old name is told the new one by the handle that knew the stream.
        StreamException.StreamRenamed told = failureOf(stream.openWriter(POLITE), StreamException.StreamRenamed.class);
        assertThat(told.newName()).isEqualTo(newName());
        assertThat(told).hasMessageContaining("'" + newName() + "'");
    }

    @Test
    void readerUnderTheOldNameIsToldTheNewOne() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 2);
        await(writer.closeWriter());
        LogReader reader = reader(stream, StartPosition.earliest());
        read(reader, 2);
        CompletableFuture<ReadResult> waiting = reader.nextBatch(1, Duration.ofSeconds(50));

        Renamed renamed = rename(name(), newName());
        LogStream there = open(newName());
        LogWriter next = writer(there);
        await(next.append(record(3)));

        // S1: nothing of the other name under this one, whose numbers may be another stream's soon
        StreamException.StreamRenamed told = failureOf(waiting, StreamException.StreamRenamed.class);
        assertThat(told.newName()).isEqualTo(newName());
        assertThat(told.code()).isEqualTo("stream-renamed");
        // S13: it goes on there where it ended here
        assertThat(ids(read(reader(there, StartPosition.after(renamed.position(positions.get(1)))), 1)))
                .containsExactly(3L);
    }

    @Test
    void oldNameIsFreeForAnotherStreamWhosePositionsAreItsOwn() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 3);
        await(writer.closeWriter());
        rename(name(), newName());

        assertThat(await(namespace().exists(name()))).isFalse();
        assertThat(failureOf(namespace().openStream(name(), OpenMode.MUST_EXIST), StreamException.class)
                        .code())
                .isEqualTo("stream-not-found");
        LogStream successor = create();
        LogWriter successors = writer(successor);
        DLSN first = await(successors.append(record(1)));

        // S14
        assertThat(first.segment()).isGreaterThan(positions.get(2).segment() + 1);
        for (DLSN old : positions) {
            failureOf(successor.openReader(StartPosition.at(old)), StreamException.ForeignPosition.class);
            failureOf(successor.truncate(old), StreamException.ForeignPosition.class);
        }
        // The owner of one is not in the way of the other.
        await(open(newName()).openWriter());
        await(successors.append(record(2)));
    }

    @Test
    void positionsUnderANameThatWasUsedBeforeAreShifted() {
        await(namespace().openStream(newName(), OpenMode.CREATE_NEW, TINY_SEGMENTS));
        LogWriter before = writer(open(newName()));
        List<DLSN> old = appendOneByOne(before, 1, 3);
        await(namespace().delete(newName()));
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 3);
        await(writer.closeWriter());
        Subscription subscription = await(stream.subscriptions().create("s", StartPosition.at(positions.get(1))));

        Renamed renamed = rename(name(), newName());

        // S14: a position of a name means one record for ever
        assertThat(renamed.position(positions.get(0)).segment())
                .isGreaterThan(old.get(2).segment());
        LogStream there = open(newName());
        assertThat(positions(read(reader(there, StartPosition.earliest()), 3))).isEqualTo(moved(renamed, positions));
        for (DLSN gone : old) {
            failureOf(there.openReader(StartPosition.at(gone)), StreamException.ForeignPosition.class);
        }
        assertThat(await(there.subscriptions().find("s")).next()).isEqualTo(renamed.position(subscription.next()));
        assertThat(ids(read(reader(there, StartPosition.subscription("s")), 2))).isEqualTo(numbers(2, 3));
        await(there.truncate(renamed.position(positions.get(2))));
        LogWriter next = writer(there);
        DLSN fourth = await(next.append(record(4)));
        assertThat(fourth.compareTo(renamed.position(positions.get(2)))).isPositive();
        await(next.closeWriter());

        // And back: what the old name has had before is none of it, whether the numbers rise again or have risen
        // enough.
        Renamed back = rename(newName(), name());
        assertThat(ids(read(reader(elsewhere("again"), StartPosition.at(back.position(fourth))), 1)))
                .containsExactly(4L);
        failureOf(
                elsewhere("once more").openReader(StartPosition.at(positions.get(2))),
                StreamException.ForeignPosition.class);
        assertThat(ids(read(reader(elsewhere("last"), StartPosition.earliest()), 2)))
                .isEqualTo(numbers(3, 4));
    }

    @Test
    void whoKnewTheStreamIsToldHowItsPositionsRose() {
        await(namespace().openStream(newName(), OpenMode.CREATE_NEW, TINY_SEGMENTS));
        LogWriter before = writer(open(newName()));
        appendOneByOne(before, 1, 3);
        await(before.closeWriter());
        await(namespace().delete(newName()));
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 3);
        await(writer.closeWriter());
        LogReader reader = reader(stream, StartPosition.earliest());
        read(reader, 3);
        CompletableFuture<ReadResult> waiting = reader.nextBatch(1, Duration.ofSeconds(50));

        Renamed renamed = rename(name(), newName());

        // S14
        assertThat(renamed.segmentShift()).isPositive();
        for (CompletableFuture<?> call : List.of(waiting, stream.lastRecord())) {
            StreamException.StreamRenamed told = failureOf(call, StreamException.StreamRenamed.class);
            assertThat(told.segmentShift()).isEqualTo(renamed.segmentShift());
            assertThat(told.position(positions.get(1))).isEqualTo(renamed.position(positions.get(1)));
        }

        Renamed back = rename(newName(), name());

        // The name is the stream's again, and its old positions are not.
        StreamException.StreamRenamed told =
                failureOf(stream.openReader(StartPosition.at(positions.get(0))), StreamException.StreamRenamed.class);
        assertThat(told.newName()).isEqualTo(name());
        assertThat(told.segmentShift()).isEqualTo(renamed.segmentShift() + back.segmentShift());
        assertThat(ids(read(reader(elsewhere("again"), StartPosition.after(told.position(positions.get(0)))), 2)))
                .isEqualTo(numbers(2, 3));
    }

    @Test
    void subscriptionsGoAlongAndTheirOldReaderCommitsNothingUnderTheOldName() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 3);
        await(writer.closeWriter());
        await(stream.subscriptions().create("billing", StartPosition.earliest()));
        ExclusiveReader old = await(stream.subscriptions().openReader("billing", false));
        await(old.commit(positions.get(0)));

        Renamed renamed = rename(name(), newName());

        failureOf(old.commit(positions.get(1)), StreamException.StreamRenamed.class);
        LogStream there = open(newName());
        assertThat(await(there.subscriptions().list("", 10))).hasSize(1);
        ExclusiveReader next = await(there.subscriptions().openReader("billing", false));
        assertThat(ids(read(next.reader(), 2))).isEqualTo(numbers(2, 3));
        await(next.commit(renamed.position(positions.get(2))));
        // The successor has none.
        assertThat(await(create().subscriptions().list("", 10))).isEmpty();
        failureOf(old.commit(positions.get(2)), StreamException.StreamRenamed.class);
        assertThat(await(there.subscriptions().find("billing")).epoch()).isEqualTo(2);
        await(namespace().delete(newName()));
    }

    @Test
    void sealedAndTruncatedStreamStaysSo() {
        LogStream stream = create(TINY_SEGMENTS);
        LogWriter writer = writer(stream);
        List<DLSN> positions = appendOneByOne(writer, 1, 4);
        await(writer.seal());
        await(stream.truncate(positions.get(1)));

        Renamed renamed = rename(name(), newName());

        LogStream there = open(newName());
        StreamStatus status = await(there.status());
        assertThat(status.isSealed()).isTrue();
        assertThat(status.firstKept()).isEqualTo(renamed.position(positions.get(1)));
        failureOf(there.openWriter(POLITE), StreamException.EndOfStream.class);
        failureOf(
                there.openReader(StartPosition.at(renamed.position(positions.get(0)))),
                StreamException.Truncated.class);
        LogReader reader = reader(there, StartPosition.earliest());
        assertThat(ids(read(reader, 3))).isEqualTo(numbers(2, 4));
        assertThat(await(reader.nextBatch(1, Duration.ofSeconds(20)))).isInstanceOf(ReadResult.Ended.class);
    }

    @Test
    void namesThatCannotBeAreRefusedAndNothingIsTouched() {
        LogStream stream = create();
        LogWriter owner = writer(stream);
        await(owner.append(record(1)));
        await(namespace().openStream(newName(), OpenMode.CREATE_NEW, StreamOptions.DEFAULT));

        // D-133
        StreamException taken = failureOf(
                namespace().rename(name(), newName(), POLITE.takingOver()), StreamException.StreamExists.class);
        assertThat(taken).hasMessageContaining("'" + newName() + "'").hasMessageContaining("free");
        StreamException missing = failureOf(
                namespace().rename("no/" + name(), "yes/" + name(), POLITE), StreamException.StreamNotFound.class);
        assertThat(missing).hasMessageContaining("no/" + name());
        failureOf(namespace().rename(name(), name(), POLITE.takingOver()), StreamException.InvalidName.class);
        failureOf(namespace().rename(name(), "//", POLITE.takingOver()), StreamException.InvalidName.class);
        failureOf(namespace().rename("//", name(), POLITE.takingOver()), StreamException.InvalidName.class);

        await(owner.append(record(2)));
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 2))).isEqualTo(numbers(1, 2));
    }

    @Test
    void emptyStreamIsRenamedAlsoWithinItsBucketAndManyTimes() {
        create();
        String sameBucket = LongStream.range(0, 1_000_000)
                .mapToObj(number -> name() + "." + number)
                .filter(other -> StreamNames.bucket(other) == StreamNames.bucket(name()))
                .findFirst()
                .orElseThrow();
        long count = 0;
        for (int round = 1; round <= 4; round++) {
            for (List<String> names : List.of(List.of(name(), sameBucket), List.of(sameBucket, name()))) {
                rename(names.get(0), names.get(1));
                LogWriter writer = await(open(names.get(1)).openWriter());
                await(writer.append(LogRecord.of(++count, "record " + count)));
                await(writer.closeWriter());
            }
        }

        assertThat(ids(read(reader(elsewhere("last"), StartPosition.earliest()), (int) count)))
                .isEqualTo(numbers(1, count));
        assertThat(await(namespace().list(name(), "", 10)).names()).containsExactly(name());
    }

    @Test
    void ofSeveralWhoRenameAtOnceOneSucceeds() {
        LogStream stream = create();
        LogWriter writer = writer(stream);
        append(writer, 1, 5);
        await(writer.closeWriter());
        List<CompletableFuture<Renamed>> attempts = LongStream.rangeClosed(1, 4)
                .mapToObj(number -> stage().namespace("rival " + number)
                        .rename(name(), newName() + number, WriterOptions.DEFAULT.takingOver()))
                .toList();

        int winner = 0;
        for (int i = 0; i < 4; i++) {
            try {
                await(attempts.get(i));
                assertThat(winner).isZero();
                winner = i + 1;
            } catch (RuntimeException refused) {
                assertThat(io.daybook.runtime.Failures.rootOf(refused))
                        .isInstanceOfAny(StreamException.StreamNotFound.class, StreamException.StreamRenamed.class);
            }
        }

        assertThat(winner).isPositive();
        assertThat(ids(read(reader(open(newName() + winner), StartPosition.earliest()), 5)))
                .isEqualTo(numbers(1, 5));
    }
}
