// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.bookie.ExitCode;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskFaults;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The cluster keeps its bookies up, and the metadata store fails in the ways it is told to. */
final class SimulatedClusterTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedWorld world = new SimulatedWorld(3);
    private final SimulatedCluster cluster = new SimulatedCluster(world, 3, BookieKnobs.DEFAULT);
    private final LedgerMetadataStore ledgers = cluster.newSession("client").ledgers();

    private LedgerMetadata open(long ledgerId) {
        Fragment fragment = new Fragment(0, List.of(cluster.idOf(0), cluster.idOf(1)));
        return new LedgerMetadata(
                ledgerId,
                new Quorums(2, 2, 1),
                DigestType.CRC32C,
                LedgerState.OPEN,
                -1,
                0,
                List.of(fragment),
                Map.of(),
                0,
                new WriteToken(1, ledgerId));
    }

    private LedgerMetadata closed(long ledgerId, long end) {
        return open(ledgerId).withClosed(end, 10, open(ledgerId).fragments(), new WriteToken(2, end));
    }

    private <T> T await(CompletableFuture<T> future) {
        return world.await(future, 10 * SECOND);
    }

    private Code failureOf(CompletableFuture<?> future) {
        world.runUntil(future::isDone, 10 * SECOND);
        Throwable failure = future.handle((value, thrown) -> thrown).join();
        return ((MetadataException) failure).code();
    }

    @Test
    void bookieThatIsCrashedStaysDownUntilItIsLetUpAgain() {
        cluster.crash(1, SECOND / 2);
        world.runFor(2 * SECOND);
        assertThat(cluster.isServing(1)).isFalse();
        assertThat(await(cluster.newSession("looker").bookies().live())).hasSize(2);

        cluster.up(1);
        world.runFor(2 * SECOND);

        assertThat(cluster.isServing(1)).isTrue();
        assertThat(await(cluster.newSession("looker").bookies().live())).hasSize(3);
    }

    @Test
    void bookieThatEndsByItselfIsStartedAgain() {
        world.machine(SimulatedCluster.machineOf(2)).crash();
        world.runFor(2 * SECOND);

        assertThat(cluster.isServing(2)).isTrue();
        assertThat(cluster.endings()).isEmpty();
    }

    @Test
    void bookieThatIsStoppedEndsByItselfAndComesBack() {
        cluster.stop(0);
        world.runFor(SECOND);
        assertThat(world.machine(SimulatedCluster.machineOf(0)).isRunning()).isFalse();
        assertThat(cluster.endings()).isEmpty();

        cluster.up(0);
        world.runFor(SECOND);

        assertThat(cluster.isServing(0)).isTrue();
    }

    @Test
    void anotherBookieLivesOnDisksThatWereWiped() { // D9
        BookieId before = cluster.idOf(1);

        cluster.replace(1, 0);
        cluster.up(1);
        world.runFor(2 * SECOND);

        assertThat(cluster.isServing(1)).isTrue();
        assertThat(cluster.idOf(1)).isNotEqualTo(before);
        assertThat(cluster.isDamaged(before)).isTrue();
        assertThat(cluster.isDamaged(cluster.idOf(1))).isFalse();
    }

    @Test
    void bookiesWithEachOthersDisksRefuseToStart() { // B15
        cluster.mixUp(0, 2, 0);
        world.runFor(2 * SECOND);
        assertThat(cluster.isServing(0) || cluster.isServing(2)).isFalse();
        assertThat(cluster.endings()).isNotEmpty().allMatch(SimulatedCluster.Ending::isDue);

        cluster.sortOut(0, 2);
        world.runFor(2 * SECOND);

        assertThat(cluster.isServing(0) && cluster.isServing(2)).isTrue();
        assertThat(cluster.wrongs()).isEmpty();
    }

    @Test
    void onlyTheFailureOfItsOwnDiskExcusesABookieThatEndsForOne() { // B14
        cluster.disks().of(0).forEach(drive -> drive.faults().failOnce(DiskFaults.Call.READ, ""));
        cluster.kill(0, 0);
        cluster.up(0);
        world.runFor(3 * SECOND);
        world.machine("bookie-1").host().halt(ExitCode.JOURNAL_FAILED.code(), "says that its disk has failed");
        world.runFor(SECOND);

        assertThat(cluster.endings())
                .extracting(SimulatedCluster.Ending::machine)
                .contains("bookie-0", "bookie-1");
        assertThat(cluster.endings())
                .allSatisfy(ending ->
                        assertThat(ending.isDue()).isEqualTo(ending.machine().equals("bookie-0")));
    }

    @Test
    void failureThatAnEarlierProcessHasMetExcusesNoLaterOne() { // B14
        cluster.disks().dataOf(0, 0).faults().failOnce(DiskFaults.Call.READ, "cookie");
        try (DiskFile cookie = world.machine("bookie-0").host().disk("data").open("cookie", Disk.OpenMode.READ_ONLY)) {
            assertThatThrownBy(() -> cookie.read(0, ByteBuffer.allocate(1))).isInstanceOf(DiskException.class);
        }
        cluster.kill(0, 0);
        cluster.up(0);
        assertThat(world.runUntil(() -> cluster.isServing(0), 3 * SECOND)).isTrue();
        assertThat(cluster.endings()).isEmpty();

        world.machine("bookie-0").host().halt(ExitCode.JOURNAL_FAILED.code(), "says that its disk has failed");
        world.runFor(SECOND);

        assertThat(cluster.endings()).extracting(SimulatedCluster.Ending::isDue).containsExactly(false);
    }

    @Test
    void onlyADiskWithoutRoomExcusesAStartThatWantsSpace() { // B14
        String reason = "did not start: no space left to write 'log'";
        DiskDrive full = cluster.disks().dataOf(2, 0);
        full.quality(full.quality().withCapacity(full.image().usedBytes()));
        world.machine("bookie-1").host().halt(ExitCode.DISK.code(), reason);
        world.machine("bookie-2").host().halt(ExitCode.DISK.code(), reason);
        world.runFor(SECOND / 5);

        assertThat(cluster.endings())
                .filteredOn(ending -> ending.reason().equals(reason))
                .extracting(SimulatedCluster.Ending::isDue)
                .containsExactly(false, true);
    }

    @Test
    void bookieWhoseSessionExpiresServesOnAndIsRegisteredAgain() {
        cluster.expireSession("bookie-1", SECOND);
        world.runFor(SECOND / 2);
        assertThat(await(cluster.newSession("looker").bookies().live())).hasSize(2);
        assertThat(cluster.isServing(1)).isTrue();

        world.runFor(SECOND);

        assertThat(await(cluster.newSession("looker").bookies().live())).hasSize(3);
        assertThat(cluster.endings()).isEmpty();
    }

    @Test
    void failedCallsAreCountedByKind() {
        cluster.disks().dataOf(0, 0).faults().failOnce(DiskFaults.Call.READ, "cookie");
        try (DiskFile cookie = world.machine("bookie-0").host().disk("data").open("cookie", Disk.OpenMode.READ_ONLY)) {
            assertThatThrownBy(() -> cookie.read(0, ByteBuffer.allocate(1))).isInstanceOf(DiskException.class);
        }

        assertThat(cluster.disks().dataOf(0, 0).faults().failures(DiskFaults.Call.READ))
                .isEqualTo(1);
        assertThat(cluster.disks().dataOf(0, 0).faults().failures(DiskFaults.Call.WRITE))
                .isZero();
    }

    @Test
    void bookieWithItsOwnDisksInEachOthersPlaceRefusesToStart() { // B15
        cluster.mixUp(1, 1, 0);
        world.runFor(2 * SECOND);
        assertThat(cluster.isServing(1)).isFalse();

        cluster.sortOut(1, 1);
        world.runFor(2 * SECOND);

        assertThat(cluster.isServing(1)).isTrue();
    }

    // B15, S-18 (c)
    @Test
    void bookieThatLostOneOfItsDirectoriesRefusesToStartAndIsReplaced() {
        SimulatedWorld other = new SimulatedWorld(6);
        SimulatedCluster several = new SimulatedCluster(
                other,
                1,
                new BookieKnobs(
                        64 * 1024, 3, Duration.ofSeconds(2), 16 * 1024, Duration.ZERO, 3, 1, Duration.ZERO, ""));
        BookieId before = several.idOf(0);

        several.loseDirectory(0, 1, 0);
        several.up(0);
        other.runFor(3 * SECOND);

        assertThat(several.endings()).isNotEmpty().allMatch(SimulatedCluster.Ending::isDue);
        assertThat(several.wrongs()).isEmpty();
        assertThat(several.isServing(0)).isTrue();
        assertThat(several.idOf(0)).isNotEqualTo(before);
        assertThat(other.faults().reached()).containsKey(BookieSituations.LACKING_REFUSES);
    }

    @Test
    void bookieThatStartsWithOtherKnobsIsTheSameBookie() {
        BookieId before = cluster.idOf(1);
        cluster.kill(1, 0);

        cluster.knobs(
                1,
                new BookieKnobs(
                        16 * 1024,
                        2,
                        Duration.ofMillis(200),
                        4096,
                        Duration.ofSeconds(1),
                        1,
                        1,
                        Duration.ofMillis(200),
                        ""));
        cluster.up(1);
        world.runFor(2 * SECOND);

        assertThat(cluster.isServing(1)).isTrue();
        assertThat(cluster.idOf(1)).isEqualTo(before);
    }

    @Test
    void bookieWhoseCookieRottedIsReplaced() {
        BookieId before = cluster.idOf(1);
        List<String> files = cluster.disks().dataOf(1, 0).image().files();
        cluster.rot(1, files.indexOf("cookie"));
        cluster.kill(1, 0);

        cluster.up(1);
        world.runFor(3 * SECOND);

        assertThat(cluster.isServing(1)).isTrue();
        assertThat(cluster.idOf(1)).isNotEqualTo(before);
        assertThat(cluster.endings()).isNotEmpty().allMatch(SimulatedCluster.Ending::isDue);
    }

    @Test
    void twinHoldsWhatIsDurable() {
        SimulatedCluster twin = cluster.twinAfterPowerLoss(new SimulatedWorld(4));

        assertThat(twin.isServing(0) && twin.isServing(1) && twin.isServing(2)).isTrue();
        assertThat(twin.numberOf(cluster.idOf(2))).isEqualTo(2);
    }

    @Test
    void outageEndsCallsAsUnavailableWithoutEffect() {
        cluster.metadata().outage();

        assertThat(failureOf(ledgers.create(open(1)))).isEqualTo(Code.UNAVAILABLE);

        cluster.metadata().heal();
        world.runFor(SECOND);
        assertThat(failureOf(ledgers.readLatest(1))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void unknownChangesAreSometimesMadeAndSometimesNot() { // S-28
        cluster.metadata().unknown(100);
        int made = 0;
        for (long ledgerId = 0; ledgerId < 60; ledgerId++) {
            assertThat(failureOf(ledgers.create(open(ledgerId)))).isEqualTo(Code.OUTCOME_UNKNOWN);
        }
        world.runFor(SECOND);
        for (long ledgerId = 0; ledgerId < 60; ledgerId++) {
            made += cluster.ledgers().readLatest(ledgerId).isCompletedExceptionally() ? 0 : 1;
        }

        assertThat(made).isBetween(10, 50);
    }

    @Test
    void readMayBeStaleAndReadLatestIsNot() {
        Versioned<LedgerMetadata> first = await(ledgers.create(open(1)));
        await(ledgers.read(1));
        await(cluster.newSession("other").ledgers().replace(closed(1, 4), first.version()));
        cluster.metadata().stale(100);

        assertThat(await(ledgers.read(1)).value().state()).isEqualTo(LedgerState.OPEN);
        assertThat(await(ledgers.readLatest(1)).value().state()).isEqualTo(LedgerState.CLOSED);
    }

    @Test
    void noticesArriveLateOrNever() {
        int[] notices = new int[1];
        Versioned<LedgerMetadata> first = await(ledgers.create(open(1)));
        ledgers.watch(1, () -> notices[0]++);
        await(ledgers.replace(open(1).withToken(new WriteToken(5, 5)), first.version()));
        world.runFor(SECOND);
        assertThat(notices[0]).isEqualTo(1);

        cluster.metadata().lostNotices(100);
        await(ledgers.delete(1));
        world.runFor(SECOND);

        assertThat(notices[0]).isEqualTo(1);
    }

    @Test
    void closedEndThatMovesIsNoticed() { // L4, P-34
        Versioned<LedgerMetadata> first = await(ledgers.create(open(1)));
        Versioned<LedgerMetadata> second = await(ledgers.replace(closed(1, 4), first.version()));
        assertThat(cluster.transitions().violations()).isEmpty();

        await(ledgers.replace(closed(1, 3), second.version()));

        assertThat(cluster.transitions().violations()).hasSize(1);
    }
}
