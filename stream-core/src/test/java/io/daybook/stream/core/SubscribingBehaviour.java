// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.LogStream.Subscriptions;
import io.daybook.stream.LogWriter;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Named positions and their exclusive readers, on any stage. */
abstract class SubscribingBehaviour extends StreamSuite {
    private static final int TRIES_MAX = 1000;

    private ExclusiveReader take(LogStream stream, String id) {
        return await(stream.subscriptions().openReader(id, false));
    }

    /** A reader that was closed gives its subscription back a moment later. */
    private ExclusiveReader takeWhenFree(LogStream stream, String id) {
        for (int i = 1; i < TRIES_MAX; i++) {
            try {
                return take(stream, id);
            } catch (RuntimeException refused) {
                assertThat(Failures.rootOf(refused)).isInstanceOf(StreamException.SubscriptionInUse.class);
            }
        }
        return take(stream, id);
    }

    /** Reads on until a call fails, and returns that. */
    private CompletableFuture<?> endOf(LogReader reader) {
        for (int i = 0; i < TRIES_MAX; i++) {
            CompletableFuture<PositionedRecord> next = reader.next();
            try {
                await(next);
            } catch (RuntimeException ended) {
                return next;
            }
        }
        throw new AssertionError("the reader goes on and on");
    }

    @Test
    void subscriptionIsMadeMovedListedAndDeleted() {
        LogStream stream = create(TINY_SEGMENTS);
        List<DLSN> positions = appendOneByOne(writer(stream), 1, 5);
        Subscriptions mine = stream.subscriptions();

        Subscription first = await(mine.create("billing", StartPosition.atTransactionId(3)));
        Subscription second = await(mine.create("audit", StartPosition.latest()));

        assertThat(first.next()).isEqualTo(positions.get(2));
        assertThat(await(mine.find("billing"))).isEqualTo(first);
        assertThat(await(elsewhere("other").subscriptions().list("", 10))).containsExactly(second, first);
        failureOf(mine.create("billing", StartPosition.earliest()), StreamException.SubscriptionExists.class);
        failureOf(mine.create("no name/", StartPosition.earliest()), StreamException.InvalidName.class);
        Subscription moved = await(mine.set(first, positions.get(4)));
        // D-131 differs: whoever moved it meanwhile is not overwritten, forward or back
        failureOf(mine.set(first, positions.get(0)), StreamException.SubscriptionChanged.class);
        assertThat(await(mine.find("billing"))).isEqualTo(moved);
        await(mine.delete("billing"));
        failureOf(mine.find("billing"), StreamException.SubscriptionNotFound.class);
        failureOf(mine.delete("billing"), StreamException.SubscriptionNotFound.class);
        failureOf(mine.set(moved, positions.get(0)), StreamException.SubscriptionNotFound.class);
        failureOf(stream.openReader(StartPosition.subscription("billing")), StreamException.SubscriptionNotFound.class);
    }

    @Test
    void readerGoesOnWithTheRecordAfterTheCommittedOne() {
        LogStream stream = create(TINY_SEGMENTS);
        appendOneByOne(writer(stream), 1, 9);
        await(stream.subscriptions().create("s", StartPosition.earliest()));

        // D-105 differs: what was committed is not delivered again
        List<Long> seen = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            try (ExclusiveReader reader = takeWhenFree(stream, "s")) {
                List<PositionedRecord> records = read(reader.reader(), 3);
                seen.addAll(ids(records));
                await(reader.commit(records.get(0).position()));
                await(reader.commit(records.get(2).position()));
            }
        }

        assertThat(seen).isEqualTo(numbers(1, 9));
        LogWriter writer = writer(stream);
        CompletableFuture<PositionedRecord> next =
                reader(stream, StartPosition.subscription("s")).next();
        append(writer, 10, 10);
        assertThat(await(next).transactionId()).isEqualTo(10);
    }

    @Test
    void oneExclusiveReaderAtATimeAlsoWithinOneProcess() {
        LogStream stream = create();
        append(writer(stream), 1, 10);
        await(stream.subscriptions().create("s", StartPosition.earliest()));
        await(stream.subscriptions().create("t", StartPosition.earliest()));
        ExclusiveReader first = take(stream, "s");
        read(first.reader(), 4);

        // D-99, D-103 differs, D-107: other subscriptions are independent, the same one is refused
        take(stream, "t");
        assertThat(failureOf(stream.subscriptions().openReader("s", false), StreamException.SubscriptionInUse.class))
                .hasMessageContaining("is read by");
        failureOf(elsewhere("other").subscriptions().openReader("s", false), StreamException.SubscriptionInUse.class);
        failureOf(stream.subscriptions().openReader("u", false), StreamException.SubscriptionNotFound.class);

        first.close();
        first.close();
        // D-104
        assertThat(ids(read(takeWhenFree(elsewhere("third"), "s").reader(), 10)))
                .isEqualTo(numbers(1, 10));
    }

    @Test
    void readerWhoseSubscriptionWasTakenCommitsNothingAndReadsNoFurther() {
        LogStream stream = create();
        List<DLSN> positions = append(writer(stream), 1, 10);
        await(stream.subscriptions().create("s", StartPosition.earliest()));
        ExclusiveReader first = take(stream, "s");
        read(first.reader(), 4);
        await(first.commit(positions.get(1)));

        ExclusiveReader second = await(elsewhere("other").subscriptions().openReader("s", true));
        List<PositionedRecord> read = read(second.reader(), 2);
        await(second.commit(read.get(1).position()));

        // D-102: never two who own it
        failureOf(first.commit(positions.get(3)), StreamException.SubscriptionChanged.class);
        failureOf(first.commit(positions.get(3)), StreamException.SubscriptionChanged.class);
        assertThat(ids(read)).containsExactly(3L, 4L);
        assertThat(failureOf(endOf(first.reader()), StreamException.SubscriptionChanged.class))
                .hasMessageContaining("'s' of stream '" + name() + "' was taken by ");
        first.close();
        failureOf(first.reader().next(), StreamException.HandleClosed.class);
        assertThat(await(stream.subscriptions().find("s")).epoch()).isEqualTo(2);
    }
}
