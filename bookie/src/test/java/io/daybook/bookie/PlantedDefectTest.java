// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.bookie.entrylog.Defects;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskFaults;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Defects that systems of this kind had, planted: each is noticed by a check that holds without it (docs/INVARIANTS.md). The same checks are those of
 * the tests of crash points and damage, so these are proven to be able to fail.
 */
final class PlantedDefectTest {
    private static final int LEDGERS = 10;
    private static final int ENTRIES = 6;
    private static final int POINTS_MAX = 120;

    /** The check holds as the code is, and does not with the defect. */
    private static void assertNoticed(String defect, Consumer<String> check) {
        check.accept("none");
        assertThatThrownBy(() -> check.accept(defect)).as(defect).isInstanceOf(AssertionError.class);
    }

    private static CleanupScene scene(long seed, String defect) {
        CleanupScene scene = new CleanupScene(seed);
        scene.one.world.faults().plant(defect);
        scene.one.journal().quality(DiskQuality.SOLID_STATE.withBlock(512));
        scene.one.data().quality(DiskQuality.SOLID_STATE.withBlock(512));
        scene.one.config = scene.one.config.withSlabs(16 * 1024, 3);
        return scene;
    }

    @Test
    void d12AFenceAloneInItsJournalFileIsForgotten() {
        assertNoticed(Defects.FACTS_ALONE_TRIMMED, defect -> {
            CleanupScene scene = scene(1, defect);
            scene.start();
            scene.client().fenceAndWait(6);
            scene.one.close();
            scene.one.endSession().start();
            scene.recycleTheJournal();
            scene.one.crash(CrashMode.LOSE_ALL).start();
            assertThat(scene.client().addAndWait(6, 0, "late")).isEqualTo(StatusCode.FENCED);
        });
    }

    @Test
    void d13TheMarkPassesWhatIsNotMovedYet() {
        assertNoticed(Defects.EARLY_MARK, defect -> {
            boolean crashed = true;
            for (int nth = 1; crashed && nth < POINTS_MAX; nth += 3) {
                CleanupScene scene = scene(nth, defect);
                scene.start();
                scene.createLedgers(1);
                TestClient writer = scene.one.client(LinkKind.APPEND);
                scene.one.machine.crashAtDiskOperation(nth, false);
                for (int i = 0; i < 60; i++) {
                    writer.add(1, i, CleanupScene.payload(1, i));
                }
                scene.one.world.runFor(TimeUnit.SECONDS.toNanos(1));
                int acknowledged = writer.acknowledged();
                crashed = !scene.one.machine.isRunning();
                scene.one.crash(CrashMode.LOSE_ALL).start();
                scene.assertHeld(1, acknowledged);
            }
        });
    }

    @Test
    void d14ALogIsUnlinkedBeforeItsSuccessorCounts() {
        assertNoticed(Defects.EARLY_UNLINK, defect -> {
            boolean crashed = true;
            for (int nth = 1; crashed && nth < POINTS_MAX; nth += 2) {
                CleanupScene scene = scene(nth, defect);
                scene.start();
                spread(scene);
                for (long ledgerId = 2; ledgerId <= LEDGERS; ledgerId++) {
                    scene.metadata().delete(ledgerId).join();
                }
                scene.round();
                scene.one.world.runFor(CleanupScene.GRACE_NANOS);
                scene.one.machine.crashAtDiskOperation(nth, false);
                scene.beginRound();
                scene.one.world.runFor(TimeUnit.MINUTES.toNanos(1));
                crashed = !scene.one.machine.isRunning();
                scene.one.crash(CrashMode.LOSE_ALL).start();
                scene.assertHeld(1, ENTRIES);
            }
        });
    }

    private static void spread(CleanupScene scene) {
        TestClient writer = scene.one.client(LinkKind.APPEND);
        for (long ledgerId = 1; ledgerId <= LEDGERS; ledgerId++) {
            scene.createLedgers(ledgerId);
        }
        for (int entryId = 0; entryId < ENTRIES; entryId++) {
            for (long ledgerId = 1; ledgerId <= LEDGERS; ledgerId++) {
                writer.add(ledgerId, entryId, CleanupScene.payload(ledgerId, entryId));
            }
        }
        scene.one.until(() -> writer.acknowledged() == ENTRIES * LEDGERS);
        scene.recycleTheJournal();
    }

    @Test
    void d15OneListingThatEndedEarlyDecides() {
        assertNoticed(Defects.ONE_LISTING_DECIDES, defect -> {
            CleanupScene scene = scene(4, defect);
            scene.listing.failAfterPages(1);
            scene.start();
            scene.createLedgers(1, 2, 3);
            scene.fill(3, 4);
            scene.roundsOfGrace();
            scene.assertHeld(3, 4);
        });
    }

    @Test
    void d17AfterAFailedWritePositionsPointPastTheData() {
        assertNoticed(Defects.WRONG_POSITION, defect -> {
            CleanupScene scene = scene(5, defect);
            scene.start();
            scene.createLedgers(1);
            scene.fill(1, 20);
            scene.one.data().faults().failOnce(DiskFaults.Call.WRITE, "entries-");
            scene.one.bookie().close();
            scene.one.world.runFor(TimeUnit.SECONDS.toNanos(10));
            scene.one.crash(CrashMode.LOSE_ALL).start();
            scene.assertHeld(1, 20);
        });
    }
}
