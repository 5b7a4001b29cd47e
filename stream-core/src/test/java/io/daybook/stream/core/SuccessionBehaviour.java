// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.DLSN;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.LogStream.Subscriptions;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What was opened on a stream that was deleted or renamed since has nothing to do with the one that has its name next (S14), on any stage. */
abstract class SuccessionBehaviour extends StreamSuite {
    private static final WriterOptions POLITE = WriterOptions.DEFAULT.failingIfOwned();
    private static final StreamOptions STRICT = StreamOptions.DEFAULT.withTransactionIdMode(TransactionIdMode.STRICT);

    private int programs;

    private String otherName() {
        return "other/" + name();
    }

    private StreamsNamespace program() {
        return stage().namespace("program " + ++programs);
    }

    /** The stream that has the name next, made by another program, with records 1 to 5. */
    private LogStream successor(StreamOptions options, boolean isRenamed) {
        StreamsNamespace other = program();
        LogStream made = await(other.openStream(isRenamed ? otherName() : name(), OpenMode.CREATE_NEW, options));
        LogWriter writer = await(made.openWriter(POLITE));
        for (long id = 1; id <= 5; id++) {
            await(writer.append(LogRecord.of(id, "of the successor " + id)));
        }
        await(writer.closeWriter());
        if (isRenamed) {
            await(other.rename(otherName(), name(), POLITE));
        }
        return await(other.openStream(name(), OpenMode.MUST_EXIST));
    }

    @Test
    void writerOfADeletedStreamIsNotToldOfRecordsOfItsSuccessor() {
        // S3, S9, S14: a record that was never stored is never acknowledged, whatever a successor has under its id
        for (boolean isRenamed : List.of(false, true)) {
            LogWriter old = await(create(STRICT).openWriter(POLITE));
            await(old.append(record(1)));
            await(old.append(record(3)));
            await(namespace().delete(name()));
            successor(STRICT, isRenamed);

            CompletableFuture<DLSN> resent = old.append(record(2));

            // A writer that publishes its last record as the deletion fences it hears of the fence first.
            assertThat(failureOf(resent, StreamException.class))
                    .isInstanceOfAny(StreamException.StreamNotFound.class, StreamException.WriterFenced.class);
            assertThat(failureOf(old.append(record(4)), StreamException.class))
                    .isInstanceOfAny(StreamException.StreamNotFound.class, StreamException.WriterFenced.class);
            await(namespace().delete(name()));
        }
    }

    @Test
    void ownerOfADeletedStreamIsInNobodysWayThoughItIsIdle() {
        for (boolean isRenamed : List.of(false, true)) {
            LogStream old = create();
            LogWriter owner = await(old.openWriter(POLITE));
            await(owner.append(record(1)));
            await(program().delete(name()));

            LogStream next = successor(StreamOptions.DEFAULT, isRenamed);

            // D-60, S14
            LogWriter writer = await(next.openWriter(POLITE));
            await(writer.append(record(6)));
            failureOf(owner.append(record(2)), StreamException.class);
            await(writer.append(record(7)));
            await(writer.closeWriter());
            await(namespace().delete(name()));
        }
    }

    @Test
    void whoWaitsForTheOwnerOfAStreamThatIsDeletedIsToldSo() {
        LogStream stream = create();
        LogWriter owner = await(stream.openWriter(POLITE));
        await(owner.append(record(1)));
        LogStream rivals = elsewhere("rival");
        CompletableFuture<LogWriter> waiting = rivals.openWriter(WriterOptions.DEFAULT.waitingFor(Duration.ofDays(1)));

        await(program().delete(name()));

        failureOf(waiting, StreamException.StreamNotFound.class);
        failureOf(rivals.openWriter(POLITE), StreamException.StreamNotFound.class);
    }

    /** Every call on a stream, and on one of its subscriptions. */
    private static List<Supplier<CompletableFuture<?>>> calls(LogStream stream, DLSN position, Subscription known) {
        Subscriptions subscriptions = stream.subscriptions();
        return List.of(
                () -> stream.openWriter(POLITE),
                () -> stream.openWriter(POLITE.takingOver()),
                () -> stream.openReader(StartPosition.earliest()),
                () -> stream.openReader(StartPosition.latest()),
                () -> stream.openReader(StartPosition.at(position)),
                () -> stream.openReader(StartPosition.atTransactionId(3)),
                () -> stream.openReader(StartPosition.subscription("known")),
                () -> stream.find(StartPosition.earliest()),
                stream::lastRecord,
                stream::status,
                () -> stream.truncate(position),
                () -> stream.truncate(DLSN.BEFORE_ALL),
                () -> stream.changeOptions(STRICT.withRetention(Duration.ofDays(1), 0)),
                () -> subscriptions.create("new", StartPosition.earliest()),
                () -> subscriptions.create("new", StartPosition.latest()),
                () -> subscriptions.find("known"),
                () -> subscriptions.list("", 10),
                () -> subscriptions.set(known, position),
                () -> subscriptions.delete("known"),
                () -> subscriptions.openReader("known", true));
    }

    @Test
    void streamThatWasOpenedBeforeItWasDeletedIsNotItsSuccessor() {
        for (boolean isRenamed : List.of(false, true)) {
            LogStream old = create(STRICT);
            LogWriter owner = await(old.openWriter());
            DLSN position = await(owner.append(record(1)));
            await(owner.closeWriter());
            Subscription known = await(old.subscriptions().create("known", StartPosition.earliest()));
            await(namespace().delete(name()));
            LogStream next = successor(STRICT, isRenamed);
            await(next.subscriptions().create("known", StartPosition.earliest()));

            // S14
            for (Supplier<CompletableFuture<?>> call : calls(old, position, known)) {
                failureOf(call.get(), StreamException.StreamNotFound.class);
            }
            requireUntouched(next);
            await(namespace().delete(name()));
        }
    }

    @Test
    void streamThatWasOpenedBeforeItWasRenamedIsNotTheOneThatHasItsNameNext() {
        LogStream old = create(STRICT);
        LogWriter owner = await(old.openWriter());
        DLSN position = await(owner.append(record(1)));
        await(owner.closeWriter());
        Subscription known = await(old.subscriptions().create("known", StartPosition.earliest()));
        ExclusiveReader exclusive = await(old.subscriptions().openReader("known", false));
        await(namespace().rename(name(), "renamed/" + name()));

        // D-133, S14: be the name free or another stream's
        for (Supplier<CompletableFuture<?>> call : calls(old, position, known)) {
            assertThat(failureOf(call.get(), StreamException.StreamRenamed.class)
                            .newName())
                    .isEqualTo("renamed/" + name());
        }
        LogStream next = successor(STRICT, false);
        await(next.subscriptions().create("known", StartPosition.earliest()));
        for (Supplier<CompletableFuture<?>> call : calls(old, position, known)) {
            assertThat(failureOf(call.get(), StreamException.StreamRenamed.class)
                            .newName())
                    .isEqualTo("renamed/" + name());
        }
        failureOf(exclusive.commit(position), StreamException.StreamRenamed.class);
        requireUntouched(next);
        await(await(program().openStream("renamed/" + name(), OpenMode.MUST_EXIST))
                .subscriptions()
                .openReader("known", false));
    }

    private void requireUntouched(LogStream next) {
        assertThat(await(next.status()).options()).isEqualTo(STRICT);
        assertThat(await(next.status()).records().orElseThrow().count()).isEqualTo(5);
        assertThat(await(next.subscriptions().list("", 10)))
                .hasSize(1)
                .allSatisfy(left -> assertThat(left.epoch()).isZero());
        LogWriter writer = await(next.openWriter(POLITE));
        assertThat(writer.lastTransactionId()).isEqualTo(5);
        await(writer.closeWriter());
    }
}
