// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.WriteToken;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Deletions that are not told whether they have begun, while others go on with them. */
final class DeletionFaultsTest extends StreamSuite {
    private final SimulatedStage world = new SimulatedStage(13);
    private final FaultyStores stores = new FaultyStores(world.stores());

    @Override
    Stage newStage() {
        return world;
    }

    /** A deletion that waits to hear that it is unknown whether it has begun. */
    private CompletableFuture<Void> deletionOfUnknownBeginning(FaultyStores.Commit beginning) {
        append(writer(create()), 1, 5);
        stores.nextCommit(beginning);
        stores.holdUnknownAnswers();
        CompletableFuture<Void> deletion =
                world.program("deleter", stores).namespace().delete(name());
        world.world().runFor(Duration.ofSeconds(1).toNanos());
        return deletion;
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultyStores.Commit.class,
            names = {"DONE_UNKNOWN", "NOT_DONE_UNKNOWN"})
    void successorIsNotDeletedByADeletionOfTheStreamBeforeIt(FaultyStores.Commit beginning) {
        CompletableFuture<Void> deletion = deletionOfUnknownBeginning(beginning);

        // S14: another program deletes the stream, or finishes that, and the name is used again
        await(namespace().delete(name()));
        LogStream successor = await(namespace().openStream(name(), OpenMode.CREATE_NEW));
        LogWriter writer = writer(successor);
        append(writer, 100, 104);
        stores.releaseUnknownAnswers();
        await(deletion);

        append(writer, 105, 105);
        assertThat(ids(read(reader(successor, StartPosition.earliest()), 6))).isEqualTo(numbers(100, 105));
    }

    @Test
    void streamThatWasRenamedBeforeItsDeletionBeganIsNotDeleted() {
        CompletableFuture<Void> deletion = deletionOfUnknownBeginning(FaultyStores.Commit.NOT_DONE_UNKNOWN);
        await(namespace().rename(name(), "elsewhere", WriterOptions.DEFAULT.takingOver()));

        stores.releaseUnknownAnswers();

        failureOf(deletion, StreamException.StreamRenamed.class);
        LogStream there = await(namespace().openStream("elsewhere", OpenMode.MUST_EXIST));
        assertThat(ids(read(reader(there, StartPosition.earliest()), 5))).isEqualTo(numbers(1, 5));
    }

    @Test
    void halfDeletedStreamIsListedAndSaysWhatItIs() {
        append(writer(create(TINY_SEGMENTS)), 1, 5);
        stores.awayAfterCommits(1);
        failureOf(world.program("deleter", stores).namespace().delete(name()), StreamException.Unavailable.class);

        // S-40: its name is taken, and it is no stream any more
        assertThat(await(namespace().list("", "", 10)).names()).containsExactly(name());
        assertThat(await(namespace().exists(name()))).isFalse();
        assertThat(failureOf(namespace().openStream(name(), OpenMode.MUST_EXIST), StreamException.StreamNotFound.class))
                .hasMessageContaining("is being deleted");
        await(namespace().delete(name()));
        assertThat(await(namespace().list("", "", 10)).names()).isEmpty();
    }

    /** Who goes on with a deletion. */
    enum GoingOn {
        /** Who deletes it too. */
        DELETION,
        /** Who makes a stream of its name. */
        CREATION,
        /** Who gives another stream its name. */
        RENAME,
        /** The maintainer. */
        MAINTENANCE
    }

    private void goOn(GoingOn how) {
        StreamsNamespace other = world.program("other").namespace();
        switch (how) {
            case DELETION -> await(other.delete(name()));
            case CREATION -> await(other.openStream(name(), OpenMode.CREATE_NEW));
            case RENAME -> {
                await(other.openStream("other/" + name(), OpenMode.CREATE_NEW));
                await(other.rename("other/" + name(), name(), WriterOptions.DEFAULT));
            }
            case MAINTENANCE ->
                other.maintain(new MaintenanceConfig(true, Duration.ofSeconds(1), Duration.ofHours(1)), report -> {});
        }
        world.world().runFor(Duration.ofSeconds(5).toNanos());
    }

    @ParameterizedTest
    @EnumSource
    void idleOwnerHearsOfTheDeletionFromWhoeverGoesOnWithIt(GoingOn how) {
        LogWriter owner = writer(create());
        append(owner, 1, 5);
        stores.nextCommit(FaultyStores.Commit.DONE_UNKNOWN);
        stores.holdUnknownAnswers();
        world.program("deleter", stores).namespace().delete(name());
        world.world().runFor(Duration.ofSeconds(1).toNanos());
        world.ledgers().failFences(true);
        world.ledgers().keepDeleted(true);

        goOn(how);

        // S-40: who began it has not told the owner, and bookies that whoever goes on cannot reach would store the
        // entry
        assertThat(await(namespace().exists(name()))).isEqualTo(how == GoingOn.CREATION || how == GoingOn.RENAME);
        failureOf(owner.append(record(6)), StreamException.StreamNotFound.class);
    }

    /** A stream as programs of before renames made them. */
    private LogStream createBelowItsName() {
        create();
        StreamMetadata like = await(stage().metadata().read(name())).value();
        await(namespace().delete(name()));
        WriteToken incarnation = new WriteToken(7, 7);
        StreamMetadata head = StreamValues.newHead(name(), like.settings(), incarnation, 0, incarnation);
        await(stage().metadata()
                .create(new StreamMetadata(
                        head.name(),
                        incarnation,
                        StreamMetadata.Home.BELOW_NAME,
                        head.state(),
                        head.settings(),
                        head.epoch(),
                        head.originSegmentNumber(),
                        head.firstSegmentNumber(),
                        head.nextSegmentNumber(),
                        head.truncatedSegment(),
                        head.truncatedEntry(),
                        head.truncatedSlot(),
                        head.lastTransactionId(),
                        head.owner(),
                        head.createdMillis(),
                        head.token())));
        return await(namespace().openStream(name(), OpenMode.MUST_EXIST));
    }

    @Test
    void lockThatIsOfANameIsNotSeizedByADeletion() {
        LogWriter owner = writer(createBelowItsName());
        append(owner, 1, 5);

        await(world.program("deleter", stores).namespace().delete(name()));

        // S14: it may be the lock of the owner of another stream by now
        assertThat(stores.lockTokens()).isEmpty();
        failureOf(owner.append(record(6)), StreamException.class);
    }

    @Test
    void deletionThatAnotherProgramFinishesSucceeds() {
        CompletableFuture<Void> deletion = deletionOfUnknownBeginning(FaultyStores.Commit.DONE_UNKNOWN);
        await(namespace().delete(name()));

        stores.releaseUnknownAnswers();

        // S-28: it was there, and it is gone
        await(deletion);
        failureOf(namespace().delete(name()), StreamException.StreamNotFound.class);
        assertThat(world.ledgers().ids()).isEmpty();
    }
}
