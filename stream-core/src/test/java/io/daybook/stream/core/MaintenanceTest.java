// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import io.daybook.stream.core.maintenance.MaintenanceReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the elected maintainer does, and what becomes of truncations that are cut short; on simulated loops. */
final class MaintenanceTest extends StreamSuite {
    private static final MaintenanceConfig CONFIG = SettingsLoader.defaults(MaintenanceConfig.class);

    private final SimulatedStage world = new SimulatedStage(7);
    private final List<MaintenanceReport> reports = new ArrayList<>();

    @Override
    Stage newStage() {
        return world;
    }

    private void pass(Duration time) {
        world.world().runFor(time.toNanos());
    }

    /** Runs a maintainer for two passes. */
    private void maintain() {
        SimulatedStage.Program program =
                world.program("maintainer " + world.world().nanoTime());
        program.namespace().maintain(CONFIG, reports::add);
        pass(CONFIG.interval().multipliedBy(2));
        await(program.namespace().shutdown());
        pass(Duration.ofSeconds(1));
    }

    private List<Long> segmentNumbers() {
        return await(stage().metadata().segments(name(), 0, 1000)).items().stream()
                .map(SegmentMetadata::number)
                .toList();
    }

    @Test
    void segmentsThatWereCompletedTooLongAgoGo() {
        LogStream stream = create(TINY_SEGMENTS.withRetention(Duration.ofHours(1), 0));
        LogWriter writer = writer(stream);
        appendOneByOne(writer, 1, 5);
        pass(Duration.ofHours(2));
        List<DLSN> later = appendOneByOne(writer, 6, 10);
        pass(Duration.ofSeconds(2));

        maintain();

        // D-120: the oldest go, without a writer's help
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 5))).isEqualTo(numbers(6, 10));
        assertThat(reports)
                .anySatisfy(report -> assertThat(report.truncations()).isEqualTo(1));
        await(writer.closeWriter());
        pass(Duration.ofHours(5));
        maintain();
        // The newest segment that has records stays, however old it is.
        assertThat(await(stream.find(StartPosition.earliest())))
                .hasValueSatisfying(record -> assertThat(record.position()).isEqualTo(later.get(4)));
        assertThat(world.ledgers().ids()).hasSameSizeAs(segmentNumbers());
    }

    @Test
    void oldestSegmentsGoWhileEnoughBytesAreLeft() {
        LogStream stream = create(TINY_SEGMENTS.withRetention(Duration.ZERO, 10_000));
        LogWriter writer = writer(stream);
        for (long id = 1; id <= 20; id++) {
            await(writer.append(LogRecord.of(id, new byte[2_000])));
        }
        await(writer.closeWriter());

        maintain();

        // Five segments of a little more than 2,000 bytes make 10,000.
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 5))).isEqualTo(numbers(16, 20));
        failureOf(stream.openReader(StartPosition.at(new DLSN(1, 0, 0))), StreamException.Truncated.class);
    }

    @Test
    void streamWithoutRetentionKeepsEverything() {
        LogStream stream = create(TINY_SEGMENTS);
        appendOneByOne(writer(stream), 1, 5);
        pass(Duration.ofDays(400));

        maintain();

        assertThat(ids(read(reader(stream, StartPosition.earliest()), 5))).isEqualTo(numbers(1, 5));
    }

    @Test
    void deletionThatWasCutShortIsFinished() {
        // D-124
        LogStream stream = create(TINY_SEGMENTS);
        appendOneByOne(writer(stream), 1, 5);
        FaultyStores failing = new FaultyStores(world.stores());
        failing.awayAfterCommits(1);
        failureOf(world.program("deleter", failing).namespace().delete(name()), StreamException.Unavailable.class);
        assertThat(world.ledgers().ids()).isNotEmpty();

        maintain();

        // S-40: nothing is left, without anybody asking
        assertThat(world.ledgers().ids()).isEmpty();
        assertThat(await(stage().metadata().list("", "", 10)).items()).isEmpty();
        assertThat(reports)
                .anySatisfy(report -> assertThat(report.deletionsFinished()).isEqualTo(1));
    }

    @Test
    void deletionThatOthersFinishedLeavesTheSubscriptionsOfTheNextStreamAlone() {
        LogStream stream = create(TINY_SEGMENTS);
        appendOneByOne(writer(stream), 1, 2);
        FaultyStores slow = new FaultyStores(world.stores());
        slow.holdSubscriptionListings();
        CompletableFuture<Void> deletion =
                world.program("deleter", slow).namespace().delete(name());
        pass(Duration.ofSeconds(1));

        await(namespace().delete(name()));
        LogStream next = create(TINY_SEGMENTS);
        await(next.subscriptions().create("s", StartPosition.earliest()));
        slow.releaseListings();

        // S14
        await(deletion);
        assertThat(await(next.subscriptions().find("s")).epoch()).isZero();
    }

    @Test
    void truncationThatWasCutShortIsFinishedOldestFirst() {
        for (int commits = 0; commits <= 2; commits++) {
            await(namespace().openStream(name() + commits, OpenMode.CREATE_NEW, TINY_SEGMENTS));
            FaultyStores failing = new FaultyStores(world.stores());
            LogStream stream = await(world.program("truncater " + commits, failing)
                    .namespace()
                    .openStream(name() + commits, OpenMode.MUST_EXIST));
            LogStream elsewhere = await(namespace().openStream(name() + commits, OpenMode.MUST_EXIST));
            LogWriter writer = writer(elsewhere);
            List<DLSN> positions = appendOneByOne(writer, 1, 10);
            await(writer.closeWriter());
            failing.awayAfterCommits(commits);

            CompletableFuture<DLSN> cutShort = stream.truncate(positions.get(6));
            pass(Duration.ofMinutes(1));

            // S-38 (d): all or nothing for readers, whatever is left behind
            boolean isDone = commits > 0;
            assertThat(cutShort.isCompletedExceptionally()).isNotEqualTo(isDone);
            int left = isDone ? 4 : 10;
            assertThat(ids(read(reader(elsewhere, StartPosition.earliest()), left)))
                    .isEqualTo(numbers(11 - left, 10));
            maintain();
            List<Long> numbers = await(stage().metadata().segments(name() + commits, 0, 1000)).items().stream()
                    .map(SegmentMetadata::number)
                    .toList();
            assertThat(numbers.get(0)).isEqualTo(isDone ? positions.get(6).segment() : 1);
            assertThat(world.ledgers().ids()).hasSameSizeAs(numbers);
            await(namespace().delete(name() + commits));
        }
    }

    @Test
    void ledgersThatBelongToNoSegmentAreDeleted() {
        LogStream stream = create();
        append(writer(stream), 1, 3);
        FaultyStores failing = new FaultyStores(world.stores());
        SimulatedStage.Program program = world.program("crashing", failing);
        LogStream there = await(program.namespace().openStream(name(), OpenMode.MUST_EXIST));
        // The ledger is made and the change that would name it is never sent: the program dies.
        failing.holdListings();
        opening(there);
        pass(Duration.ofMillis(5));
        program.host().machine().crash();
        assertThat(world.ledgers().ids()).hasSize(2);

        maintain();
        // Its epoch is still to come, so it might be named by a change that is on its way.
        assertThat(world.ledgers().ids()).hasSize(2);
        LogWriter next = writer(stream);
        append(next, 4, 5);
        append(writer(elsewhere("third")), 6, 6);
        maintain();

        // D-21, D-68: only what segments name is left, and all of it
        assertThat(world.ledgers().ids()).hasSameSizeAs(segmentNumbers());
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 6))).isEqualTo(numbers(1, 6));
        assertThat(reports.stream().mapToLong(MaintenanceReport::orphansDeleted).sum())
                .isEqualTo(1);
    }

    @Test
    void streamThatCannotBeReadKeepsItsLedgersAndDoesNotEndTheSearch() {
        create();
        MemoryLedgerClient client = world.program("crashed").ledgers();
        for (String stream : List.of("0123456789abcdef a stream that is gone", "fedcba9876543210 " + name())) {
            await(client.create(io.daybook.ledger.api.CreateOptions.DEFAULT.withCustom(java.util.Map.of(
                    "daybook.stream",
                    stream.substring(17),
                    "daybook.stream-incarnation",
                    stream.substring(0, 16).repeat(2),
                    "daybook.stream-epoch",
                    "1"))));
        }
        FaultyStores stores = new FaultyStores(world.stores());
        stores.unreadable(name());

        world.program("maintainer", stores).namespace().maintain(CONFIG, reports::add);
        pass(CONFIG.interval());

        // M6
        assertThat(world.ledgers().ids()).hasSize(1);
        assertThat(reports.get(0).orphansDeleted()).isEqualTo(1);
    }

    @Test
    void ledgersOfOthersAreLeftAlone() {
        io.daybook.ledger.api.CreateOptions options =
                io.daybook.ledger.api.CreateOptions.DEFAULT.withCustom(java.util.Map.of(
                        "stream", "no such stream", "stream-incarnation", "0123456789abcdef".repeat(2), "epoch", "1"));
        await(world.program("application").ledgers().create(options));

        maintain();

        assertThat(world.ledgers().ids()).hasSize(1);
    }

    @Test
    void oneMaintainerWorksAndAnotherTakesOverWhenItsSessionEnds() {
        create(TINY_SEGMENTS.withRetention(Duration.ofMinutes(30), 0));
        List<MaintenanceReport> first = new ArrayList<>();
        List<MaintenanceReport> second = new ArrayList<>();
        MemoryMetadataStores session = world.newSession();
        world.program("first", session).namespace().maintain(CONFIG, first::add);
        pass(Duration.ofSeconds(1));
        world.program("second").namespace().maintain(CONFIG, second::add);

        pass(Duration.ofHours(1));
        assertThat(first).hasSizeGreaterThan(10);
        assertThat(second).isEmpty();
        session.close();
        pass(Duration.ofHours(1));

        assertThat(second).hasSizeGreaterThan(9);
    }
}
