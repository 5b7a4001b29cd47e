// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.WriteToken;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace.Renamed;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.FaultyStores.Commit;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import io.daybook.stream.core.maintenance.MaintenanceReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renames that are cut short, overtaken or not heard of, and what the maintainer makes of them; on simulated loops (D-133, S-40). */
final class RenamingFaultsTest extends StreamSuite {
    private static final MaintenanceConfig CONFIG = SettingsLoader.defaults(MaintenanceConfig.class);
    private static final WriterOptions TAKING_OVER = WriterOptions.DEFAULT.takingOver();

    private final SimulatedStage world = new SimulatedStage(11);
    private final List<MaintenanceReport> reports = new ArrayList<>();

    @Override
    Stage newStage() {
        return world;
    }

    private void pass(Duration time) {
        world.world().runFor(time.toNanos());
    }

    /** Runs a maintainer for two passes, the first of which searches for orphans. */
    private void maintain() {
        SimulatedStage.Program program =
                world.program("maintainer " + world.world().nanoTime());
        program.namespace().maintain(CONFIG, reports::add);
        pass(CONFIG.interval().multipliedBy(2));
        await(program.namespace().shutdown());
        pass(Duration.ofSeconds(1));
    }

    private StreamsNamespace through(FaultyStores stores) {
        return world.program("renamer " + world.world().nanoTime(), stores).namespace();
    }

    private LogStream open(String name) {
        return await(world.program("opener of " + name + " at " + world.world().nanoTime())
                .namespace()
                .openStream(name, OpenMode.MUST_EXIST));
    }

    private List<Long> ledgersNamed(String name) {
        return await(stage().metadata().segments(name, 0, 1000)).items().stream()
                .map(SegmentMetadata::ledgerId)
                .toList();
    }

    /** A stream of five records, the last of which are in a segment in progress whose writer is gone. */
    private List<DLSN> abandoned(String name) {
        await(namespace().openStream(name, OpenMode.CREATE_NEW, TINY_SEGMENTS));
        SimulatedStage.Program owner = world.program("owner of " + name);
        LogStream there = await(owner.namespace().openStream(name, OpenMode.MUST_EXIST));
        List<DLSN> positions = append(writer(there), 1, 5);
        owner.host().machine().crash();
        return positions;
    }

    @Test
    void renameThatIsCutShortAnywhereHappenedOrDidNot() {
        int done = 0;
        int notDone = 0;
        for (int calls = 0; done < 3; calls++) {
            String old = name() + "." + calls;
            String moved = old + ".moved";
            List<DLSN> positions = abandoned(old);
            FaultyStores failing = new FaultyStores(world.stores());
            failing.awayAfterCalls(calls);
            CompletableFuture<Renamed> renaming = through(failing).rename(old, moved, TAKING_OVER);
            pass(Duration.ofMinutes(1));

            // All or nothing, and what was acknowledged is there.
            boolean isMoved = await(namespace().exists(moved));
            assertThat(await(namespace().exists(old))).isNotEqualTo(isMoved);
            assertThat(isMoved || renaming.isCompletedExceptionally()).isTrue();
            done += isMoved ? 1 : 0;
            notDone += isMoved ? 0 : 1;
            maintain();
            LogStream stream = open(isMoved ? moved : old);
            await(writer(stream).closeWriter());
            assertThat(positions(read(reader(stream, StartPosition.earliest()), 5)))
                    .isEqualTo(positions);
            if (!isMoved) {
                await(namespace().rename(old, moved, TAKING_OVER));
            }
            LogStream there = open(moved);
            await(writer(there).append(record(6)));
            assertThat(ids(read(reader(there, StartPosition.at(positions.get(0))), 6)))
                    .isEqualTo(numbers(1, 6));
            // And nothing is left under the old name: another stream has it.
            await(namespace().openStream(old, OpenMode.CREATE_NEW, StreamOptions.DEFAULT));
            maintain();
            assertThat(world.ledgers().ids()).containsExactlyInAnyOrderElementsOf(ledgersNamed(moved));
            await(namespace().delete(moved));
            await(namespace().delete(old));
        }
        assertThat(notDone).isGreaterThan(4);
        assertThat(world.ledgers().ids()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Commit.class,
            names = {"DONE_UNKNOWN", "NOT_DONE_UNKNOWN"})
    void renameWhoseAnswerIsLostIsSettled(Commit what) {
        List<DLSN> positions = abandoned(name());
        FaultyStores lossy = new FaultyStores(world.stores());
        lossy.nextCommit(what);

        Renamed renamed = await(through(lossy).rename(name(), name() + ".moved", TAKING_OVER));

        // M2
        assertThat(renamed).isEqualTo(new Renamed(name() + ".moved", 0));
        assertThat(positions(read(reader(open(renamed.name()), StartPosition.earliest()), 5)))
                .isEqualTo(positions);
        failureOf(namespace().openStream(name(), OpenMode.MUST_EXIST), StreamException.StreamNotFound.class);
    }

    @Test
    void renameWhoseAnswerIsLostAndWhichARivalOvertookIsToldSo() {
        abandoned(name());
        FaultyStores lossy = new FaultyStores(world.stores());
        lossy.nextCommit(Commit.NOT_DONE_UNKNOWN);
        CompletableFuture<Renamed> slow = through(lossy).rename(name(), name() + ".slow", TAKING_OVER);
        pass(Duration.ofMillis(100));

        await(namespace().rename(name(), name() + ".fast", TAKING_OVER));

        StreamException.StreamRenamed told = failureOf(slow, StreamException.StreamRenamed.class);
        assertThat(told.newName()).isEqualTo(name() + ".fast");
        assertThat(await(namespace().exists(name() + ".slow"))).isFalse();
    }

    @Test
    void renameThatARivalOvertookIsToldSoWhileASuccessorOfTheOldNameIsBeingDeleted() {
        abandoned(name());
        FaultyStores lossy = new FaultyStores(world.stores());
        lossy.holdUnknownAnswers();
        lossy.nextCommit(Commit.NOT_DONE_UNKNOWN);
        CompletableFuture<Renamed> slow = through(lossy).rename(name(), name() + ".slow", TAKING_OVER);
        pass(Duration.ofMillis(100));
        await(namespace().rename(name(), name() + ".fast", TAKING_OVER));
        abandoned(name());
        FaultyStores failing = new FaultyStores(world.stores());
        failing.awayAfterCommits(1);
        failureOf(through(failing).delete(name()), StreamException.Unavailable.class);

        lossy.releaseUnknownAnswers();

        // S14: the deletion is another stream's
        assertThat(failureOf(slow, StreamException.StreamRenamed.class).newName())
                .isEqualTo(name() + ".fast");
    }

    @Test
    void idleOwnerHearsThatItsStreamWasRenamed() {
        MemoryMetadataStores session = world.newSession();
        LogStream stream = create();
        LogStream there = await(world.program("owner", session).namespace().openStream(name(), OpenMode.MUST_EXIST));
        LogWriter owner = await(there.openWriter());

        await(namespace().rename(name(), name() + ".moved", TAKING_OVER));
        pass(Duration.ofSeconds(10));

        // S-42: it has stopped before anybody asks it for something, and says where the stream is
        failureOf(owner.append(record(1)), StreamException.class);
        assertThat(failureOf(there.openWriter(), StreamException.StreamRenamed.class)
                        .newName())
                .isEqualTo(name() + ".moved");
        assertThat(failureOf(stream.lastRecord(), StreamException.StreamRenamed.class)
                        .newName())
                .isEqualTo(name() + ".moved");
        assertThat(await(open(name() + ".moved").lastRecord())).isEmpty();
    }

    @Test
    void ownerThatEndsItsWorkWhileItsStreamIsRenamedIsToldTheNewName() {
        create();
        FaultyStores lossy = new FaultyStores(world.stores());
        LogStream there = await(world.program("owner", lossy).namespace().openStream(name(), OpenMode.MUST_EXIST));
        LogWriter owner = await(there.openWriter());
        List<DLSN> positions = append(owner, 1, 3);
        // Its ledger is closed when it asks for the change that says so.
        lossy.holdCommits();
        CompletableFuture<Void> closing = owner.closeWriter();
        pass(Duration.ofMillis(5));
        assertThat(closing).isNotDone();

        await(namespace().rename(name(), name() + ".moved", TAKING_OVER));
        lossy.releaseCommits();

        assertThat(failureOf(closing, StreamException.StreamRenamed.class).newName())
                .isEqualTo(name() + ".moved");
        assertThat(positions(read(reader(open(name() + ".moved"), StartPosition.earliest()), 3)))
                .isEqualTo(positions);
    }

    @ParameterizedTest
    @EnumSource(
            value = Commit.class,
            names = {"DONE_UNKNOWN", "NOT_DONE_UNKNOWN"})
    void deletionOfWhichNobodyKnowsDeletesNoOtherStreamThatGotTheNameSince(Commit what) {
        abandoned(name());
        List<DLSN> positions = abandoned(name() + ".other");
        FaultyStores lossy = new FaultyStores(world.stores());
        lossy.holdUnknownAnswers();
        lossy.nextCommit(what);
        CompletableFuture<Void> deletion = through(lossy).delete(name());
        pass(Duration.ofMillis(100));

        if (what == Commit.NOT_DONE_UNKNOWN) {
            await(namespace().rename(name(), name() + ".moved", TAKING_OVER));
        }
        // S-40: this one finishes the deletion if it was begun
        await(namespace().rename(name() + ".other", name(), TAKING_OVER));
        lossy.releaseUnknownAnswers();

        // S14
        if (what == Commit.DONE_UNKNOWN) {
            await(deletion);
        } else {
            assertThat(failureOf(deletion, StreamException.StreamRenamed.class).newName())
                    .isEqualTo(name() + ".moved");
        }
        assertThat(ids(read(reader(open(name()), StartPosition.earliest()), positions.size())))
                .isEqualTo(numbers(1, 5));
    }

    @Test
    void optionsOfWhichNobodyKnowsAreNotGivenToAnotherStreamThatGotTheNameSince() {
        abandoned(name());
        abandoned(name() + ".other");
        FaultyStores lossy = new FaultyStores(world.stores());
        LogStream there = await(through(lossy).openStream(name(), OpenMode.MUST_EXIST));
        lossy.holdUnknownAnswers();
        lossy.nextCommit(Commit.DONE_UNKNOWN);
        CompletableFuture<Void> change = there.changeOptions(TINY_SEGMENTS.withRetention(Duration.ofSeconds(1), 0));
        pass(Duration.ofMillis(100));

        await(namespace().rename(name(), name() + ".moved", TAKING_OVER));
        await(namespace().rename(name() + ".other", name(), TAKING_OVER));
        lossy.releaseUnknownAnswers();

        // S14, S11
        failureOf(change, StreamException.StreamRenamed.class);
        assertThat(await(open(name()).status()).options()).isEqualTo(TINY_SEGMENTS);
    }

    @Test
    void ledgersOfARenamedStreamAreItsOwnUnderEveryName() {
        List<DLSN> positions = abandoned(name());
        FaultyStores failing = new FaultyStores(world.stores());
        SimulatedStage.Program crashing = world.program("crashing", failing);
        LogStream there = await(crashing.namespace().openStream(name(), OpenMode.MUST_EXIST));
        // A ledger is made for the stream under its old name, and the change that would name it is never sent.
        failing.holdListings();
        opening(there);
        pass(Duration.ofMillis(5));
        crashing.host().machine().crash();
        int count = world.ledgers().ids().size();

        await(namespace().rename(name(), name() + ".moved", TAKING_OVER));
        LogStream successor = await(namespace().openStream(name(), OpenMode.CREATE_NEW, TINY_SEGMENTS));
        for (int i = 0; i < 8; i++) {
            await(writer(successor).closeWriter());
        }
        maintain();

        // D-21, D-68: the one that nothing names is gone, all others are there, those of a lower epoch than the
        // successor's too
        List<Long> named = new ArrayList<>(ledgersNamed(name() + ".moved"));
        assertThat(named).hasSize(count - 1);
        named.addAll(ledgersNamed(name()));
        assertThat(world.ledgers().ids()).containsExactlyInAnyOrderElementsOf(named);
        assertThat(positions(read(reader(open(name() + ".moved"), StartPosition.earliest()), 5)))
                .isEqualTo(positions);
    }

    @Test
    void searchForOrphansThatARenameOvertakesDeletesNothing() {
        abandoned(name());
        // Its ledgers are of an epoch that is over, so that only the segments tell.
        await(writer(open(name())).closeWriter());
        FaultyStores slow = new FaultyStores(world.stores());
        slow.holdListings();
        world.program("maintainer", slow).namespace().maintain(CONFIG, reports::add);
        pass(Duration.ofSeconds(5));

        // What is listed next are the segments of another stream.
        await(namespace().rename(name(), name() + ".moved", TAKING_OVER));
        LogStream successor = await(namespace().openStream(name(), OpenMode.CREATE_NEW, TINY_SEGMENTS));
        append(writer(successor), 1, 3);
        slow.releaseListings();
        pass(Duration.ofSeconds(20));

        assertThat(reports).isNotEmpty();
        assertThat(world.ledgers().ids()).containsAll(ledgersNamed(name() + ".moved"));
        assertThat(ids(read(reader(open(name() + ".moved"), StartPosition.earliest()), 5)))
                .isEqualTo(numbers(1, 5));
    }

    @Test
    void segmentThatAnOldOwnerBeganWithoutHearingOfItKeepsItsLedger() {
        create(TINY_SEGMENTS);
        FaultyStores lossy = new FaultyStores(world.stores());
        LogStream there = await(world.program("owner", lossy).namespace().openStream(name(), OpenMode.MUST_EXIST));
        LogWriter owner = await(there.openWriter());
        lossy.nextCommit(Commit.DONE_UNKNOWN);
        CompletableFuture<DLSN> first = owner.append(record(1));
        pass(Duration.ofMillis(10));
        lossy.away(true);

        await(namespace().rename(name(), name() + ".moved", TAKING_OVER));
        lossy.away(false);
        pass(Duration.ofSeconds(30));
        maintain();

        // S7: the segment is there, so its ledger is
        assertThat(first).isCompleted();
        assertThat(ledgersNamed(name() + ".moved")).hasSizeGreaterThan(1);
        assertThat(world.ledgers().ids()).containsExactlyInAnyOrderElementsOf(ledgersNamed(name() + ".moved"));
        assertThat(ids(read(reader(open(name() + ".moved"), StartPosition.earliest()), 1)))
                .containsExactly(1L);
    }

    @Test
    void truncationThatWasCutShortIsFinishedUnderTheNewName() {
        List<DLSN> positions = abandoned(name());
        await(writer(open(name())).closeWriter());
        FaultyStores failing = new FaultyStores(world.stores());
        LogStream there =
                await(world.program("truncater", failing).namespace().openStream(name(), OpenMode.MUST_EXIST));
        append(writer(open(name())), 6, 9);
        pass(Duration.ofSeconds(1));
        failing.awayAfterCommits(1);
        await(there.truncate(new DLSN(positions.get(4).segment() + 1, 0, 0)));

        await(namespace().rename(name(), name() + ".moved", TAKING_OVER));
        maintain();

        assertThat(ids(read(reader(open(name() + ".moved"), StartPosition.earliest()), 4)))
                .isEqualTo(numbers(6, 9));
        assertThat(world.ledgers().ids()).containsExactlyInAnyOrderElementsOf(ledgersNamed(name() + ".moved"));
    }

    @Test
    void streamThatIsKeptBelowItsNameIsNotRenamedAndItsLedgersAreNoOrphans() {
        StreamMetadata young =
                await(world.stores().streams().read(createdName())).value();
        await(world.stores().streams().create(belowName(young)));
        append(writer(open(name() + ".old")), 1, 3);
        append(writer(open(name() + ".old")), 4, 5);

        StreamException refused = failureOf(
                namespace().rename(name() + ".old", name() + ".moved", TAKING_OVER),
                StreamException.InvalidOptions.class);
        assertThat(refused).hasMessageContaining("earlier").hasMessageContaining("copy");
        maintain();
        assertThat(ids(read(reader(open(name() + ".old"), StartPosition.earliest()), 3)))
                .isEqualTo(numbers(1, 3));
        assertThat(world.ledgers().ids()).containsExactlyInAnyOrderElementsOf(ledgersNamed(name() + ".old"));
    }

    private String createdName() {
        create();
        return name();
    }

    private StreamMetadata belowName(StreamMetadata head) {
        return new StreamMetadata(
                name() + ".old",
                new WriteToken(5, 6),
                StreamMetadata.Home.BELOW_NAME,
                head.state(),
                head.settings(),
                0,
                1,
                1,
                1,
                0,
                0,
                0,
                -1,
                "",
                head.createdMillis(),
                new WriteToken(7, 8));
    }

    @Test
    void halfDeletedStreamIsNotRenamedAndInNobodysWay() {
        abandoned(name());
        abandoned(name() + ".other");
        FaultyStores failing = new FaultyStores(world.stores());
        failing.awayAfterCommits(1);
        failureOf(through(failing).delete(name()), StreamException.Unavailable.class);

        StreamException refused = failureOf(
                namespace().rename(name(), name() + ".moved", TAKING_OVER), StreamException.StreamNotFound.class);
        assertThat(refused).hasMessageContaining("being deleted");

        // S-40: whoever comes next goes on with the deletion
        await(namespace().rename(name() + ".other", name(), TAKING_OVER));
        assertThat(ids(read(reader(open(name()), StartPosition.earliest()), 5))).isEqualTo(numbers(1, 5));
        assertThat(world.ledgers().ids()).containsExactlyInAnyOrderElementsOf(ledgersNamed(name()));
    }
}
