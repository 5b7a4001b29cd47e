// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogScan;
import io.daybook.bookie.entrylog.EntryLogVisitor;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.index.IndexFile;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of data file with a byte flipped, a block zeroed or its end cut off, at many places (S-02, S-12): damage is never served, is never told as
 * "no such entry", and what can be made again is.
 */
final class FileDamageTest {
    private static final int ENTRIES = 30;
    private static final int PLACES = 25;

    /** A bookie with two ledgers in one entry log, stopped. */
    private static CleanupScene stopped(long seed) {
        CleanupScene scene = new CleanupScene(seed);
        scene.one.config = scene.one.config.withSlabs(256 * 1024, 3);
        scene.start();
        scene.createLedgers(1, 2);
        scene.fill(1, ENTRIES);
        scene.fill(2, ENTRIES);
        scene.one.close();
        scene.one.endSession();
        return scene;
    }

    private static String onlyLog(CleanupScene scene) {
        assertThat(scene.logs()).hasSize(1);
        return scene.logs().get(0);
    }

    /** Every entry is there with its bytes, or the bookie says that it cannot tell; how many are there. */
    private static int assertNothingInvented(CleanupScene scene, String what) {
        TestClient reader = scene.client();
        int found = 0;
        for (long ledgerId = 1; ledgerId <= 2; ledgerId++) {
            for (int entryId = 0; entryId < ENTRIES; entryId++) {
                TestClient.Answered answer = reader.readOne(ledgerId, entryId);
                StatusCode status = answer.header().status();
                if (status == StatusCode.OK) {
                    assertThat(answer.payloads()).as(what).containsExactly(CleanupScene.payload(ledgerId, entryId));
                    found++;
                } else {
                    assertThat(status).as(what).isIn(StatusCode.CORRUPT, StatusCode.UNKNOWN_STATE);
                }
            }
        }
        reader.close();
        return found;
    }

    /** Which entries of a log damage must hit, and which it can: the last bytes of a record may be those after the entry. */
    private static final class Hits implements EntryLogVisitor {
        private static final int GAP_BYTES_MAX = 7;

        private final long from;
        private final long end;
        private int least;
        private int most;

        private Hits(long from, long end) {
            this.from = from;
            this.end = end;
        }

        static Hits of(CleanupScene scene, String log, FileDamage damage, long position) {
            long size = scene.one.data().image().durableBytes(log).length;
            Hits hits = new Hits(position, damage.end(position, size));
            EntryLogScan.of(
                    scene.data(), EntryLogFormat.logId(log), scene.one.cookie().bookieId(), hits);
            return hits;
        }

        @Override
        public void entry(long ledgerId, long entryId, long position, long positionAfter) {
            most += position < end && positionAfter > from ? 1 : 0;
            least += position < end && positionAfter - GAP_BYTES_MAX > from ? 1 : 0;
        }

        @Override
        public void facts(LedgerFacts facts) {}

        /** Adds what was found to be lost, which is no more and no less than what was hit. */
        int lost(int found, String what) {
            int lost = 2 * ENTRIES - found;
            assertThat(lost).as(what).isBetween(least, most);
            return lost;
        }
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void anEntryLog(FileDamage damage) {
        int lost = 0;
        for (int place = 0; place < PLACES; place++) {
            CleanupScene scene = stopped(place);
            String log = onlyLog(scene);
            long size = scene.one.data().image().durableBytes(log).length;
            String what = damage + " at " + place;
            Hits hits = Hits.of(scene, log, damage, size * place / PLACES);
            damage.at(scene.data(), log, size * place / PLACES);

            try (LogLines lines = new LogLines()) {
                scene.one.start();
                int lostHere = hits.lost(assertNothingInvented(scene, what), what);
                if (lostHere > 0) {
                    lines.assertSaid(what, "file=" + log, "state=CORRUPT");
                }
                lost += lostHere;
            }
        }
        assertThat(lost).isGreaterThan(PLACES / 2);
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void anEntryLogWhoseIndexFileIsLostToo(FileDamage damage) {
        int lost = 0;
        for (int place = 0; place < PLACES; place++) {
            CleanupScene scene = stopped(place);
            String log = onlyLog(scene);
            long size = scene.one.data().image().durableBytes(log).length;
            String what = damage + " at " + place;
            Hits hits = Hits.of(scene, log, damage, size * place / PLACES);
            damage.at(scene.data(), log, size * place / PLACES);
            scene.data().delete(IndexFile.name(EntryLogFormat.logId(log)));

            try (LogLines lines = new LogLines()) {
                scene.one.start();

                int lostHere = hits.lost(assertNothingInvented(scene, what), what);
                if (lostHere > 0) {
                    lines.assertSaid(what, "ERROR file=" + log, "state=DAMAGED");
                }
                lost += lostHere;
            }
        }
        assertThat(lost).isGreaterThan(PLACES / 2);
    }

    // B13: nobody can tell what else was in it.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLogWithoutItsHeaderAndItsIndexFileIsServedAndNeverCompacted(boolean isLostWhileItRuns) {
        CleanupScene scene = stopped(1);
        String log = onlyLog(scene);
        String index = IndexFile.name(EntryLogFormat.logId(log));
        if (isLostWhileItRuns) {
            scene.one.start();
        }
        FileDamage.FLIPPED.at(scene.data(), log, EntryLogFormat.RECORD_HEADER_BYTES + 2);
        scene.data().delete(index);
        scene.data().syncDirectory("");

        for (int round = 0; round < 3; round++) {
            boolean isRunning = isLostWhileItRuns && round == 0;
            if (!isRunning) {
                scene.one.start();
                scene.assertHeld(1, ENTRIES);
            }
            if (round == 1) {
                scene.delete(2);
            }
            List<String> kept = scene.majorRound().logsKept();

            assertThat(scene.logs()).contains(log);
            assertThat(kept)
                    .isEqualTo(round == 0 ? List.of() : List.of(Integer.toHexString(EntryLogFormat.logId(log))));
            scene.createLedgers(50 + round);
            scene.one.until(() -> !scene.one.bookie().isReadOnly());
            scene.fill(50 + round, 10);
            scene.one.close();
            scene.one.endSession();
        }
        scene.one.start();
        scene.assertHeld(1, ENTRIES);
    }

    /** Its checksum was right at the start. */
    @Test
    void anIndexFileThatRotsWhileItIsInUseBringsNoMoreThanWasAskedFor() { // B5
        CleanupScene scene = stopped(1);
        String index = IndexFile.name(EntryLogFormat.logId(onlyLog(scene)));
        int size = scene.one.data().image().durableBytes(index).length;
        scene.one.start();
        TestClient reader = scene.client();
        int early = 0;

        for (int position = 0; position < size; position++) {
            FileDamage.FLIPPED.at(scene.data(), index, position);
            for (int first = 0; first < ENTRIES; first += 7) {
                TestClient.Answered answer = reader.readAndWait(1, first, 5, ReadRequest.FLAG_UNCONFIRMED);

                assertThat(answer.header().count()).isLessThanOrEqualTo(Math.min(5, ENTRIES - first));
                assertThat(answer.header().status()).isIn(StatusCode.OK, StatusCode.CORRUPT, StatusCode.UNKNOWN_STATE);
                for (int i = 0; i < answer.header().count(); i++) {
                    assertThat(answer.payloads().get(i)).isEqualTo(CleanupScene.payload(1, first + i));
                }
                early += answer.header().count() < Math.min(5, ENTRIES - first) ? 1 : 0;
            }
            FileDamage.FLIPPED.at(scene.data(), index, position);
        }

        assertThat(early).as("reads that met a wrong row").isPositive();
        scene.assertHeld(1, ENTRIES);
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void anIndexFileIsMadeAgain(FileDamage damage) {
        for (int place = 0; place < PLACES; place++) {
            CleanupScene scene = stopped(place);
            String index = IndexFile.name(EntryLogFormat.logId(onlyLog(scene)));
            byte[] before = scene.one.data().image().durableBytes(index);
            damage.at(scene.data(), index, (long) before.length * place / PLACES);

            try (LogLines lines = new LogLines()) {
                scene.one.start();
                lines.assertSaid(damage + " at " + place, "WARN file=" + index + " state=REBUILDING");
            }

            scene.assertHeld(1, ENTRIES);
            scene.assertHeld(2, ENTRIES);
            assertThat(scene.client().readOne(1, ENTRIES).header().status()).isEqualTo(StatusCode.NO_ENTRY);
            assertThat(scene.one.data().image().durableBytes(index)).isEqualTo(before);
        }
    }

    // The table of an index file is read when an entry is: a position that rotted since the start is not believed.
    @Test
    void anIndexFileThatRotsWhileTheBookieRuns() {
        for (int place = 0; place < PLACES; place++) {
            CleanupScene scene = stopped(place);
            String index = IndexFile.name(EntryLogFormat.logId(onlyLog(scene)));
            scene.one.start();
            scene.one.data().corrupt(index, 40 + 4L * place * 2 + 3, 0x1f);

            int found = assertNothingInvented(scene, "row " + place * 2);

            assertThat(found).isBetween(2 * ENTRIES - 2, 2 * ENTRIES - 1);
        }
    }

    // B6: what was lost with a log and its index file stays in doubt, also when compaction has written a new catalog.
    @Test
    void aLostLogIsNotForgottenByCompaction() {
        CleanupScene scene = compacted();
        String lost = scene.logs().stream()
                .filter(name -> EntryLogFormat.isCompacted(EntryLogFormat.logId(name)))
                .findFirst()
                .orElseThrow();
        scene.data().delete(lost);
        scene.data().delete(IndexFile.name(EntryLogFormat.logId(lost)));

        for (int starts = 0; starts < 3; starts++) {
            scene.one.start();
            TestClient reader = scene.client();
            for (int entryId = 0; entryId <= ENTRIES; entryId++) {
                TestClient.Answered answer = reader.readOne(1, entryId);
                boolean denied = answer.header().status().isProofOfAbsence();
                assertThat(denied).as("entry " + entryId).isFalse();
            }
            compactSomething(scene, 50L + starts);
            scene.one.crash(CrashMode.LOSE_ALL);
        }
    }

    /** A bookie that has compacted its logs, stopped. */
    private static CleanupScene compacted() {
        CleanupScene scene = new CleanupScene(31);
        scene.start();
        scene.createLedgers(1, 2, 3);
        scene.fill(1, ENTRIES);
        scene.fill(3, 80);
        scene.fill(2, ENTRIES);
        scene.recycleTheJournal();
        scene.metadata().delete(3).join();
        scene.roundsOfGrace();
        assertThat(scene.majorRound().logsRemoved()).isPositive();
        for (long ledgerId = 50; ledgerId < 53; ledgerId++) {
            scene.createLedgers(ledgerId);
            scene.fill(ledgerId, 80);
        }
        scene.recycleTheJournal();
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(5));
        scene.round();
        scene.one.close();
        scene.one.endSession();
        return scene;
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void oneCopyOfTheCatalogIsMadeUpForByTheOther(FileDamage damage) {
        for (String root : List.of(SimulatedBookie.DATA, SimulatedBookie.JOURNAL)) {
            for (int position = 0; position < 48; position += 7) {
                CleanupScene scene = compacted();
                damage.at(scene.one.machine.host().disk(root), Catalog.NAME, position);

                try (LogLines lines = new LogLines()) {
                    scene.one.start();
                    lines.assertSaid(
                            damage + " at " + position, "WARN path=bookie-0:" + root + " file=catalog state=DAMAGED");
                }

                assertThat(assertNothingInvented(scene, damage + " at " + position))
                        .isEqualTo(2 * ENTRIES);
                scene.one.close();
                scene.one.endSession();
                String other = root.equals(SimulatedBookie.DATA) ? SimulatedBookie.JOURNAL : SimulatedBookie.DATA;
                damage.at(scene.one.machine.host().disk(other), Catalog.NAME, position);
                scene.one.start();
                scene.assertHeld(1, ENTRIES);
                assertThat(scene.client().readOne(1, ENTRIES).header().status()).isEqualTo(StatusCode.NO_ENTRY);
            }
        }
    }

    // B6: nobody can tell then whether a log is missing.
    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void withoutAReadableCatalogWhatIsThereIsServedAndNothingIsCalledAbsent(FileDamage damage) {
        CleanupScene scene = compacted();
        damage.at(scene.one.machine.host().disk(SimulatedBookie.DATA), Catalog.NAME, 20);
        damage.at(scene.one.machine.host().disk(SimulatedBookie.JOURNAL), Catalog.NAME, 20);

        for (int starts = 0; starts < 3; starts++) {
            try (LogLines lines = new LogLines()) {
                scene.one.start();
                if (starts == 0) {
                    lines.assertSaid("both", "ERROR file=catalog state=DAMAGED");
                }
            }
            scene.assertHeld(1, ENTRIES);
            scene.assertHeld(2, ENTRIES);
            assertThat(scene.client().readOne(1, ENTRIES).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
            compactSomething(scene, 50L + starts);
            scene.one.crash(CrashMode.LOSE_ALL);
        }
    }

    /** A compaction makes a readable and complete catalog again, but what was lost stays lost. */
    private static void compactSomething(CleanupScene scene, long ledgerId) {
        scene.delete(ledgerId);
        assertThat(scene.majorRound().logsRemoved()).isPositive();
    }

    // A catalog that is gone is not one that never was: the chain of logs has a gap.
    @Test
    void aCatalogThatWasRemovedIsNoticed() {
        CleanupScene scene = compacted();
        scene.one.machine.host().disk(SimulatedBookie.DATA).delete(Catalog.NAME);
        scene.one.machine.host().disk(SimulatedBookie.JOURNAL).delete(Catalog.NAME);

        scene.one.start();

        scene.assertHeld(1, ENTRIES);
        assertThat(scene.client().readOne(1, ENTRIES).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
    }
}
