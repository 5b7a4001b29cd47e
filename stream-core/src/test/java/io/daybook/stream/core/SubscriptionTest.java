// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Named positions and their exclusive readers, on simulated loops. */
final class SubscriptionTest extends StreamSuite {
    private final SimulatedStage world = new SimulatedStage(11);

    @Override
    Stage newStage() {
        return world;
    }

    private ExclusiveReader take(LogStream stream, String id) {
        return await(stream.subscriptions().openReader(id, false));
    }

    @Test
    void subscriptionThatIsMadeWhileTheFirstRecordArrivesBeginsWithIt() {
        for (int step = 0; step < 200; step++) {
            LogStream stream = await(namespace().openStream("s" + step, OpenMode.CREATE_NEW));
            LogWriter writer = writer(stream);
            CompletableFuture<Subscription> made = stream.subscriptions().create("s", StartPosition.earliest());
            world.world().runFor(step * 500L);
            append(writer, 1, 1);
            await(made);
            append(writer, 2, 2);

            PositionedRecord first =
                    await(reader(stream, StartPosition.subscription("s")).next());
            assertThat(first.transactionId()).as("after %s steps", step).isEqualTo(1);
        }
    }

    @Test
    void readerGoesOnCommittingAfterTheMetadataStoreWasAway() {
        LogStream stream = create();
        List<DLSN> positions = append(writer(stream), 1, 10);
        await(stream.subscriptions().create("s", StartPosition.earliest()));
        FaultyStores stores = new FaultyStores(world.stores());
        LogStream there = await(world.program("reading", stores).namespace().openStream(name(), OpenMode.MUST_EXIST));
        ExclusiveReader reader = take(there, "s");
        stores.away(true);
        failureOf(reader.commit(positions.get(1)), StreamException.Unavailable.class);
        stores.away(false);
        await(reader.commit(positions.get(2)));

        // M2: done, and nobody could tell
        stores.nextReplacementUnknown();
        failureOf(reader.commit(positions.get(3)), StreamException.Unavailable.class);
        Subscription last = await(reader.commit(positions.get(4)));

        assertThat(await(stream.subscriptions().find("s"))).isEqualTo(last);
        await(stream.subscriptions().set(last, positions.get(0)));
        failureOf(reader.commit(positions.get(5)), StreamException.SubscriptionChanged.class);
        failureOf(reader.commit(positions.get(6)), StreamException.SubscriptionChanged.class);
    }

    @Test
    void subscriptionOfAProgramThatDiesIsFreeWhenItsSessionEnds() {
        // D-102
        LogStream stream = create();
        append(writer(stream), 1, 3);
        await(stream.subscriptions().create("s", StartPosition.earliest()));
        MemoryMetadataStores session = world.newSession();
        LogStream there = await(world.program("dying", session).namespace().openStream(name(), OpenMode.MUST_EXIST));
        ExclusiveReader dying = take(there, "s");
        failureOf(stream.subscriptions().openReader("s", false), StreamException.SubscriptionInUse.class);

        session.close();

        assertThat(ids(read(take(stream, "s").reader(), 3))).isEqualTo(numbers(1, 3));
        failureOf(dying.commit(new DLSN(1, 0, 0)), StreamException.class);
    }

    @Test
    void truncatedSubscriptionIsToldHonestly() {
        LogStream stream = create(TINY_SEGMENTS);
        List<DLSN> positions = appendOneByOne(writer(stream), 1, 9);
        await(stream.subscriptions().create("s", StartPosition.earliest()));
        ExclusiveReader reader = take(stream, "s");
        read(reader.reader(), 3);
        await(reader.commit(positions.get(2)));
        reader.close();

        // S11: nothing between was missed
        await(stream.truncate(positions.get(3)));
        world.world().runFor(1_000_000);
        await(stream.truncate(positions.get(6)));

        failureOf(stream.openReader(StartPosition.subscription("s")), StreamException.Truncated.class);
        failureOf(stream.subscriptions().openReader("s", false), StreamException.Truncated.class);
        assertThat(ids(read(reader(stream, StartPosition.subscription("s").orEarliest()), 3)))
                .isEqualTo(numbers(7, 9));
        Subscription present = await(stream.subscriptions().find("s"));
        await(stream.subscriptions().set(present, positions.get(7)));
        assertThat(ids(read(take(stream, "s").reader(), 2))).isEqualTo(numbers(8, 9));
    }

    @Test
    void subscriptionsAreDeletedWithTheirStreamAndMeanNothingToItsSuccessor() {
        LogStream stream = create();
        append(writer(stream), 1, 3);
        Subscription old = await(stream.subscriptions().create("s", StartPosition.latest()));

        await(namespace().delete(name()));
        LogStream successor = create();

        // S14
        assertThat(await(successor.subscriptions().list("", 10))).isEmpty();
        failureOf(successor.subscriptions().find("s"), StreamException.SubscriptionNotFound.class);
        failureOf(successor.subscriptions().set(old, DLSN.BEFORE_ALL), StreamException.SubscriptionNotFound.class);
        Subscription made = await(successor.subscriptions().create("s", StartPosition.earliest()));
        assertThat(made.next()).isGreaterThan(old.next());
        failureOf(successor.subscriptions().set(made, old.next()), StreamException.ForeignPosition.class);
        failureOf(
                successor.subscriptions().create("t", StartPosition.at(old.next())),
                StreamException.ForeignPosition.class);
        assertThat(await(successor.subscriptions().find("s"))).isEqualTo(made);
        append(writer(successor), 4, 4);
        assertThat(ids(read(take(successor, "s").reader(), 1))).isEqualTo(numbers(4, 4));
    }

    @Test
    void deletionThatIsSlowLeavesTheSubscriptionOfASuccessor() {
        LogStream stream = create();
        await(stream.subscriptions().create("s", StartPosition.earliest()));
        FaultyStores stores = new FaultyStores(world.stores());
        LogStream there = await(world.program("slow", stores).namespace().openStream(name(), OpenMode.MUST_EXIST));
        stores.holdSubscriptionDeletions();
        CompletableFuture<Void> deletion = there.subscriptions().delete("s");
        world.world().runFor(Duration.ofSeconds(1).toNanos());
        await(namespace().delete(name()));
        LogStream successor = create();
        Subscription made = await(successor.subscriptions().create("s", StartPosition.earliest()));

        stores.releaseSubscriptionDeletions();

        // S14
        failureOf(deletion, StreamException.SubscriptionNotFound.class);
        assertThat(await(successor.subscriptions().find("s"))).isEqualTo(made);
    }

    @Test
    void commitOfWhichNobodyWasToldGivesNoRightToASubscriptionMadeAnew() {
        LogStream stream = create();
        List<DLSN> positions = append(writer(stream), 1, 10);
        await(stream.subscriptions().create("s", StartPosition.earliest()));
        FaultyStores stores = new FaultyStores(world.stores());
        LogStream there = await(world.program("reading", stores).namespace().openStream(name(), OpenMode.MUST_EXIST));
        ExclusiveReader old = take(there, "s");
        stores.nextReplacementUnknown();
        failureOf(old.commit(positions.get(3)), StreamException.Unavailable.class);
        DLSN next = await(stream.subscriptions().find("s")).next();
        await(stream.subscriptions().delete("s"));
        world.world().runFor(Duration.ofSeconds(1).toNanos());
        Subscription made = await(stream.subscriptions().create("s", StartPosition.earliest()));
        await(stream.subscriptions().set(made, next));
        await(stream.subscriptions().openReader("s", true));

        // M1: it stands where the old one may stand, and was taken as often
        failureOf(old.commit(positions.get(5)), StreamException.SubscriptionChanged.class);
        assertThat(await(stream.subscriptions().find("s")).next()).isEqualTo(next);
    }
}
