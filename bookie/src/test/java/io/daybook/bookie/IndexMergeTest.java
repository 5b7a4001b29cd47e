// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.IndexDamagedException;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.bookie.index.MergedIndex;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskFaults;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The index of many logs is kept together for the next start, which does as well without it. */
final class IndexMergeTest {
    private static final int ENTRIES = 300;

    /** Of an even number: so two logs are merged. */
    private CleanupScene scene = new CleanupScene(4);

    private void written() {
        scene.start();
        scene.createLedgers(1, 2);
        scene.fill(1, ENTRIES);
        scene.fill(2, ENTRIES);
        scene.one.client(LinkKind.OTHER).fenceAndWait(77);
        scene.recycleTheJournal();
    }

    private void merged() {
        written();
        scene.round();
        assertThat(files()).hasSizeGreaterThan(1);
    }

    private List<String> files() {
        return scene.data().list("").stream().filter(MergedIndex::isName).toList();
    }

    private List<String> mergedLogs() {
        TreeSet<String> logs = new TreeSet<>();
        for (String name : files()) {
            MergedIndex.logIds(scene.data(), name).forEach(logId -> logs.add(EntryLogFormat.name(logId)));
        }
        return List.copyOf(logs);
    }

    private void assertAllThere() {
        scene.assertHeld(1, ENTRIES);
        TestClient client = scene.client();
        assertThat(client.readOne(1, ENTRIES).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        assertThat(client.addAndWait(77, 0, "late")).isEqualTo(StatusCode.FENCED);
        client.close();
    }

    private void restart() {
        scene.one.close();
        scene.one.endSession().start();
    }

    private static void flip(Disk disk, String name, long position) {
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(position, one);
            file.write(position, one.put(0, (byte) (one.get(0) ^ 0x10)).rewind());
            file.sync();
        }
    }

    @Test
    void allLogsButLessThanAGroupAreMergedAndAStartReadsNoneOfTheirTables() {
        merged();
        assertThat(scene.logs().size() - mergedLogs().size()).isBetween(0, 1);
        scene.one.close();
        scene.one.endSession();
        // The first row of the table, which only a whole read of the file would miss.
        for (String log : mergedLogs()) {
            flip(scene.data(), IndexFile.name(EntryLogFormat.logId(log)), 40);
        }
        List<byte[]> before = mergedLogs().stream()
                .map(log -> scene.one.data().image().durableBytes(IndexFile.name(EntryLogFormat.logId(log))))
                .toList();

        scene.one.start();

        assertThat(mergedLogs().stream()
                        .map(log -> scene.one.data().image().durableBytes(IndexFile.name(EntryLogFormat.logId(log))))
                        .toList())
                .as("nothing was made again")
                .usingElementComparator((one, other) -> java.util.Arrays.compare(one, other))
                .isEqualTo(before);
        assertThat(scene.client().readOne(1, ENTRIES).header().status()).isEqualTo(StatusCode.NO_ENTRY);
    }

    @Test
    void aFileGoesWithTheFirstOfItsLogsThatIsRemovedAndTheOthersAreMergedAnew() {
        merged();

        scene.delete(2);
        scene.majorRound();
        scene.majorRound();

        assertThat(scene.logs()).containsAll(mergedLogs());
        assertAllThere();
        restart();
        assertAllThere();
        scene.assertGone(2, ENTRIES);
    }

    @Test
    void anIndexFileThatIsNotAsItWasIsReadItself() {
        merged();
        String log = mergedLogs().get(0);
        scene.one.close();
        scene.one.endSession();
        String index = IndexFile.name(EntryLogFormat.logId(log));
        flip(scene.data(), index, scene.one.data().image().durableBytes(index).length - 1);

        scene.one.start();

        assertAllThere();
    }

    @Test
    void whatADeviceCouldNotReadForAWhileIsMergedInTheNextMajorRound() {
        written();
        List<String> unread = scene.logs().subList(0, 2);
        for (String log : unread) {
            scene.one.data().faults().failOnce(DiskFaults.Call.READ, IndexFile.name(EntryLogFormat.logId(log)));
        }

        scene.round();
        assertThat(mergedLogs()).isNotEmpty().doesNotContainAnyElementsOf(unread);
        scene.round();
        assertThat(mergedLogs()).doesNotContainAnyElementsOf(unread);
        scene.majorRound();

        assertThat(mergedLogs()).containsAll(unread);
        restart();
        assertAllThere();
    }

    @Test
    void aLogThatIsMissingIsMissedAlthoughItsIndexIsMerged() {
        merged();
        String log = mergedLogs().get(0);
        scene.one.close();
        scene.one.endSession();
        scene.data().delete(log);
        scene.data().delete(IndexFile.name(EntryLogFormat.logId(log)));

        scene.one.start();

        assertThat(scene.client().readOne(1, ENTRIES).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
    }

    // S-02: a byte anywhere.
    @Test
    void aRottenFileIsNotUsedAndIsMadeAgain() {
        merged();
        String rotten = files().get(0);
        long size = scene.one.data().image().durableBytes(rotten).length;
        for (long at = 0; at < size; at += Math.max(1, size / 40)) {
            scene.one.close();
            scene.one.endSession();
            flip(scene.data(), rotten, at);
            String name = rotten;
            assertThatThrownBy(() -> MergedIndex.read(scene.data(), name))
                    .as("byte %d", at)
                    .isInstanceOf(IndexDamagedException.class)
                    .hasMessageContaining(name);

            scene.one.start();

            assertThat(files()).doesNotContain(rotten);
            assertAllThere();
            scene.round();
            assertThat(files()).contains(rotten);
            MergedIndex.read(scene.data(), rotten).tell(new Nothing());
        }
    }

    // B12: whatever is left of a round, the next start has all there was.
    @ParameterizedTest
    @EnumSource(
            value = CrashMode.class,
            names = {"LOSE_ALL", "KEEP_ALL", "ANY_SUBSET", "TEAR_ALL", "LOSE_NAMES"})
    void aCrashAtAnyDiskOperationOfAMergeLosesNothing(CrashMode mode) {
        boolean crashed = true;
        int points = 0;
        for (int nth = 1; crashed; nth += 1 + nth / 20) {
            scene = new CleanupScene(2L * nth);
            written();
            scene.one.machine.crashAtDiskOperation(nth, nth % 2 == 0);
            scene.beginRound();
            scene.one.world.runFor(60_000_000_000L);
            crashed = !scene.one.machine.isRunning();
            scene.one.crash(mode).start();
            assertAllThere();
            scene.round();
            restart();
            assertAllThere();
            assertThat(scene.data().list("")).noneMatch(name -> name.startsWith("merged-") && name.endsWith(".tmp"));
            points++;
        }
        assertThat(points).isGreaterThan(10);
    }

    // S-18: a round that is asked for may be for space.
    @Test
    void aRoundThatIsAskedForDoesNotWaitForTheMergeOfAllLogs() {
        scene.one.config =
                scene.one.config.withCleanup(scene.one.config.cleanup().withBytesPerSecondMax(1024));
        written();
        CompletableFuture<CleanupReport> first = scene.beginRound();
        scene.one.until(() -> !files().isEmpty());
        assertThat(first).isNotDone();
        int merged = files().size();

        CompletableFuture<CleanupReport> second = scene.beginRound();
        scene.one.until(first::isDone);

        assertThat(files()).hasSizeBetween(merged, merged + 1);
        scene.one.until(second::isDone);
        assertThat(files()).hasSizeGreaterThan(merged + 1);
    }

    @Test
    void aMergeThatFailsIsMadeInTheNextRound() {
        written();
        scene.one.data().faults().failOnce(DiskFaults.Call.SYNC, "merged-");
        scene.round();
        assertThat(files()).isEmpty();

        scene.round();

        assertThat(files()).hasSizeGreaterThan(1);
    }

    /** Takes what it is told. */
    private static final class Nothing implements IndexTarget {
        @Override
        public void log(int logId, int previousLogId) {}

        @Override
        public void extent(Extent extent) {}

        @Override
        public void facts(io.daybook.bookie.entrylog.LedgerFacts facts) {}

        @Override
        public void incomplete(int logId) {}
    }
}
