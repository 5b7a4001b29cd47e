// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.scrub.Damage;
import io.daybook.bookie.scrub.ScrubConfig;
import io.daybook.bookie.scrub.ScrubNotes;
import io.daybook.protocol.StatusCode;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A8, A9: damage is found before somebody reads there, exactly what is damaged is told, and nothing else ever is. */
final class ScrubTest {
    private static final int ENTRIES = 30;
    private static final int PLACES = 40;
    private static final long FAST = 1024L * 1024 * 1024;

    private static CleanupScene scene(long seed, long bytesPerSecond, Duration interval) {
        CleanupScene scene = new CleanupScene(seed);
        scene.one.config = scene.one.config.withScrub(new ScrubConfig(bytesPerSecond, interval));
        return scene;
    }

    /** A bookie with two ledgers in one log, stopped. */
    private static CleanupScene stopped(long seed) {
        CleanupScene scene = scene(seed, FAST, Duration.ofSeconds(1));
        scene.one.config = scene.one.config.withSlabs(256 * 1024, 3);
        scene.start();
        scene.createLedgers(1, 2);
        scene.fill(1, ENTRIES);
        scene.fill(2, ENTRIES);
        scene.one.close();
        scene.one.endSession();
        assertThat(scene.logs()).hasSize(1);
        return scene;
    }

    private static void slowly(CleanupScene scene) {
        scene.one.config = scene.one.config.withScrub(new ScrubConfig(16 * 1024, Duration.ofDays(1)));
    }

    private static ScrubNotes notes(CleanupScene scene) {
        return ScrubNotes.read(scene.data());
    }

    private static void awaitRound(CleanupScene scene) {
        long before = notes(scene).rounds();
        scene.one.until(() -> notes(scene).rounds() > before);
    }

    private static SortedSet<String> named(List<Damage> damages) {
        SortedSet<String> entries = new TreeSet<>();
        for (Damage damage : damages) {
            for (int i = 0; i < damage.count(); i++) {
                entries.add(damage.ledgerId() + ":" + (damage.firstEntryId() + i));
            }
        }
        return entries;
    }

    private static SortedSet<String> unreadable(CleanupScene scene) {
        SortedSet<String> entries = new TreeSet<>();
        TestClient reader = scene.client();
        for (long ledgerId = 1; ledgerId <= 2; ledgerId++) {
            for (int entryId = 0; entryId < ENTRIES; entryId++) {
                StatusCode status = reader.readOne(ledgerId, entryId).header().status();
                if (status != StatusCode.OK) {
                    assertThat(status).isIn(StatusCode.CORRUPT, StatusCode.UNKNOWN_STATE);
                    entries.add(ledgerId + ":" + entryId);
                }
            }
        }
        reader.close();
        return entries;
    }

    // B5, B6: what a read cannot give and what the search lists are the same entries.
    @Test
    void whatIsListedIsWhatReadsCannotGive() {
        int hits = 0;
        for (int place = 0; place < PLACES; place++) {
            CleanupScene scene = stopped(place);
            String log = scene.logs().get(0);
            int size = scene.one.data().image().durableBytes(log).length;
            scene.one.data().corrupt(log, (long) size * place / PLACES, 0x10);

            scene.one.start();
            awaitRound(scene);

            List<Damage> damages = scene.one.bookie().damages();
            assertThat(named(damages)).as("place %d", place).isEqualTo(unreadable(scene));
            assertThat(damages).isEqualTo(notes(scene).damages());
            assertThat(notes(scene).logs()).isEqualTo(1);
            hits += named(damages).size();
        }
        assertThat(hits).isGreaterThan(PLACES / 2);
    }

    @Test
    void aLogThatIsMissingIsListedWithItsEntries() {
        CleanupScene scene = stopped(1);
        scene.data().delete(scene.logs().get(0));

        scene.one.start();
        awaitRound(scene);

        assertThat(named(scene.one.bookie().damages())).hasSize(2 * ENTRIES).isEqualTo(unreadable(scene));
        assertThat(scene.one.bookie().damages()).anyMatch(damage -> damage.kind() == Damage.Kind.LOG);
    }

    @Test
    void anIndexFileThatRotsWhileTheBookieRunsIsListedAndGoneAfterTheNextStart() {
        CleanupScene scene = stopped(2);
        scene.one.start();
        awaitRound(scene);
        String index = IndexFile.name(EntryLogFormat.logId(scene.logs().get(0)));
        scene.one.data().corrupt(index, 60, 0x40);

        awaitRound(scene);
        awaitRound(scene);

        assertThat(scene.one.bookie().damages()).extracting(Damage::kind).containsExactly(Damage.Kind.INDEX);
        scene.one.close();
        scene.one.endSession();
        scene.one.start();
        awaitRound(scene);
        assertThat(scene.one.bookie().damages()).isEmpty();
        assertThat(unreadable(scene)).isEmpty();
    }

    // Whatever else goes on: what is sound is never called damaged.
    @Test
    void nothingIsListedWhileLogsComeAndGo() {
        for (int seed = 0; seed < 4; seed++) {
            CleanupScene scene = scene(seed, FAST, Duration.ofSeconds(20)).start();
            for (long ledgerId = 1; ledgerId <= 6; ledgerId++) {
                scene.createLedgers(ledgerId);
                scene.fill(ledgerId, 100);
                scene.recycleTheJournal();
                if (ledgerId % 2 == 0) {
                    scene.delete(ledgerId - 1);
                    scene.majorRound();
                }
                assertThat(scene.one.bookie().damages()).isEmpty();
            }
            scene.one.crash(CrashMode.LOSE_ALL);
            scene.one.start();
            awaitRound(scene);

            assertThat(scene.one.bookie().damages()).isEmpty();
            assertThat(notes(scene).rounds()).isPositive();
            scene.assertHeld(2, 100);
        }
    }

    @Test
    void damageOfEntriesThatNobodyNeedsAnyMoreIsForgotten() {
        CleanupScene scene = stopped(3);
        String log = scene.logs().get(0);
        scene.one.data().corrupt(log, 2000, 0x10);
        scene.one.start();
        awaitRound(scene);
        assertThat(named(scene.one.bookie().damages())).isNotEmpty();

        scene.delete(1);
        scene.delete(2);
        scene.majorRound();
        awaitRound(scene);
        awaitRound(scene);

        assertThat(scene.logs()).doesNotContain(log);
        assertThat(scene.one.bookie().damages()).isEmpty();
    }

    // S-55: bytes read are paced.
    @Test
    void aRoundTakesAsLongAsItsBytesAreWorth() {
        CleanupScene scene = scene(4, 0, Duration.ofDays(1)).start();
        scene.createLedgers(1);
        scene.fill(1, 200);
        scene.recycleTheJournal();
        scene.one.close();
        scene.one.endSession();
        slowly(scene);
        scene.one.start();
        long before = scene.one.world.nanoTime();

        scene.one.until(() -> notes(scene).rounds() > 0);

        long seconds = TimeUnit.NANOSECONDS.toSeconds(scene.one.world.nanoTime() - before);
        assertThat(notes(scene).bytes()).isGreaterThan(200 * 200);
        assertThat(seconds).isGreaterThanOrEqualTo(notes(scene).bytes() / (16 * 1024) - 1);
    }

    @Test
    void aRoundGoesOnWhereItWasBeforeTheRestart() {
        CleanupScene scene = scene(5, 0, Duration.ofDays(1)).start();
        scene.createLedgers(1);
        for (int i = 0; i < 3; i++) {
            scene.recycleTheJournal();
        }
        scene.one.close();
        scene.one.endSession();
        slowly(scene);
        int logs = scene.logs().size();
        assertThat(logs).isGreaterThan(5);

        List<Integer> reached = new ArrayList<>();
        while (notes(scene).rounds() == 0) {
            scene.one.start();
            int before = notes(scene).logs();
            scene.one.until(() -> notes(scene).logs() > before || notes(scene).rounds() > 0);
            reached.add(notes(scene).logs());
            scene.one.crash(CrashMode.LOSE_ALL);
            scene.one.machine.start();
        }

        assertThat(reached).isSorted();
        assertThat(reached.size()).isGreaterThan(1);
        // Each start makes a log of what was in the journal at most.
        assertThat(notes(scene).logs()).isBetween(logs, logs + reached.size());
    }

    @Test
    void nothingIsReadWhenTheSettingSaysSo() {
        CleanupScene scene = scene(6, 0, Duration.ofMillis(10)).start();
        scene.createLedgers(1);
        scene.fill(1, 10);
        scene.recycleTheJournal();

        scene.one.world.runFor(TimeUnit.MINUTES.toNanos(1));

        assertThat(notes(scene)).isEqualTo(ScrubNotes.none());
    }

    // B6: neither the directory nor the catalog names it any more.
    @Test
    void aLogOfWhichBothFilesAreMissingIsListedForAStoppedBookie() {
        CleanupScene scene = stopped(8);
        String log = scene.logs().get(0);
        int logId = EntryLogFormat.logId(log);
        scene.data().delete(log);
        scene.data().delete(IndexFile.name(logId));
        scene.data().syncDirectory("");

        try (OfflineBookie offline = OfflineBookie.open(scene.one.config, scene.one.machine.host())) {
            ScrubNotes checked = offline.scrub(1, bytes -> {});

            assertThat(checked.damages())
                    .extracting(Damage::logId, Damage::kind)
                    .containsExactlyInAnyOrder(tuple(logId, Damage.Kind.LOG), tuple(logId, Damage.Kind.INDEX));
        }
    }

    // A flush and a compaction that a crash cut short: the next start removes their logs.
    @Test
    void whatACrashLeftIsNoDamageForTheCheckOfAStoppedBookie() {
        CleanupScene scene = stopped(7);
        for (int logId : List.of(0x1000, 0x8000_1000)) {
            try (DiskFile left = scene.data().open(EntryLogFormat.name(logId), Disk.OpenMode.CREATE_NEW)) {
                left.write(0, ByteBuffer.allocate(100));
                left.sync();
            }
        }
        scene.data().syncDirectory("");

        try (OfflineBookie offline = OfflineBookie.open(scene.one.config, scene.one.machine.host())) {
            ScrubNotes checked = offline.scrub(1, bytes -> {});

            assertThat(checked.damages()).isEmpty();
            assertThat(checked.logs()).isEqualTo(1);
        }
        scene.one.start();
        assertThat(scene.logs()).hasSize(1);
    }
}
